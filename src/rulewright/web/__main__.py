"""python -m rulewright.web RUN: the explorer in a process without torch, which `rulewright serve` becomes."""

import argparse
import sys
from pathlib import Path

from rulewright.errors import InputError
from rulewright.web.serve import LOOPBACK, PORT, say, serve


def main() -> int:
    """Serve the run that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m rulewright.web", description="Show a run in the browser.")
    parser.add_argument("run", type=Path)
    parser.add_argument("--host", default=LOOPBACK)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--open", action="store_true", dest="browse")
    asked = parser.parse_args()
    try:
        serve(asked.run, asked.host, asked.port, asked.browse)
    except InputError as mistake:
        say(f"error: {mistake}")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
