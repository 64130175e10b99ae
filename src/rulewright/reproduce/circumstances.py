"""What every figure states beside itself: the machine, the versions, the code it was made with."""

import hashlib
import os
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
LIBRARIES = ("rulewright", "numpy", "numba", "scipy", "torch")
# What tells of figures does not make them: one benchmark's record does not mark the next one's commit.
TELLING = ("docs", "README.md", "CHANGELOG.md", "benchmarks/results", "benchmarks/RESULTS.md")


def circumstances(libraries: Sequence[str] = LIBRARIES) -> dict[str, Any]:
    """Where and with what something was measured."""
    return {
        "machine": f"{os.cpu_count()} cores, {memory_gib():.0f} GiB, {platform.machine()}, {cpu_model()}",
        "python": platform.python_version(),
        "libraries": {name: installed(name) for name in libraries},
        "commit": commit(),
    }


def installed(library: str) -> str:
    """The version of a library, in words where there is none."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def commit() -> str:
    """The commit measured, marked where code differs from it; "unknown" outside a checkout of this project."""
    try:
        # A package installed in an environment inside somebody's repository would otherwise name their commit.
        git("ls-files", "--error-unmatch", Path(__file__).name)
        changed = git("diff", "--name-only", "HEAD", "--", ":/", *(f":(top,exclude){name}" for name in TELLING))
        return git("describe", "--always") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def git(*arguments: str) -> str:
    """What git says about the folder this file lies in."""
    here = Path(__file__).resolve().parent
    done = subprocess.run(["git", *arguments], cwd=here, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def code() -> str:
    """A fingerprint of the package's source: equal if and only if the same code would run."""
    digest = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*.py")):
        digest.update(f"{file.relative_to(PACKAGE).as_posix()}\0".encode())
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def memory_gib() -> float:
    """The machine's memory, 0 where the system does not tell it."""
    names = getattr(os, "sysconf_names", {})
    if "SC_PAGE_SIZE" not in names or "SC_PHYS_PAGES" not in names:
        return 0.0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def cpu_model() -> str:
    """The processor's name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


def circumstances_line(found: dict[str, Any]) -> str:
    """The circumstances in one line."""
    libraries = ", ".join(f"{name} {number}" for name, number in found["libraries"].items())
    return f"{found['machine']}; Python {found['python']}; {libraries}; commit {found['commit']}"
