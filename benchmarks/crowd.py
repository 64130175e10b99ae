"""Many users of a site at once, as cheap as can be: on few cores a costly crowd measures itself.

A user is a connection that is kept, and asks for the next page as soon as the last one is there. What the crowd and the
server take of the processor is told apart.
"""

import asyncio
import random
import re
import time
from collections import defaultdict
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit

import psutil

LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)

Times = dict[str, list[float]]


def together(site: str, pages: dict[str, list[str]], users: int, seconds: float, server: int) -> dict[str, Any]:
    """Milliseconds of every kind of page under load; `server` is the process that answers."""
    answering, asking = psutil.Process(server), psutil.Process()
    before = processor_seconds(answering), processor_seconds(asking)
    times, errors, lasted = asyncio.run(crowd(site, pages, users, seconds))
    every = [taken for some in times.values() for taken in some]
    requests = len(every) + len(errors)
    return {
        "requests": requests,
        "addresses": sum(map(len, pages.values())),
        "per_second": len(every) / lasted,
        "errors": len(errors),
        "first_errors": errors[:5],
        "server_cpu_ms": 1000 * (processor_seconds(answering) - before[0]) / requests,
        "users_cpu_ms": 1000 * (processor_seconds(asking) - before[1]) / requests,
        "all": summary(every),
        "pages": {name: summary(times[name]) | {"requests": len(times[name])} for name in pages},
    }


def processor_seconds(process: psutil.Process) -> float:
    """What a process has taken of the processor so far."""
    used = process.cpu_times()
    return float(used.user + used.system)


async def crowd(site: str, pages: dict[str, list[str]], users: int, seconds: float) -> tuple[Times, list[str], float]:
    """The times of all users, what went wrong, and how long it lasted."""
    times: Times = defaultdict(list)
    errors: list[str] = []
    place = urlsplit(site)
    started = time.perf_counter()

    async def user(number: int) -> None:
        chance = random.Random(number)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        while time.perf_counter() < started + seconds:
            name = chance.choice(list(pages))
            link = chance.choice(pages[name])
            asked = time.perf_counter()
            writer.write(f"GET {link} HTTP/1.1\r\nhost: {place.netloc}\r\n\r\n".encode("ascii"))
            head = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(head)
            assert length is not None, head
            await reader.readexactly(int(length.group(1)))
            if head.split(b" ", 2)[1] == b"200":
                times[name].append(1000 * (time.perf_counter() - asked))
            else:
                errors.append(f"{link}: {head.splitlines()[0].decode()}")
        writer.close()

    for problem in await asyncio.gather(*map(user, range(users)), return_exceptions=True):
        if problem is not None:
            errors.append(f"{type(problem).__name__}: {problem}")
    return times, errors, time.perf_counter() - started


def summary(times: list[float]) -> dict[str, float]:
    """Median and the slow end, in milliseconds."""
    cuts = quantiles(times, n=100, method="inclusive")
    return {
        "median": round(median(times), 1),
        "p95": round(cuts[94], 1),
        "p99": round(cuts[98], 1),
        "slowest": round(max(times), 1),
    }
