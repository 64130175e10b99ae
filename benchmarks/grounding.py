"""Grounding plus one training epoch, against the same work done with pandas merges and group-bys.

The task: target(X, Z) :- P(X, Y), Q(Y, Z) over four random relations, a two-hop join of about 1.1 million rows. A tenth
of the head facts is labelled true; an epoch takes every true fact once, in batches of 4096 with as many false ones, and
makes a gradient step after each. Three ways, each in a process of its own so that peak memory can be told apart:

rulewright    this package
pandas loop   merges and group-bys to lists, the maximum over dropped variables taken fact by fact in a Python loop,
              as the published partial code of the paper's authors goes about it
pandas best   the same merges, but group ids instead of lists and one scatter_reduce per batch: as far as pandas and
              torch go without a relational plan
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import torch

ENTITIES, FACTS, RELATIONS, SHARE, BATCH, SEED = 15_000, 32_000, 4, 0.1, 4096, 0
WAYS = ("rulewright", "pandas loop", "pandas best")
TEMPLATE = "target(X, Z) :- P(X, Y), Q(Y, Z).  P in *.  Q in *."


def measure(repeats: int = 3) -> dict[str, object]:
    """Every way `repeats` times in turn; the median seconds and the largest peak memory of each."""
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    for _ in range(repeats):
        for way in WAYS:
            command = [sys.executable, __file__, way]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            runs[way].append(json.loads(output.splitlines()[-1]))
    result: dict[str, object] = {"task": TEMPLATE, "seed": SEED, "repeats": repeats}
    for way, measured in runs.items():
        result[way] = {
            key: float(np.median([run[key] for run in measured])) for key in ("ground", "epoch", "total", "join_rows")
        } | {"peak_mb": max(run["peak_mb"] for run in measured), "before_mb": max(run["before_mb"] for run in measured)}
    return result


def facts() -> list[np.ndarray]:
    """The same random relations for every way."""
    rng = np.random.default_rng(SEED)
    return [rng.integers(0, ENTITIES, (FACTS, 2)) for _ in range(RELATIONS)]


def rulewright_way(tables: list[np.ndarray]) -> tuple[float, float, int]:
    from rulewright.grounding.ground import ground
    from rulewright.grounding.plan import plan
    from rulewright.kb.knowledge_base import KnowledgeBase
    from rulewright.kb.relation import Relation
    from rulewright.kb.vocabulary import Vocabulary
    from rulewright.lnn.network import RuleNetwork
    from rulewright.template.binding import bind
    from rulewright.template.parser import parse_template
    from rulewright.training.fit import FitOptions, fit
    from rulewright.training.labels import Targets

    started = time.perf_counter()
    relations = {f"r{place}": Relation.of(table) for place, table in enumerate(tables)}
    kb = KnowledgeBase(Vocabulary(map(str, range(ENTITIES))), relations)
    steps = plan(bind(parse_template(TEMPLATE), kb))
    grounding = ground(steps, kb)
    grounded = time.perf_counter()
    true = np.random.default_rng(SEED).random(len(grounding)) < SHARE
    targets = Targets(np.flatnonzero(true), np.flatnonzero(~true))
    options = FitOptions(epochs=1, restarts=1, batch=BATCH, sparsity=0.0)  # the other ways have no such term
    fit(lambda seed: RuleNetwork(steps, seed=seed), grounding, targets, options)
    return grounded - started, time.perf_counter() - grounded, len(grounding.lineage[2])


def pandas_tables(tables: list[np.ndarray]) -> tuple[pd.DataFrame, torch.Tensor, pd.DataFrame]:
    """The leaf's facts with one 0/1 column a relation, and the join of two leaves with the rows behind each result."""
    names = [f"r{place}" for place in range(len(tables))]
    frames = [pd.DataFrame(table, columns=["x", "y"]).drop_duplicates() for table in tables]
    leaf = frames[0].assign(r0=1.0)
    for name, frame in zip(names[1:], frames[1:], strict=True):
        leaf = leaf.merge(frame.assign(**{name: 1.0}), on=["x", "y"], how="outer")
    leaf = leaf.fillna(0.0).reset_index(drop=True)
    left = leaf[["x", "y"]].reset_index(names="left")
    right = leaf[["x", "y"]].rename(columns={"x": "y", "y": "z"}).reset_index(names="right")
    return leaf, torch.tensor(leaf[names].to_numpy(np.float32)), left.merge(right, on="y")


