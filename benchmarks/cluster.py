"""Learn over machines that share nothing but a network, as far as one machine can play them.

    python benchmarks/cluster.py [--data umls] [--workers 2] [--kill]

The scheduler, each worker and the learning command run as separate processes, each in a network namespace of its own:
its own interface, address and ports, joined by a bridge, as machines by a switch. What is learned must equal what one
process learns here. Namespaces need Linux, `ip` and the superuser; without them the processes share the loopback
interface, and the figures say so. With --kill, the worker processes of the first namespace are killed with -9 on the
way. The figures are kept in results/cluster.json.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from killing import differences
from record import write_result

BRIDGE, NETWORK, PORT = "rulewright0", "10.77.0", 8786
SETTINGS = """
length = 2
paths = 60
mined = 60
queries = 60
hard = 20
epochs = 5
folds = 4
used_folds = 4
"""


@dataclass(frozen=True)
class Machine:
    """A place to run processes: a network namespace, or this machine itself."""

    address: str
    namespace: str | None

    def start(self, *command: str, **options: Any) -> subprocess.Popen[str]:
        """A process there."""
        inside = ["ip", "netns", "exec", self.namespace] if self.namespace else []
        return subprocess.Popen([*inside, *command], text=True, **options)


@contextmanager
def machines(count: int) -> Iterator[list[Machine]]:
    """So many machines on one network; plain processes where namespaces cannot be had."""
    with ExitStack() as made:
        try:
            yield made.enter_context(namespaces(count))
        except PermissionError as cause:
            print(f"no network namespaces ({cause}): the processes share this machine's loopback interface")
            yield [Machine("127.0.0.1", None)] * count


@contextmanager
def namespaces(count: int) -> Iterator[list[Machine]]:
    """Network namespaces joined by a bridge; they are taken down again."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        raise PermissionError("they need `ip` and the superuser")
    with ExitStack() as down:
        try:
            ip("link", "add", BRIDGE, "type", "bridge")
            down.callback(ip, "link", "delete", BRIDGE)
            ip("link", "set", BRIDGE, "up")
            found = []
            for number in range(1, count + 1):
                name, outer, inner = f"rulewright{number}", f"rwo{number}", f"rwi{number}"
                ip("netns", "add", name)
                down.callback(ip, "netns", "delete", name)
                ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", name)
                ip("link", "set", outer, "master", BRIDGE, "up")
                ip("-n", name, "address", "add", f"{NETWORK}.{number}/24", "dev", inner)
                ip("-n", name, "link", "set", inner, "up")
                ip("-n", name, "link", "set", "lo", "up")
                found.append(Machine(f"{NETWORK}.{number}", name))
        except subprocess.CalledProcessError as cause:
            raise PermissionError(cause.stderr.strip()) from cause
        yield found


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


@contextmanager
def running(machine: Machine, *command: str) -> Iterator[subprocess.Popen[str]]:
    """A process for as long as it is needed, with its children."""
    process = machine.start(*command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def measure(data: str, workers: int, kill: bool) -> dict[str, Any]:
    """Learn here and over the network, and compare."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place = Path(folder)
        (place / "settings.toml").write_text(SETTINGS, encoding="utf-8")
        learn = (
            "-c",
            "from rulewright.cli.app import main; main()",
            "learn",
            data,
            "--settings",
            str(place / "settings.toml"),
            "--out",
        )
        subprocess.run([sys.executable, *learn, str(place / "here")], check=True)
        scheduling, learning, *working = stack.enter_context(machines(2 + workers))
        address = f"tcp://{scheduling.address}:{PORT}"
        dask = (sys.executable, "-m", "dask")
        quiet = ("--no-dashboard", "--dashboard-address", ":0")
        stack.enter_context(
            running(scheduling, *dask, "scheduler", "--host", scheduling.address, "--port", str(PORT), *quiet)
        )
        options = ("--nthreads", "1", "--memory-limit", "2GB", "--local-directory", folder, "--no-dashboard")
        started = [
            stack.enter_context(running(machine, *dask, "worker", address, "--host", machine.address, *options))
            for machine in working
        ]
        clock = time.perf_counter()
        command = (sys.executable, *learn, str(place / "there"), "--engine", "dask", "--address", address)
        process = learning.start(*command)
        killed = kill_when_begun(place, started[0], process) if kill else 0
        if process.wait():
            raise SystemExit("learning over the network failed")
        seconds = time.perf_counter() - clock
        differing = differences(place / "here", place / "there")
    return {
        "data": data,
        "network": "namespaces" if learning.namespace else "loopback",
        "scheduler": scheduling.address,
        "workers": [machine.address for machine in working],
        "client": learning.address,
        "killed_processes": killed,
        "differences": len(differing),
        "seconds": round(seconds, 1),
    }


def kill_when_begun(place: Path, worker: subprocess.Popen[str], learning: subprocess.Popen[str]) -> int:
    """Kill the processes of a worker when the first relation is finished; how many there were."""
    while learning.poll() is None and not list((place / ".there.partial").glob("relation-*.safetensors")):
        time.sleep(0.05)
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(worker.pid)], capture_output=True, text=True)
    processes = [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]
    for process in processes:
        os.kill(process, signal.SIGKILL)
    return len(processes)


def main() -> None:
    """Measure and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="umls")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill", action="store_true")
    asked = parser.parse_args()
    figures = measure(asked.data, asked.workers, asked.kill)
    print(figures)
    write_result("cluster", figures)


if __name__ == "__main__":
    main()
