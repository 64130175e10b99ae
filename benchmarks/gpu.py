"""What a GPU gains, checked against the CPU and measured against the bandwidth of its memory.

    python benchmarks/gpu.py [--data FB15k-237 WN18RR] [--commit NAME]

copy       bytes a second that a plain copy on the device moves, read and written: the roof of what follows
networks   one training epoch over a generated two-hop join, as in benchmarks/grounding.py, of three sizes
chains     the chain template of one relation of UMLS, and how much of its time goes into grounding
ranking    the model of a data set: all validation queries, by threads and by matrices
whole      learn and evaluate a data set, as commands in processes of their own

A floor is the time in which every array that the work needs would be read or written once, at the speed of the copy.
"""

import argparse
import cProfile
import json
import pstats
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from record import SkippedError, write_result
from rulewright.completion.chains import ChainSettings, learn_chains
from rulewright.completion.complete import complete
from rulewright.completion.evaluate import evaluate
from rulewright.completion.matrix_ranking import MatrixRanker, MatrixScorer
from rulewright.completion.model import CompletionModel
from rulewright.grounding.ground import ground
from rulewright.grounding.lineage import Aligned, Grounding, Groups, Memberships
from rulewright.grounding.plan import plan
from rulewright.kb.datasets import load_dataset
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.splits import Dataset
from rulewright.kb.vocabulary import Vocabulary
from rulewright.lnn.network import RuleNetwork
from rulewright.paths.graph import both_directions, build_graph
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.training.fit import Epoch, FitOptions, fit
from rulewright.training.judge import Values
from rulewright.training.labels import Targets
from rulewright.training.objectives import BinaryCrossEntropy

GPU = torch.device("cuda")
DATA = "FB15k-237", "WN18RR"
TEMPLATE = "target(X, Z) :- P(X, Y), Q(Y, Z).  P in *.  Q in *."
ENTITIES, RELATIONS, SHARE, BATCH, SEED = 15_000, 4, 0.1, 4096, 0  # as in benchmarks/grounding.py
FACTS = (32_000, 64_000, 128_000)  # of each of four relations over 15,000 entities: 1.1, 4.4 and 17 million join rows
CHAINS = "umls", "affects"
COPIED = 2_000_000_000
PROFILED = 1000  # facts whose ranks are profiled, which takes ten times as long as ranking
KERNEL = re.compile(r"[<(].*|(\w+::)+")  # what of a kernel's name is not its name


def measure(
    data: tuple[str, ...] = DATA, keep: Callable[[dict[str, Any]], object] = lambda figures: None
) -> dict[str, Any]:
    """Everything; `keep` is told what is measured after each part."""
    if not torch.cuda.is_available():
        raise SkippedError("no CUDA device here")
    bandwidth = copy_bandwidth()
    print(f"copy {bandwidth / 1e12:.2f} TB/s", flush=True)
    found: dict[str, Any] = {"device": torch.cuda.get_device_name(), "copy_tb_s": round(bandwidth / 1e12, 3)}
    found["networks"] = [told(network_epoch(facts, bandwidth)) for facts in FACTS]
    keep(found)
    found["chains"] = told(chains(*CHAINS))
    keep(found)
    found["ranking"] = {name: told(ranking(load_dataset(name), bandwidth)) for name in data}
    keep(found)
    found["whole"] = {name: told(whole(name)) for name in data}
    keep(found)
    return found


def told(figures: dict[str, Any]) -> dict[str, Any]:
    """Progress, for whoever watches."""
    print(json.dumps(figures), flush=True)
    return figures


