"""A result's folder, written as a whole or not at all: a run that is killed leaves the earlier result as it was."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulewright.errors import RunFolderError
from rulewright.reproduce.markdown import report_to_markdown
from rulewright.reproduce.report import Report, report_from_json, report_to_json
from rulewright.rules.folder import put_in_place

REPORT, TEXT = "report.json", "report.md"


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill; it takes its place, and the earlier one's, when the block ends without an error."""
    target = Path(os.path.realpath(folder))
    check_place(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as beside:
            complete = Path(beside) / "result"
            complete.mkdir()
            yield complete
            put_in_place(complete, target)
    except OSError as cause:
        raise RunFolderError(
            f"cannot write the result {target}: {cause.strerror or cause}; nothing was changed"
        ) from cause


def check_place(target: Path) -> None:
    """An error where something lies that is no result and would be lost."""
    try:
        ours = not target.exists() or (target / REPORT).is_file() or (target.is_dir() and not any(target.iterdir()))
    except OSError as cause:
        raise RunFolderError(f"cannot write the result {target}: {cause.strerror or cause}") from cause
    if not ours:
        raise RunFolderError(f"{target} exists and holds no {REPORT}; name another folder for the results with --out")


def write_report(report: Report, folder: Path) -> None:
    """The report for programs and for people."""
    document = json.dumps(report_to_json(report), indent=1, ensure_ascii=False, allow_nan=False)
    (folder / REPORT).write_text(document + "\n", encoding="utf-8")
    (folder / TEXT).write_text(report_to_markdown(report), encoding="utf-8")


def read_report(folder: Path) -> Report | None:
    """The report in a folder; None where there is none of the folder's name that this version reads."""
    try:
        report = report_from_json(json.loads((folder / REPORT).read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return report if report.name == folder.name else None


def write_file(path: Path, text: str) -> None:
    """A text file that is there as a whole or as it was."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, path)
    except OSError as cause:
        raise RunFolderError(f"cannot write {path}: {cause.strerror or cause}") from cause
