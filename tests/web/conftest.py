"""Small runs for all tests here: three generations of families, with names that somebody chose with ill intent."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from tests.completion.toys import dataset_of, families, held_out, quick

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.saving import save_model
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.splits import Dataset
from rulewright.learning import learn
from rulewright.saving import save
from rulewright.web.app import create_app
from rulewright.web.guard import Guard
from rulewright.web.run import GraphRun, open_run

SCRIPT = "<script>alert(1)</script>"
HOSTILE = {
    "g0": SCRIPT,
    "p00": '"onmouseover="alert(2)" x="',
    "p01": "../../etc/passwd",
    "c000": "%2e%2e%2f%00",
    "c001": "\u202egnp.exe",
    "c010": "long" * 2500,
    "c011": "{{ 7 * 191 }} {% raise %}",
    "g1": "שלום עולם",
    "p10": "a&b=c#d?e",
    "p11": "' or 1=1 --",
    "c100": "line\nend\ttab\x1b[31m",
}
TEMPLATE = "child(Y, X) :- P(X, Y), not Q(Y, X). P in {parent, likes}. Q in {parent, likes}."
RELATION = '"><img src=x onerror=alert(3)>/'


def hostile_families() -> Dataset:
    triples = [(HOSTILE.get(h, h), r, HOSTILE.get(t, t)) for h, r, t in families(8)]
    triples += [(HOSTILE["g0"], RELATION, HOSTILE["g1"]), (HOSTILE["g1"], RELATION, HOSTILE["p00"])]
    known, missing = held_out(triples, "grandparent", every=6)
    return dataset_of(known, valid=missing, name="families <b>")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dataset = hostile_families()
    model = complete(dataset, quick(constants=ConstantSettings(support=1)), threads=1)
    figures = {"valid": {"mrr": 0.5, "hits@1": 0.25, "protocol": "by hand", "relations": []}}
    return save_model(model, tmp_path_factory.mktemp("web") / "run", "families", figures, 1.5)


@pytest.fixture(scope="session")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kb = KnowledgeBase.of({"parent": [("ann", "<b>bob"), ("<b>bob", "cy")], "likes": [("ann", "cy"), ("cy", "ann")]})
    learned = learn(kb, TEMPLATE, [("<b>bob", "ann"), ("cy", "<b>bob")])
    return save(learned, tmp_path_factory.mktemp("template") / "run")


@pytest.fixture(scope="session")
def run(folder: Path) -> GraphRun:
    found = open_run(folder)
    assert isinstance(found, GraphRun)
    return found


class Client:
    """Asks an application as a browser on this machine would, without a network."""

    def __init__(self, app: Guard) -> None:
        self.app = app

    def request(self, method: str, address: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8321") as client:
                return await client.request(method, address, headers=headers)

        return asyncio.run(ask())

    def get(self, address: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        return self.request("GET", address, headers)


@pytest.fixture(scope="session")
def client(run: GraphRun) -> Client:
    return Client(create_app(run))
