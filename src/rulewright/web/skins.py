"""Page data as HTML and as JSON. Everything that is put into HTML is escaped, unless it is HTML from here."""

import json
import re
from pathlib import Path
from typing import Any

from rulewright.errors import MissingExtraError
from rulewright.logic.harmless import harmless
from rulewright.web.links import twin
from rulewright.web.names import brief, brief_rule, shown
from rulewright.web.wording import Data

try:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup, escape
except ImportError as cause:
    raise MissingExtraError("the explorer", "web") from cause

TEMPLATES = Path(__file__).parent / "templates"
SHORT = 24  # characters that no line is too narrow for
BREAKS = re.compile(r"(?<=[^/_.…'][/_.])(?=[^/_.])")


def figure(value: float | None, places: int = 3) -> str:
    """A number with so many digits behind the point; a dash for one that is not known."""
    return "—" if value is None else f"{value:.{places}f}"


def share(value: float | None, places: int = 1) -> str:
    """A share in per cent."""
    return "—" if value is None else f"{value * 100:.{places}f} %"


def whole(value: int | None) -> str:
    """A whole number, in groups of three digits."""
    return "—" if value is None else f"{value:,}"


def breakable(text: str) -> Markup:
    """Text that may go on in the next line between the parts of a long name; it is escaped."""
    if len(text) <= SHORT:
        return escape(text)
    return Markup("<wbr>".join(map(escape, BREAKS.split(text))))


class DataEnvironment(Environment):
    """For templates that read plain data: a key is tried before an attribute, since to fail there is slow."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


environment = DataEnvironment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
environment.filters |= {"harmless": harmless, "shown": shown, "brief": brief, "brief_rule": brief_rule}
environment.filters |= {"breakable": breakable, "figure": figure, "share": share, "whole": whole}


def html(data: Data, run: Data, address: str) -> bytes:
    """A page for people; `run` says in every page's head what is served."""
    page = environment.get_template(f"{data['page']}.html")
    return page.render(data, run=run, address=address, twin=twin(address)).encode("utf-8", "replace")


def plain(data: Data) -> bytes:
    """The same for programs, in plain ASCII."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).encode("ascii")
