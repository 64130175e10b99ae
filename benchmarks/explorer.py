"""The explorer under load: pages of a served run, asked by one user and by many at once, over loopback."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from crowd import summary, together

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
    with served(folder) as (site, _):
        name = str(httpx.get(f"{site}/overview.json", timeout=60).json()["title"])
        pages = addresses(site)
    with served(folder) as (site, _):
        first = at_first(site, pages)
    with served(folder) as (site, process):  # anew, so that nothing of it has been asked before
        figures = {"load": os.getloadavg()[0], "first": first, "alone": alone(site, pages)}
        pages.pop(SEARCH)  # its button is pressed now and then, not by 50 at once
        return name, figures | together(site, pages, USERS, SECONDS, process)


def learned(folder: Path) -> str:
    """A fresh run."""
    command = "from rulewright.cli.app import main; main()"
    subprocess.run([sys.executable, "-c", command, "learn", DATA, "--out", str(folder)], check=True)
    return str(folder)


@contextmanager
def served(folder: str) -> Iterator[tuple[str, int]]:
    """The address of a server and its process, which ends with the block."""
    command = [sys.executable, "-m", "rulewright.web", folder, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            found = next(filter(None, (re.search(r" at (http\S+)/ ", line) for line in server.stderr)))
            yield found.group(1), server.pid
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


def at_first(site: str, pages: dict[str, list[str]]) -> dict[str, float]:
    """Milliseconds of one page of each kind, each the first of its kind since the server said that it is ready."""
    with httpx.Client(base_url=site, timeout=60) as client:
        client.get("/static/icon.svg")  # the connection is made
        return {name: round(taken(client, links[-1]), 1) for name, links in pages.items()}


def alone(site: str, pages: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """Milliseconds of each kind of page for a single user, at the first visit to every address."""
    with httpx.Client(base_url=site, timeout=60) as client:
        return {name: summary([taken(client, link) for link in links[:ALONE]]) for name, links in pages.items()}


def taken(client: httpx.Client, link: str) -> float:
    """Milliseconds until a page is there."""
    started = time.perf_counter()
    client.get(link).raise_for_status()
    return 1000 * (time.perf_counter() - started)
