"""Set-up and daily commands, with nothing but the standard library: python3 scripts/dev.py COMMAND.

    setup     make .venv and install the package with everything the tests need
    demo      install what a user needs, learn from the example facts, print the rules and a prediction
    test      setup, then every check that CI runs: lint, types, layers, tests; as root on Debian, or where CI=true,
              it also installs the programs that tests drive: chromium, SWI-Prolog, Graphviz
    lint      ruff check, ruff format --check, lint-imports
    types     mypy --strict
    reference write docs/cli.md from the commands themselves
    docs      build the documentation into site/, warnings are errors
    notebooks run the tutorials anew and keep what they show; with --check only compare
    bench     time the benchmarks
    soak      the long trials: kills, fuzzing, memory, ten million facts, a cluster; an hour or two
    reproduce the tables and figures of the paper

Arguments after the command go to its last step: python3 scripts/dev.py test tests/kb -x

Environment
    NO_UV=1            install with pip instead of uv
    TORCH_INDEX_URL    an extra package index to take torch from, e.g. one that serves CPU-only builds
pip's own settings (find-links, index-url, extra-index-url, cert) hold for uv too.
"""

import hashlib
import html
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "rulewright-setup.json"
OLDEST_PYTHON = (3, 11)
QUIET = {"DEBIAN_FRONTEND": "noninteractive"}

# Debian's packages of programs that tests drive, each with the names that it may be started by.
DRIVEN = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "swi-prolog-nox": ("swipl",),
    "graphviz": ("dot",),
}

# pip's setting -> uv's variable; a user's mirror or local wheels must count in both.
FORWARDED = {
    "find-links": "UV_FIND_LINKS",
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "cert": "SSL_CERT_FILE",
}


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit status is ours."""
    if not arguments or arguments[0] not in COMMANDS:
        print(__doc__)
        return 0 if arguments[:1] in ([], ["--help"], ["-h"]) else 2
    try:
        COMMANDS[arguments[0]](list(arguments[1:]))
    except subprocess.CalledProcessError as failure:
        print(f"failed: {' '.join(map(str, failure.cmd))}", file=sys.stderr)
        return failure.returncode if failure.returncode > 0 else 1
    except KeyboardInterrupt:
        return 130
    return 0


def demo(rest: list[str]) -> None:
    """A first look: learn the rules of UMLS, rank its test links, show rules, predict a link and explain it."""
    install("plot")
    run(BIN / "rulewright", "learn", "umls", "--out", "runs/umls", *rest)
    run(BIN / "rulewright", "evaluate", "runs/umls")
    run(BIN / "rulewright", "rules", "runs/umls", "--relation", "treats", "--top", "5")
    run(BIN / "rulewright", "predict", "runs/umls", "antibiotic", "treats", "--top", "3", "--known")
    run(
        BIN / "rulewright",
        "explain",
        "runs/umls",
        "antibiotic",
        "treats",
        "experimental_model_of_disease",
        "--top",
        "2",
    )


def test(rest: list[str]) -> None:
    """Everything CI checks, cheapest first."""
    lint([])
    types([])
    programs()
    # Two workers with two threads each would only get in each other's way on a small machine.
    threads = {name: os.environ.get(name, "1") for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    run(PYTHON, "-m", "pytest", "-n", "2", *rest, env=threads)


def programs() -> None:
    """What tests drive, from Debian's packages where it may be installed; without a program its tests are skipped."""
    missing = [package for package, names in DRIVEN.items() if not any(map(shutil.which, names))]
    if not missing or shutil.which("apt-get") is None:
        return
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not is_root and (os.environ.get("CI") != "true" or shutil.which("sudo") is None):
        print(f"tests that need these are skipped: {' '.join(missing)} (apt-get install them)", flush=True)
        return
    as_root = [] if is_root else ["sudo", "-n"]
    try:
        run(*as_root, "apt-get", "update", "--quiet", env=QUIET)
    except (subprocess.CalledProcessError, OSError) as failure:
        print(f"the list of packages stays as it is: {failure}", file=sys.stderr)
    for package in missing:  # one by one, so that one that cannot be had does not cost the others
        try:
            run(*as_root, "apt-get", "install", "--yes", "--quiet", "--no-install-recommends", package, env=QUIET)
        except (subprocess.CalledProcessError, OSError) as failure:
            print(f"no {package} could be installed, the tests that need it are skipped: {failure}", file=sys.stderr)


def lint(rest: list[str]) -> None:
    """Style, format and who imports whom."""
    install("dev")
    run(BIN / "ruff", "check", *rest)
    run(BIN / "ruff", "format", "--check")
    run(BIN / "lint-imports")


def types(rest: list[str]) -> None:
    """Static types."""
    install("dev")
    run(PYTHON, "-m", "mypy", *rest)


def docs(rest: list[str]) -> None:
    """The documentation, built strictly: a dead link is an error."""
    install("docs")
    # Not --quiet: with it, warnings are neither shown nor counted, and nothing would be an error.
    run(PYTHON, "-m", "mkdocs", "build", "--strict", *rest, env={"NO_MKDOCS_2_WARNING": "1"})
    print("built: site/index.html")


def notebooks(rest: list[str]) -> None:
    """The tutorials, run anew; all of them unless named."""
    install("dev")
    run(PYTHON, "scripts/notebooks.py", *rest)


