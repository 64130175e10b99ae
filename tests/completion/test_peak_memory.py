"""The peak of memory is read where it is measured."""

import subprocess
import sys

import pytest

LARGE = """
import subprocess, sys
held = bytearray(300 << 20)
held[::4096] = b"x" * len(held[::4096])
subprocess.run([sys.executable, "-c", sys.argv[1]], check=True)
"""
SMALL = """
from rulewright.completion.peak_memory import peak_rss_mb
before = peak_rss_mb()
held = bytearray(100 << 20)
held[::4096] = b"x" * len(held[::4096])
del held
print(before, peak_rss_mb())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="told by the kernel of Linux alone")
def test_the_peak_of_memory_is_that_of_this_process_and_not_of_its_parent() -> None:
    done = subprocess.run([sys.executable, "-c", LARGE, SMALL], check=True, capture_output=True, text=True)
    before, after = map(float, done.stdout.split())
    assert before < 300
    assert 95 < after - before < 120
