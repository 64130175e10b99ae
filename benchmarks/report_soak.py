"""The sections of RESULTS.md on what must hold under kills, broken input, little memory and dying machines."""

import math
from typing import Any

MB = 1_000


def kills_table(found: dict[str, Any]) -> str:
    """Processes killed at random."""
    return (
        "## Kills\n\n"
        f"`rulewright learn nations` (engine {found['engine']}, seed {found['seed']}) is killed with -9 at moments "
        f"drawn from the {found['undisturbed_s']:.1f} s that it takes undisturbed; after each, every file is read.\n\n"
        "| kills | attempts | continued what was finished | ended before their kill | files or figures that differ |\n"
        "|---|---|---|---|---|\n"
        f"| {found['kills']} | {found['attempts']} | {found['continued']} | {found['completed']} | "
        f"**{found['differences']}** |\n"
    )


def fuzz_table(found: dict[str, Any]) -> str:
    """Readers and routes fed by atheris."""
    rows = found["targets"]
    total = sum(row["runs"] for row in rows.values())
    lines = [
        "## Fuzz\n",
        f"atheris {found['atheris']}, guided by coverage, seed {found['seed']}; {found['asked']:,} runs of every "
        f"target, or {found['most_s']} s where that is less. Found: whatever is neither an answer nor an error of "
        f"ours, takes more than 8 processor seconds, or writes, connects or starts anything. {total:,} runs in all.\n",
        "| target | runs | branches covered | found |",
        "|---|---|---|---|",
    ]
    lines += [f"| {name} | {row['runs']:,} | {row['covered']:,} | **{row['found']}** |" for name, row in rows.items()]
    return "\n".join(lines) + "\n"


def memory_table(found: dict[str, Any]) -> str:
    """--memory against the peak of the whole command."""
    lines = [
        f"## Memory on {found['data']}\n",
        "`rulewright learn` and `rulewright evaluate` with `--memory`, the peak resident memory of the whole process "
        "as the kernel counted it; elapsed seconds beside other work.\n",
        "| given | told before | cut to fit | learn: peak | evaluate: peak | learn, s | test MRR |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found["rows"]:
        peaks = f"{row['learn_peak_mb'] / MB:.2f} GB | {row['evaluate_peak_mb'] / MB:.2f} GB"
        lines.append(
            f"| {row['memory']:.2f} GB | {row['estimate_mb'] / MB:.2f} GB | {row['changes'] or 'nothing'} | {peaks} | "
            f"{row['learn_s']:.0f} | {row['mrr']:.3f} |"
        )
    return "\n".join(lines) + "\n"


def scale_table(found: dict[str, Any]) -> str:
    """Generated graphs up to ten million facts."""
    slopes = found["slopes"]
    lines = [
        "## Scale: generated graphs\n",
        f"24 relations, 20 facts for each entity, skewed; {found['memory'] / 1e9:g} GB given, seed {found['seed']}, "
        "few queries per relation; each size once, in a process of its own. Processor seconds of all threads, since "
        f"other work ran beside it. From 10⁵ facts on, learning grows as the power "
        f"**{slopes['learn_processor_s']:.2f}** of their number, "
        f"ranking 100 test triples as the power **{slopes['evaluate_processor_s']:.2f}**.\n",
        "| facts | learn, processor s | rank, processor s | told before | peak | cut to fit |",
        "|---|---|---|---|---|---|",
    ]
    for row in found["points"]:
        lines.append(
            f"| {row['facts']:,} | {row['learn_processor_s']:.1f} | {row['evaluate_processor_s']:.2f} | "
            f"{row['estimate_mb'] / MB:.2f} GB | {row['peak_mb'] / MB:.2f} GB | "
            f"{', '.join(row['changes']) or 'nothing'} |"
        )
    return "\n".join(lines) + "\n\n![Processor seconds and memory against facts](../docs/images/scale.svg)\n"


def cost_table(found: dict[str, Any]) -> str:
    """Facts, length and paths on real data, with slopes."""
    lines = [
        f"## Cost on {found['data']}\n",
        f"One thing varied at a time, seed {found['seed']}, {found['split']} split; processor seconds of learning and "
        "ranking together. The slope is the power with which they grow, between the two largest values and over all.\n",
        "| varied | from | to | processor s | peak | slope over all | at the end |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, points in found["sweeps"].items():
        first, last = points[0], points[-1]
        lines.append(
            f"| {name} | {first['value']:,} | {last['value']:,} | "
            f"{first['processor_s']:.1f} to {last['processor_s']:.1f} | "
            f"{first['peak_rss_mb']:.0f} to {last['peak_rss_mb']:.0f} MB | {power(first, last):.2f} | "
            f"{power(points[-2], last):.2f} |"
        )
    return "\n".join(lines) + "\n"


def power(one: dict[str, Any], other: dict[str, Any]) -> float:
    """The power of the value with which the seconds grow from one point to another."""
    return math.log(other["processor_s"] / one["processor_s"]) / math.log(other["value"] / one["value"])


def cluster_table(found: dict[str, Any]) -> str:
    """Machines played by namespaces."""
    where = "network namespaces of their own" if found["network"] == "namespaces" else "processes on one loopback"
    return (
        "## Cluster\n\n"
        f"{found['data']} learned with `--engine dask --address` by a scheduler ({found['scheduler']}), "
        f"{len(found['workers'])} workers ({', '.join(found['workers'])}) and the command ({found['client']}), each in "
        f"{where}; {found['killed_processes']} worker process killed with -9 on the way. Files and figures that differ "
        f"from a run in one process: **{found['differences']}**. {found['seconds']:.0f} s.\n"
    )
