"""The server listens on this machine alone, says where, and ends with a plain word when it cannot."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from rulewright.errors import OptionError
from rulewright.web.serve import is_loopback, listening

SERVING = re.compile(r"serving .* at (http://127\.0\.0\.1:\d+/)")


def test_a_port_in_use_is_said_in_plain_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OptionError, match=rf"port {port}: .*; choose another with --port"):
            listening("127.0.0.1", port)


def test_a_host_that_is_not_here_is_said_too() -> None:
    with pytest.raises(OptionError, match=r"cannot serve at nowhere\.invalid"):
        listening("nowhere.invalid", 0)


def test_which_hosts_only_this_machine_can_reach() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.1", "desk")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_the_command_serves_until_it_is_interrupted(folder: Path) -> None:
    command = [sys.executable, "-c", "from rulewright.cli.app import main; main()", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        lines = []
        for line in server.stderr:
            lines.append(line)
            if found := SERVING.search(line):
                with urlopen(found.group(1) + "overview.json", timeout=30) as answer:
                    assert b"families" in answer.read()
                server.send_signal(signal.SIGINT)
                break
        else:
            pytest.fail("".join(lines))
        rest = server.stderr.read()
        assert server.wait(timeout=30) in (0, 130, -signal.SIGINT), rest
    assert "Traceback" not in rest


@pytest.mark.skipif(os.name != "posix", reason="exit codes of an executed process")
def test_a_folder_without_a_run_is_a_mistake(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rulewright.web", str(tmp_path), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is not a run folder" in done.stderr
    assert "Traceback" not in done.stderr
