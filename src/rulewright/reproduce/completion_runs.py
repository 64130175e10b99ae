"""Learning a knowledge graph and ranking its answers once: what every figure of the completion tables comes from."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from time import perf_counter
from typing import Any

from rulewright.completion.complete import complete
from rulewright.completion.evaluate import evaluate
from rulewright.completion.model import CompletionModel
from rulewright.completion.peak_memory import peak_rss_mb
from rulewright.completion.presets import preset_for
from rulewright.completion.settings import CompletionSettings
from rulewright.kb.splits import Dataset

FIGURES = ("mrr", "hits@1", "hits@3", "hits@10")
WITHOUT_NEGATION = "best, no negation"
# Step size and margin for the preset `paper`, chosen on validation among the paper's {0.1, 1} x {0.1, 0.5, 1, 2}; on
# FB15K-237 they were not searched.
PAPER_CHOICES = {"umls": (0.1, 2.0), "kinship": (0.1, 2.0), "WN18RR": (0.1, 0.5), "FB15k-237": (0.1, 0.5)}


def settings_for(dataset: Dataset, preset: str, seed: int) -> CompletionSettings:
    """The settings of a preset for a data set; those of `paper` with its step size and margin."""
    if preset == WITHOUT_NEGATION:
        return replace(preset_for(dataset, "best", seed), negation=False)
    settings = preset_for(dataset, preset, seed)
    if preset == "paper" and dataset.name in PAPER_CHOICES:
        rate, margin = PAPER_CHOICES[dataset.name]
        settings = replace(settings, rate=rate, margin=margin)
    return settings


def learn_and_rank(
    dataset: Dataset,
    settings: CompletionSettings,
    split: str = "test",
    threads: int | None = None,
    on_relation: Callable[[str], None] | None = None,
) -> tuple[CompletionModel, dict[str, Any]]:
    """The learned rules, and their figures with what they took."""
    started = perf_counter()
    model = complete(dataset, settings, threads, on_relation)
    learned = perf_counter()
    result = evaluate(model, dataset, split, threads, on_relation)
    return model, {
        **result.figures,
        "optimistic": result.optimistic["mrr"],
        "pessimistic": result.pessimistic["mrr"],
        "queries": result.queries,
        "protocol": result.protocol,
        "learn_s": learned - started,
        "evaluate_s": perf_counter() - learned,
        "seconds": perf_counter() - started,
        "peak_rss_mb": peak_rss_mb(),
        "path_rules": sum(int((mixture.weights > 0).sum()) for mixture in model.mixtures.values()),
        "constant_rules": sum(len(mixture.constants) for mixture in model.mixtures.values()),
        "settings": asdict(settings),
        "seed": settings.seed,
    }


def summary(runs: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Means, the deviation of the MRR over seeds, and the worst time and memory."""
    means = {figure: statistics.fmean(run[figure] for run in runs) for figure in FIGURES}
    return {
        **means,
        "mrr_deviation": statistics.stdev([run["mrr"] for run in runs]) if len(runs) > 1 else 0.0,
        "seconds": max(run["seconds"] for run in runs),
        "peak_rss_mb": max(run["peak_rss_mb"] for run in runs),
    }