def copy_bandwidth() -> float:
    """Bytes a second, the median of ten copies."""
    source = torch.rand(COPIED // 4, device=GPU)
    target = torch.empty_like(source)
    seconds = [device_seconds(lambda: target.copy_(source)) for _ in range(12)]
    return 2 * COPIED / float(np.median(seconds[2:]))


def device_seconds(work: Callable[[], object]) -> float:
    """By the device's own clock."""
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    first.record()
    work()
    last.record()
    torch.cuda.synchronize()
    return float(first.elapsed_time(last)) / 1e3


def network_epoch(facts: int, bandwidth: float) -> dict[str, Any]:
    """One epoch on either device from the same values, and what one step takes."""
    rng = np.random.default_rng(SEED)
    tables = [rng.integers(0, ENTITIES, (facts, 2)) for _ in range(RELATIONS)]
    kb = KnowledgeBase(
        Vocabulary(map(str, range(ENTITIES))), {f"r{n}": Relation.of(table) for n, table in enumerate(tables)}
    )
    steps = plan(bind(parse_template(TEMPLATE), kb))
    grounding = ground(steps, kb)
    true = np.random.default_rng(SEED).random(len(grounding)) < SHARE / (facts // FACTS[0]) ** 2
    targets = Targets(np.flatnonzero(true), np.flatnonzero(~true))
    options = FitOptions(epochs=3, restarts=1, batch=BATCH, sparsity=0.0, solved=0.0)

    def trained(device: str) -> tuple[RuleNetwork, float, float]:
        """The network, the seconds of an epoch, judging included, the first one left out, and the last loss."""
        seen: list[Epoch] = []
        network, _ = fit(
            lambda seed: RuleNetwork(steps, seed=seed).to(device), grounding, targets, options, seen.append
        )
        return network, (seen[-1].seconds - seen[0].seconds) / (len(seen) - 1), seen[-1].fitting

    torch.cuda.reset_peak_memory_stats()
    on_gpu, gpu_seconds, gpu_loss = trained("cuda")
    peak = torch.cuda.max_memory_allocated()
    again, *_ = trained("cuda")
    on_cpu, cpu_seconds, cpu_loss = trained("cpu")
    apart = np.abs(on_gpu.truths(grounding) - on_gpu.cpu().truths(grounding)).max()
    same = all(torch.equal(a.cpu(), b.cpu()) for a, b in zip(on_gpu.parameters(), again.parameters(), strict=True))
    batches = -(-len(targets.positives) // BATCH)
    floor = network_bytes(grounding) * batches / bandwidth
    return {
        "join_rows": len(grounding.lineage[2]),
        "head_facts": len(grounding),
        "batches": batches,
        "cpu_epoch_s": round(cpu_seconds, 4),
        "gpu_epoch_s": round(gpu_seconds, 4),
        "times_faster": round(cpu_seconds / gpu_seconds, 2),
        "floor_s": round(floor, 5),
        "times_floor": round(gpu_seconds / floor, 1),
        "gpu_mb": round(peak / 1e6),
        "largest_difference_of_a_truth": float(apart),
        "largest_relative_difference_of_a_gradient": gradient_difference(on_cpu, grounding, targets),
        "loss_cpu": cpu_loss,
        "loss_gpu": gpu_loss,
        "same_values_when_repeated": same,
        "profile": profile(lambda: trained("cuda")),
    }


def gradient_difference(network: RuleNetwork, grounding: Grounding, targets: Targets) -> float:
    """Between the gradients of a batch's loss on either device, over the size of the gradient."""
    rows = np.concatenate([targets.positives[:BATCH], targets.negatives[:BATCH]])
    positives = len(targets.positives[:BATCH])
    gradients = []
    for device in (torch.device("cpu"), GPU):
        moved = network.to(device).train()
        values = Values(grounding, device).at(moved, rows)
        loss = BinaryCrossEntropy()(values[:positives], values[positives:])
        found = torch.autograd.grad(loss, list(moved.parameters()))
        gradients.append(torch.cat([gradient.flatten().double().cpu() for gradient in found]))
    here, there = gradients
    return float((here - there).abs().max() / here.abs().max())


def network_bytes(grounding: Grounding) -> int:
    """Of one step down the slope: lineage is read both ways, values and their gradients are written and read once."""
    moved = 0
    for lineage in grounding.lineage:
        match lineage:
            case Memberships(offsets, members, truth):
                moved += 2 * (offsets.nbytes + members.nbytes + truth.nbytes)
            case Aligned(rows):
                moved += 2 * rows.nbytes
            case Groups(offsets, rows):
                moved += 2 * (offsets.nbytes + rows.nbytes)
        moved += 4 * 4 * len(lineage)
    return moved


def profile(work: Callable[[], object], kept: int = 5) -> dict[str, Any]:
    """Which kernels a piece of work spends its time on, and for how much of it the device computes at all."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    started = time.perf_counter()
    with torch.profiler.profile(activities=activities, acc_events=True) as profiler:
        work()
        torch.cuda.synchronize()
    seconds = time.perf_counter() - started
    kernels = [e for e in profiler.key_averages() if str(e.device_type).endswith("CUDA")]
    busy = sum(e.self_device_time_total for e in kernels) / 1e6
    shares: dict[str, float] = {}
    for event in kernels:
        name = KERNEL.sub("", event.key.replace("(anonymous namespace)::", "").removeprefix("void ")).strip()
        shares[name] = shares.get(name, 0.0) + event.self_device_time_total / 1e6 / busy
    largest = sorted(shares.items(), key=lambda item: -item[1])[:kept]
    return {
        "seconds": round(seconds, 3),
        "device_busy_s": round(busy, 4),
        "launches": sum(e.count for e in kernels),
        "kernels": {name: round(share, 3) for name, share in largest},
    }


def chains(name: str, relation: str) -> dict[str, Any]:
    """The same chains on either device."""
    dataset = load_dataset(name)
    settings = ChainSettings(epochs=2)
    seconds: dict[str, float] = {}
    scores, shares = [], {}
    for device in ("cpu", "cuda"):
        learn_chains(dataset, relation, ChainSettings(epochs=1, queries=64), device)  # what is loaded on first use
        started = time.perf_counter()
        rules = learn_chains(dataset, relation, settings, device)
        seconds[device] = time.perf_counter() - started
        scores.append(rules.scores(np.arange(len(dataset.entities))))
        shares[device] = grounding_share(lambda device=device: learn_chains(dataset, relation, settings, device))  # type: ignore[misc]
    return {
        "relation": f"{relation} of {name}",
        "cpu_s": round(seconds["cpu"], 3),
        "gpu_s": round(seconds["cuda"], 3),
        "grounding_share_cpu": round(shares["cpu"], 3),
        "grounding_share_gpu": round(shares["cuda"], 3),
        "largest_difference_of_a_score": float(np.abs(scores[0] - scores[1]).max()),
        "profile": profile(lambda: learn_chains(dataset, relation, settings, "cuda")),
    }


def grounding_share(work: Callable[[], object]) -> float:
    """How much of a piece of work's time is spent in `ground`."""
    profiler = cProfile.Profile()
    profiler.runcall(work)
    stats: dict[Any, Any] = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    whole = max(figures[3] for figures in stats.values())
    return float(sum(f[3] for (file, _, name), f in stats.items() if name == "ground" and "ground.py" in file) / whole)


def ranking(dataset: Dataset, bandwidth: float) -> dict[str, Any]:
    """All validation queries, by threads and by matrices."""
    model = complete(dataset)
    everything = np.concatenate([dataset.graph, dataset.train, dataset.valid, dataset.test])
    known = build_graph(everything, len(dataset.entities), len(dataset.relations))
    queries = both_directions(dataset.valid)
    here = evaluate(model, dataset, "valid")
    evaluate(model, dataset, "valid", device="cuda")  # what is loaded on first use
    torch.cuda.reset_peak_memory_stats()
    there = evaluate(model, dataset, "valid", device="cuda")
    peak = torch.cuda.max_memory_allocated()
    ranker = MatrixRanker(model, GPU)
    differ, moved, again = 0, 0, 0
    for relation in np.unique(queries[:, 1]).tolist():
        asked = queries[queries[:, 1] == relation][:, [0, 2]]
        walked, found, twice = (way.rank(relation, asked, known) for way in (model, ranker, ranker))
        differ += int(((walked.higher != found.higher) | (walked.equal != found.equal)).sum())
        again += int(((twice.higher != found.higher) | (twice.equal != found.equal)).sum())
        moved += ranking_bytes(model, ranker, relation, len(np.unique(asked[:, 0])), len(asked))
    floor = moved / bandwidth
    part = replace(dataset, valid=dataset.valid[:PROFILED])
    return {
        "queries": here.queries,
        "cpu_s": round(here.seconds, 3),
        "gpu_s": round(there.seconds, 3),
        "times_faster": round(here.seconds / there.seconds, 2),
        "floor_s": round(floor, 4),
        "times_floor": round(there.seconds / floor, 1),
        "gpu_mb": round(peak / 1e6),
        "mrr_cpu": here.figures["mrr"],
        "mrr_gpu": there.figures["mrr"],
        "ranks_that_differ": differ,
        "ranks_that_differ_when_repeated": again,
        "profile": profile(lambda: evaluate(model, part, "valid", device="cuda")) | {"queries": 2 * len(part.valid)},
    }


def ranking_bytes(model: CompletionModel, ranker: MatrixRanker, relation: int, heads: int, queries: int) -> int:
    """Every matrix once, every table of chances written and read once, every score written once and read per query."""
    scorer = MatrixScorer(model, ranker.edges, relation)
    entities = len(model.entities)
    rows = entities
    moved = 4 * entities * (heads + queries)
    for step in scorer.steps:
        moved += 8 * step.entries + 2 * 4 * step.rows * heads
        rows = step.rows
    return moved + 4 * rows * heads


def whole(name: str) -> dict[str, Any]:
    """From facts to figures, as a user would: two commands, kernels compiled before."""
    found: dict[str, Any] = {}
    for device in ("cpu", "cuda"):
        with tempfile.TemporaryDirectory() as folder:
            run = str(Path(folder) / "run")
            learned = command("learn", name, "--out", run, "--device", device, "--json")
            figures = command("evaluate", run, "--device", device, "--json")
        found[device] = {
            "learn_s": round(learned["wall_s"], 2),
            "evaluate_s": round(figures["wall_s"], 2),
            "together_s": round(learned["wall_s"] + figures["wall_s"], 2),
            "mrr": figures["mrr"],
            "hits@10": figures["hits@10"],
        }
    return found


def command(*arguments: str) -> dict[str, Any]:
    """What a command prints as JSON, and how long it took from start to end."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", *arguments], stdout=subprocess.PIPE, text=True, check=True
    )
    return {**json.loads(done.stdout), "wall_s": time.perf_counter() - started}


def main() -> None:
    """Measure and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", default=DATA)
    parser.add_argument("--commit", help="what is measured, on a machine that has the files without their history")
    asked = parser.parse_args()
    stated = {"commit": asked.commit} if asked.commit else {}
    measure(tuple(asked.data), lambda figures: write_result("gpu", figures | stated))


if __name__ == "__main__":
    main()
