"""Once the server says that it is ready, no page waits for a compiler."""

import subprocess
import sys
from pathlib import Path

VISIT = """
import sys
from numba.core.dispatcher import Dispatcher
from tests.web.conftest import Client
from rulewright.web.app import create_app
from rulewright.web.run import open_run
from rulewright.web.warm_up import warm_up

def loaded():
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith("rulewright.")]
    kernels = {id(one): one for module in modules for one in vars(module).values() if isinstance(one, Dispatcher)}
    return sum(len(kernel.signatures) for kernel in kernels.values())

run = open_run(sys.argv[1])
before = loaded()
warm_up(run)
ready = loaded()
client, pages = Client(create_app(run)), ["/overview.json"]
row = client.get("/overview.json").json()["relations"][0]
for way in ("tails", "heads"):
    relation = client.get(row[way]["href"].replace("?", ".json?")).json()
    pages += [relation["tree"], *(rule["href"] for rule in relation["rules"])]
    for page in pages[-3:]:
        shown = client.get(page.replace("?", ".json?")).json()
        for pair in shown["groundings"][:2]:
            why = pair["href"]
            pages += [pair["answer"]["href"], *([why, why.replace("/explanation", "/counterfactual")] if why else [])]
assert all(client.get(page).status_code == 200 for page in pages), pages
print(before, ready, loaded(), len(pages), sum("/counterfactual" in page for page in pages))
"""


def test_no_kernel_is_loaded_for_a_page_after_the_warming_up(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", VISIT, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    before, ready, after, pages, searches = map(int, done.stdout.split())
    assert before < ready == after
    assert pages > 10
    assert searches > 0
