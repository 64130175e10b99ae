"""Finished runs of an experiment that is under way, so that one which was stopped goes on where it was."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.errors import RunFolderError


class Journal:
    """A file of JSON lines beside the result, one for each run; those of other code or settings are not recalled."""

    def __init__(self, path: Path, settings: Mapping[str, Any], code: str) -> None:
        self.path = path
        text = json.dumps([settings, code], sort_keys=True)
        self.key = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.runs = dict(self.read())

    def read(self) -> list[tuple[str, Any]]:
        """The runs in the file; a line that was being written when the program died counts for nothing."""
        found = []
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return []
        for line in lines:
            try:
                entry = json.loads(line)
                if entry["key"] == self.key:
                    found.append((str(entry["run"]), entry["found"]))
            except (ValueError, LookupError, TypeError):
                continue
        return found

    def recall(self, run: str) -> Any | None:
        """What a run found, None if it is still to be done."""
        return self.runs.get(run)

    def keep(self, run: str, found: Any) -> None:
        """Write down what a run found."""
        line = json.dumps({"key": self.key, "run": run, "found": found}, allow_nan=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"\n{line}\n")  # the line before may be a broken one
        except OSError as cause:
            raise RunFolderError(f"cannot write {self.path}: {cause.strerror or cause}") from cause
        self.runs[run] = found

    def forget(self) -> None:
        """Drop every run: the result is complete, or wanted anew."""
        self.runs.clear()
        self.path.unlink(missing_ok=True)
