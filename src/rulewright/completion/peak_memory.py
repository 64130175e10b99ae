"""The most memory that this process has held, as the system counts it."""

import re
import resource
import sys
from contextlib import suppress
from pathlib import Path


def peak_rss_mb() -> float:
    """The largest resident memory of this process so far, in MB."""
    with suppress(OSError):  # of Linux; getrusage there includes the process that started this one
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        if found := re.search(r"VmHWM:\s*(\d+) kB", status):
            return int(found[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