def reference(rest: list[str]) -> None:
    """docs/cli.md, as typer describes the commands."""
    install("dev")
    (ROOT / "docs" / "cli.md").write_text(command_reference(), encoding="utf-8")


def command_reference() -> str:
    """The commands with their arguments and options, as Markdown."""
    command = [str(PYTHON), "-m", "typer", "rulewright.cli.app", "utils", "docs", "--name", "rulewright"]
    wide = os.environ | {"COLUMNS": "120"}
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=wide).stdout
    return html.unescape(text).rstrip() + "\n"


def bench(rest: list[str]) -> None:
    """The benchmarks."""
    install("dev")
    run(PYTHON, "benchmarks/run.py", *rest)


def soak(rest: list[str]) -> None:
    """What must never break, tried for long; figures go to benchmarks/results."""
    install("dev")
    install("fuzz")
    run(PYTHON, "benchmarks/soak.py", *rest)


def reproduce(rest: list[str]) -> None:
    """The paper's tables and figures; all of them unless named."""
    install("dev")
    run(BIN / "rulewright", "reproduce", *(rest or ["all"]))


def setup(rest: list[str]) -> None:
    """The development environment."""
    install("dev")
    print(f"ready: {BIN.relative_to(ROOT)}")


COMMANDS: dict[str, Callable[[list[str]], None]] = {
    command.__name__: command
    for command in (setup, demo, test, lint, types, reference, docs, notebooks, bench, soak, reproduce)
}


def install(extra: str) -> None:
    """Make the environment hold the package with an extra, unless the stamp says that it already does."""
    wanted = inputs_hash()
    inputs, installed = read_stamp()
    if inputs == wanted and extra in installed:
        return
    if sys.version_info < OLDEST_PYTHON:
        raise SystemExit(f"Rulewright needs Python {'.'.join(map(str, OLDEST_PYTHON))} or newer")
    # What was installed before stays: an old extra is renewed together with the new one.
    extras = sorted({*installed, extra})
    STAMP.unlink(missing_ok=True)
    if not has_pip():
        print("making .venv", flush=True)
        venv.create(VENV, with_pip=True)
    install_package(f"-e.[{','.join(extras)}]")
    # Written last, so that a broken installation is done again.
    STAMP.write_text(json.dumps({"inputs": wanted, "extras": extras}), encoding="utf-8")


def has_pip() -> bool:
    """Whether .venv is there and whole; an interrupted set-up or another tool may have left it without pip."""
    return PYTHON.exists() and subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0


def install_package(target: str) -> None:
    """Install with uv, which is several times as fast; with pip where uv is unwanted or fails."""
    wanted = ["-c", "constraints.txt", target, *torch_index()]
    if os.environ.get("NO_UV") != "1":
        try:
            run(PYTHON, "-m", "pip", "install", "--quiet", "-c", "constraints.txt", "uv")
            run(PYTHON, "-m", "uv", "pip", "install", "--python", PYTHON, *wanted, env=uv_settings())
            return
        except subprocess.CalledProcessError:
            print("uv could not install; trying pip", file=sys.stderr, flush=True)
    run(PYTHON, "-m", "pip", "install", "--quiet", *wanted)


def torch_index() -> list[str]:
    """The extra index for torch, only on request: an index that cannot be reached slows every package down."""
    url = os.environ.get("TORCH_INDEX_URL")
    return ["--extra-index-url", url] if url else []


def uv_settings() -> dict[str, str]:
    """The settings of pip under uv's names; what the user set for uv wins."""
    settings = {}
    for option, variable in FORWARDED.items():
        value = pip_setting(option)
        if value and variable not in os.environ:
            # pip separates several values by blanks; uv wants commas for places on disk, blanks for indexes.
            settings[variable] = ",".join(value.split()) if option == "find-links" else " ".join(value.split())
    if ("UV_INDEX" in settings or "TORCH_INDEX_URL" in os.environ) and "UV_INDEX_STRATEGY" not in os.environ:
        # pip looks at every index for the best version; uv by itself would stop at the first that knows the name.
        settings["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return settings


def pip_setting(option: str) -> str:
    """A setting of pip, from its environment variable or its configuration files; empty when there is none."""
    from_environment = os.environ.get("PIP_" + option.upper().replace("-", "_"))
    if from_environment:
        return from_environment
    command = [str(PYTHON), "-m", "pip", "config", "get", f"global.{option}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def inputs_hash() -> str:
    """What the environment depends on: the declared dependencies, the pinned versions, and the place of the source."""
    digest = hashlib.sha256(str(ROOT).encode())  # installed editable, so a moved checkout has to be installed again
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def read_stamp() -> tuple[str, list[str]]:
    """The inputs and the extras of the last finished installation; nothing when there was none."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
        return stamp["inputs"], stamp["extras"]
    except (OSError, ValueError, KeyError, TypeError):
        return "", []


def run(*command: str | Path, env: Mapping[str, str] | None = None) -> None:
    """Show a command, then run it in the repository's root; an error when it fails."""
    shown = [str(part.relative_to(ROOT)) if isinstance(part, Path) else part for part in command]
    print("$", " ".join(shown), flush=True)
    subprocess.run([str(part) for part in command], cwd=ROOT, env={**os.environ, **(env or {})}, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
