"""The notebooks in docs/tutorials as pages of the documentation, with the outputs stored in them: a hook of mkdocs.

mkdocs takes a file for a page by its ending; a notebook is taken for one here, and read as Markdown.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

ENDING = ".ipynb"


def on_files(files: Any, config: Any) -> None:
    """Notebooks are pages."""
    for file in files:
        if file.src_uri.endswith(ENDING):
            file.is_documentation_page = lambda: True
            file.dest_uri = file.src_uri.removesuffix(ENDING) + "/index.html"


def on_page_read_source(page: Any, config: Any) -> str | None:
    """The text of a page that is a notebook; every other one is read as usual."""
    return as_markdown(page.file.content_string) if page.file.src_uri.endswith(ENDING) else None


def as_markdown(notebook: str) -> str:
    """A notebook's cells, one after the other."""
    return "\n\n".join(part for cell in json.loads(notebook)["cells"] for part in markdown_of(cell)) + "\n"


def markdown_of(cell: dict[str, Any]) -> Iterator[str]:
    """A cell and its outputs."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield fenced(source, "python")
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            yield fenced("".join(output["text"]), "text")
        elif output["output_type"] in ("execute_result", "display_data"):
            yield shown({kind: "".join(data) for kind, data in output["data"].items()})
        else:
            raise ValueError(f"a cell failed: {source}")


def shown(data: dict[str, str]) -> str:
    """A result in its richest form."""
    if "text/html" in data:
        return data["text/html"]
    if "image/svg+xml" in data:
        picture = b64encode(data["image/svg+xml"].encode()).decode()
        return f"![What the cell above draws](data:image/svg+xml;base64,{picture})"
    return data["text/markdown"] if "text/markdown" in data else fenced(data["text/plain"], "text")


def fenced(text: str, language: str) -> str:
    """A block of code."""
    return f"```{language}\n{text.rstrip()}\n```"