def pandas_way(tables: list[np.ndarray], loop: bool) -> tuple[float, float, int]:
    from rulewright.lnn.operators import And, PredicateMixture
    from rulewright.training.objectives import BinaryCrossEntropy

    started = time.perf_counter()
    _, members, joined = pandas_tables(tables)
    left, right = torch.tensor(joined["left"].to_numpy()), torch.tensor(joined["right"].to_numpy())
    grouped = joined.groupby(["x", "z"], sort=True)
    lineage = grouped.indices if loop else grouped.ngroup().to_numpy()
    runs = list(lineage.values()) if loop else None  # type: ignore[union-attr]
    heads = len(runs) if runs is not None else int(lineage.max()) + 1  # type: ignore[union-attr]
    if not loop:
        order = np.argsort(lineage, kind="stable")
        ends = np.cumsum(np.bincount(lineage, minlength=heads))
    grounded = time.perf_counter()

    torch.manual_seed(SEED)
    both, p, q = And(2), PredicateMixture(len(tables)), PredicateMixture(len(tables))
    parameters = [*both.parameters(), *p.parameters(), *q.parameters()]
    optimiser, objective = torch.optim.Adam(parameters, lr=0.05), BinaryCrossEntropy()

    def conjunction(rows: np.ndarray) -> torch.Tensor:
        at = torch.from_numpy(rows)
        return both(torch.stack([p(members[left[at]]), q(members[right[at]])], dim=-1))

    def looped(batch: np.ndarray) -> torch.Tensor:
        """One maximum a head fact."""
        chosen = [runs[head] for head in batch]  # type: ignore[index]
        values = torch.split(conjunction(np.concatenate(chosen)), [len(rows) for rows in chosen])
        return torch.stack([value.max() for value in values])

    def scattered(batch: np.ndarray) -> torch.Tensor:
        """One scatter for all head facts."""
        starts = ends[batch] - np.bincount(lineage, minlength=heads)[batch]
        rows = np.concatenate([order[start:end] for start, end in zip(starts, ends[batch], strict=True)])
        counts = torch.from_numpy(ends[batch] - starts)
        owner = torch.repeat_interleave(torch.arange(len(batch)), counts)
        return torch.zeros(len(batch)).scatter_reduce(0, owner, conjunction(rows), "amax")

    evaluate: Callable[[np.ndarray], torch.Tensor] = looped if loop else scattered
    rng = np.random.default_rng(SEED)
    true = rng.random(heads) < SHARE
    positives, negatives = rng.permutation(np.flatnonzero(true)), np.flatnonzero(~true)
    for start in range(0, len(positives), BATCH):
        chosen = positives[start : start + BATCH]
        drawn = rng.choice(negatives, size=BATCH, replace=False)
        values = evaluate(np.concatenate([chosen, drawn]))
        loss = objective(values[: len(chosen)], values[len(chosen) :])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return grounded - started, time.perf_counter() - grounded, len(joined)


def peak_mb() -> float:
    """The largest resident memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def warm_up() -> None:
    """Load what is loaded on first use, torch's optimisers and the template parser, so that no way pays for it."""
    torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))])
    import rulewright.learning  # noqa: F401
    from rulewright.template.parser import parse_template

    parse_template(TEMPLATE)


def main(way: str) -> None:
    """Run one way and print its figures as one line of JSON."""
    warm_up()
    tables, before = facts(), peak_mb()
    ground, epoch, rows = rulewright_way(tables) if way == "rulewright" else pandas_way(tables, way == "pandas loop")
    figures = {"ground": ground, "epoch": epoch, "total": ground + epoch, "join_rows": rows}
    print(json.dumps(figures | {"peak_mb": peak_mb(), "before_mb": before}))


if __name__ == "__main__":
    main(sys.argv[1])
