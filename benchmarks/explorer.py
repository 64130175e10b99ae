"""The explorer under load: pages of a served run, asked by one user and by many at once, over loopback."""

import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

USERS = 50
SECONDS = 20.0
ALONE = 20  # first visits to each kind of page by a single user
DATA = "umls"
RELATIONS = 46  # whose pages are visited
SEARCH = "what would bring it down"
LETTERS = "abcdefghilmnopqrstuvxyz"


def measure(folders: Sequence[str] = ()) -> dict[str, Any]:
    """Figures of some run folders, by the name of their data; without one, UMLS is learned first."""
    with tempfile.TemporaryDirectory() as place:
        runs = dict(map(measure_run, folders or [learned(Path(place) / "run")]))
    return {"users": USERS, "seconds": SECONDS, "runs": runs}


def measure_run(folder: str) -> tuple[str, dict[str, Any]]:
    """The name of a run's data, and its figures."""
    with served(folder) as site:
        name = str(httpx.get(f"{site}/overview.json", timeout=60).json()["title"])
        pages = addresses(site)
        first = alone(site, pages)
        pages.pop(SEARCH)  # its button is pressed now and then, not by 50 at once
        return name, {"alone": first, **asyncio.run(together(site, pages))}


def learned(folder: Path) -> str:
    """A fresh run."""
    command = "from rulewright.cli.app import main; main()"
    subprocess.run([sys.executable, "-c", command, "learn", DATA, "--out", str(folder)], check=True)
    return str(folder)


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The address of a server, which ends with the block."""
    command = [sys.executable, "-m", "rulewright.web", folder, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            yield next(filter(None, (re.search(r" at (http\S+)/ ", line) for line in server.stderr))).group(1)
        finally:
            server.terminate()


def addresses(site: str) -> dict[str, list[str]]:
    """Some addresses of every kind of page, found by following links as a user would."""
    pages: dict[str, list[str]] = defaultdict(list)
    with httpx.Client(base_url=site, timeout=60) as client:
        pages["overview"] = [f"/?q={letter}" for letter in LETTERS]
        pages["completion while typing"] = [f"/names.json?of=entity&part={letter}" for letter in LETTERS]
        rows = client.get("/overview.json").json()["relations"]
        for row in rows[:RELATIONS]:
            pages["relation"] += [row["tails"]["href"], row["heads"]["href"] + "&sort=confidence"]
            pages["template"].append(row["tree"])
            rules = client.get(row["tails"]["href"].replace("?", ".json?", 1)).json()["rules"]
            pages["rule"] += [rule["href"] for rule in rules[:2]]
            if not rules:
                continue
            known = client.get(rules[0]["href"].replace("?", ".json?", 1)).json()["groundings"]
            pages["explanation"] += [pair["href"] for pair in known[:4] if pair["href"]]
            pages["ask"] += [
                f"{pair['head']['href']}&relation={httpx.QueryParams({'r': row['name']})['r']}"
                for pair in known[:4]
                if pair["head"]
            ]
    pages[SEARCH] = [address.replace("/explanation?", "/counterfactual?", 1) for address in pages["explanation"]]
    return dict(pages)


def alone(site: str, pages: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """Milliseconds of each kind of page for a single user, at the first visit to every address."""
    found = {}
    with httpx.Client(base_url=site, timeout=60) as client:
        for name, links in pages.items():
            times = []
            for link in links[:ALONE]:
                started = time.perf_counter()
                client.get(link).raise_for_status()
                times.append(1000 * (time.perf_counter() - started))
            found[name] = summary(times)
    return found


async def together(site: str, pages: dict[str, list[str]]) -> dict[str, Any]:
    """Many users, each asking the next page as soon as the last one is there."""
    times: dict[str, list[float]] = defaultdict(list)
    errors: list[str] = []
    limits = httpx.Limits(max_connections=USERS, max_keepalive_connections=USERS)
    async with httpx.AsyncClient(base_url=site, timeout=60, limits=limits) as client:
        end = time.perf_counter() + SECONDS

        async def user(number: int) -> None:
            chance = random.Random(number)
            while time.perf_counter() < end:
                name = chance.choice(list(pages))
                started = time.perf_counter()
                try:
                    answer = await client.get(chance.choice(pages[name]))
                    answer.raise_for_status()
                except httpx.HTTPError as problem:
                    errors.append(f"{name}: {type(problem).__name__}: {problem}")
                    continue
                times[name].append(1000 * (time.perf_counter() - started))

        started = time.perf_counter()
        await asyncio.gather(*map(user, range(USERS)))
        lasted = time.perf_counter() - started
    every = [taken for some in times.values() for taken in some]
    return {
        "requests": len(every) + len(errors),
        "per_second": len(every) / lasted,
        "errors": len(errors),
        "first_errors": errors[:5],
        "all": summary(every),
        "pages": {name: summary(times[name]) | {"requests": len(times[name])} for name in pages},
    }


def summary(times: list[float]) -> dict[str, float]:
    """Median and the slow end, in milliseconds."""
    cuts = quantiles(times, n=100, method="inclusive")
    return {"median": round(median(times), 1), "p95": round(cuts[94], 1), "p99": round(cuts[98], 1)}
