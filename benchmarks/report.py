"""RESULTS.md from the recorded results, beside what others published."""

from pathlib import Path
from typing import Any

from gridworld import gridworld_table
from record import HERE, read_result
from report_gpu import gpu_table
from report_soak import cluster_table, cost_table, fuzz_table, kills_table, memory_table, scale_table
from rulewright.reproduce.circumstances import circumstances_line
from rulewright.reproduce.paper import COMPLETION, OURS

DATA = ("kinship", "umls", "WN18RR", "FB15k-237")
# Whose protocol each figure was made with decides whether it can stand beside ours.
PEERS: dict[str, list[tuple[str, float, str]]] = {
    "kinship": [
        ("ConvE (embeddings)", 0.83, "comparable: same split, both directions, ties rare"),
        ("CTP, own figure", 0.764, "same split; ties not stated"),
        ("RNNLogic, paper's re-run", 0.645, "comparable: the paper's protocol"),
        ("MINERVA", 0.720, "not comparable: tails only"),
    ],
    "umls": [
        ("ConvE (embeddings)", 0.94, "comparable: same split, both directions, ties rare"),
        ("NTP-lambda", 0.912, "same split; ties not stated"),
        ("RNNLogic, paper's re-run", 0.710, "comparable: the paper's protocol"),
        ("AdaProp (graph network)", 0.970, "not comparable: another split (B)"),
    ],
    "WN18RR": [
        ("SAFRAN on AnyBURL rules", 0.502, "both directions, top-100 cut"),
        ("PyClause on AnyBURL rules", 0.4975, "both directions, top-100 cut"),
        ("AnyBURL 100 s + PyClause, run on this kind of machine", 0.496, "113 s; both directions, top-100 cut"),
        ("RotatE (embeddings)", 0.478, "comparable: ties rare"),
        ("NBFNet (graph network)", 0.551, "comparable: ties rare; not rules"),
        ("NCRL", 0.67, "not comparable: another split, optimistic ties, tails only"),
    ],
    "FB15k-237": [
        ("SAFRAN on AnyBURL rules", 0.389, "both directions, top-100 cut"),
        ("PyClause on AnyBURL rules", 0.3484, "both directions, top-100 cut"),
        ("AnyBURL 600 s + PyClause, run on this kind of machine", 0.339, "670 s; 1.3 M rules"),
        ("RNNLogic without embeddings", 0.288, "comparable: ties averaged"),
        ("RotatE (embeddings)", 0.337, "comparable: ties rare"),
        ("NBFNet (graph network)", 0.415, "comparable: ties rare; not rules"),
    ],
}


def write_report() -> Path:
    """Write RESULTS.md and return its path."""
    path = HERE / "RESULTS.md"
    path.write_text(report(), encoding="utf-8")
    completion = read_result("completion")
    if completion is not None:
        put_into_readme(HERE.parent / "README.md", short_table(completion))
    return path


def report() -> str:
    """Every section of which there are figures."""
    parts = ["# Results\n", "Made by `make bench` and `make soak`; every table names its circumstances.\n"]
    for name, written in (
        ("completion", completion_table),
        ("countries", countries_table),
        ("gridworld", gridworld_table),
        ("rules", rules_table),
        ("grounding", grounding_table),
        ("explorer", explorer_table),
        ("cost", cost_table),
        ("scale", scale_table),
        ("memory", memory_table),
        ("kills", kills_table),
        ("fuzz", fuzz_table),
        ("cluster", cluster_table),
        ("gpu", gpu_table),
    ):
        found = read_result(name)
        if found is not None:
            parts += [written(found), circumstances(found)]
    return "\n".join(parts)


def short_table(found: dict[str, Any]) -> str:
    """The README's table: the paper's MRR, ours, and what it takes."""
    lines = ["| | UMLS | Kinship | WN18RR | FB15K-237 |", "|---|---|---|---|---|"]
    rows = {data: found["sets"].get(f"{data} best") for data in ("umls", "kinship", "WN18RR", "FB15k-237")}
    if not all(rows.values()):
        return ""
    lines.append("| the paper | " + " | ".join(f"{COMPLETION[data][OURS].mrr:.3f}" for data in rows) + " |")
    lines.append("| Rulewright | " + " | ".join(f"**{row['mrr']:.3f}**" for row in rows.values() if row) + " |")
    times = " | ".join(f"{row['seconds']:.0f} s, {row['peak_rss_mb'] / 1024:.1f} GB" for row in rows.values() if row)
    lines.append(f"| learning and ranking on 2 cores | {times} |")
    positive = {data: found["sets"].get(f"{data} best, no negation") for data in rows}
    shown = " | ".join(f"{row['mrr']:.3f}" if row else "as above" for row in positive.values())
    lines.append(f"| without negated literals | {shown} |")
    return "\n".join(lines)


def put_into_readme(path: Path, table: str) -> None:
    """Replace what stands between the README's marks."""
    before, rest = path.read_text(encoding="utf-8").split("<!-- results -->")
    _, after = rest.split("<!-- /results -->")
    path.write_text(f"{before}<!-- results -->\n{table}\n<!-- /results -->{after}", encoding="utf-8")


def completion_table(found: dict[str, Any]) -> str:
    """Knowledge-base completion against the paper and its peers."""
    lines = [
        "## Knowledge-base completion\n",
        f"Filtered, {found['split']} split, both directions, all entities as candidates, ties averaged as in the "
        "paper; "
        "mean over seeds, ± the deviation of the MRR, the slowest seed's seconds and the largest peak memory. Learning "
        "and evaluation together, all cores.\n",
        "| data | | MRR | Hits@1 | Hits@3 | Hits@10 | seconds | MB | path rules | rules with constants |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    sets = found["sets"]
    for data in DATA:
        paper = COMPLETION[data][OURS]
        lines.append(f"| {data} | the paper | {paper.mrr:.3f} | | {paper.hits_3:.3f} | {paper.hits_10:.3f} | | | | |")
        for preset in ("best", "best, no negation", "paper"):
            if row := sets.get(f"{data} {preset}"):
                first = row["runs"][0]
                lines.append(
                    f"| | preset `{preset}` | **{row['mrr']:.3f}** ± {row['mrr_deviation']:.3f} "
                    f"| {row['hits@1']:.3f} | "
                    f"{row['hits@3']:.3f} | {row['hits@10']:.3f} | {row['seconds']:.0f} | {row['peak_rss_mb']:.0f} | "
                    f"{first['path_rules']:,} | {first['constant_rules']:,} |"
                )
    lines += [
        "\n`best, no negation` leaves out literals such as `not s(X, Y)`, which reason from what the graph lacks; on "
        "FB15K-237 `best` has none. `paper` on FB15K-237 is "
        "one seed, and its step size and margin were not searched there.",
        "\nWhat others published, and whether it can stand beside ours:\n",
        "| data | system | MRR | comparable |",
    ]
    lines += ["|---|---|---|---|"]
    for data, peers in PEERS.items():
        lines += [f"| {data} | {system} | {mrr:.3f} | {remark} |" for system, mrr, remark in peers]
    return "\n".join(lines) + "\n"


def countries_table(found: dict[str, Any]) -> str:
    """Countries: area under the precision-recall curve, and the rules."""
    lines = [
        "## Countries\n",
        "Average precision (trapezoid) over all pairs of a test country and a candidate region; the candidates are the "
        f"five regions in S1 and S3, the 22 subregions that S2 asks for. Mean over {found['seeds']} seeds. "
        "One rule: the paper's template, one conjunction, maxout. Two lengths: its disjunction with the other length. "
        "Walks: the mixture over mined paths, which adds evidence up.\n",
        "| task | the paper | one rule | two lengths | walks | the one rule |",
        "|---|---|---|---|---|---|",
    ]
    for task, row in found["tasks"].items():
        variants = row["variants"]
        shown = (row, variants["lengths"], variants["walks"])
        areas = [f"{one['average_precision']:.3f} ({one['trapezoid']:.3f})" for one in shown]
        lines.append(f"| {task} | {row['paper']:.3f} | {' | '.join(areas)} | `{row['rule']}` |")
        if bare := variants.get("without subregions"):
            area = f"{bare['average_precision']:.3f} ({bare['trapezoid']:.3f})"
            lines.append(f"| {task} without facts of subregions | | {area} | | | `{bare['rule']}` |")
    return "\n".join(lines) + "\n"


def rules_table(found: dict[str, Any]) -> str:
    """The rules the paper prints for FB15K-237."""
    lines = [
        "## The paper's seven rules for FB15K-237\n",
        "Preset `best`. A rule's place is among the path rules of its relation, by weight times coverage.\n",
        "| | rule | learned | weight | confidence | place |",
        "|---|---|---|---|---|---|",
    ]
    for row in found["rules"]:
        short = [name.split("/")[-1] for name in (row["head"], *row["body"])]
        learned = "yes" if row["weight"] else "mined, weight 0" if row["mined"] else "not mined"
        confidence = "" if row["confidence"] is None else f"{row['confidence']:.1%}"
        place = "" if row["place"] is None else f"{row['place']} of {row['of']}"
        text = f"{short[0]} <- {', '.join(short[1:])}"
        lines.append(f"| {row['number']} | `{text}` | {learned} | {row['weight']:.3f} | {confidence} | {place} |")
    return "\n".join(lines) + "\n"


def grounding_table(found: dict[str, Any]) -> str:
    """Grounding and an epoch against pandas."""
    own = found["rulewright"]
    lines = [
        "## Grounding and one training epoch against pandas\n",
        f"`{found['task']}`, {own['join_rows']:,.0f} join rows; median of {found['repeats']} runs in turn. "
        "Memory is the peak above what was in use before the work.\n",
        "| way | grounding s | epoch s | together s | times slower | MB |",
        "|---|---|---|---|---|---|",
    ]
    for way in ("rulewright", "pandas loop", "pandas best"):
        row = found[way]
        lines.append(
            f"| {way} | {row['ground']:.2f} | {row['epoch']:.2f} | {row['total']:.2f} | "
            f"{row['total'] / own['total']:.1f} | {row['peak_mb'] - row['before_mb']:.0f} |"
        )
    return "\n".join(lines) + "\n"


def explorer_table(found: dict[str, Any]) -> str:
    """The explorer under load."""
    lines = [
        "## The explorer under load\n",
        "Pages over loopback, milliseconds. First: the first page of its kind after the start. Alone: one user, the "
        f"first visit to every address. Together: {found['users']} users for {found['seconds']:.0f} s, each asking for "
        "the next page as soon as the last one is there; a page asked for again comes from memory. The users run on "
        "the same cores as the server, and take of them what is said. The search for what brings an answer down is not "
        "among their pages, since it has one thread for all.\n",
    ]
    for name, run in found["runs"].items():
        lines += [
            f"{name}, together: {run['requests']:,} requests for {run['addresses']} addresses, "
            f"{run['per_second']:,.0f} a second, **{run['errors']} errors**; processor for each: server "
            f"{run['server_cpu_ms']:.2f} ms, users {run['users_cpu_ms']:.2f} ms. Load of the machine before: "
            f"{run['load']:.1f}.\n",
            "| page | first | alone: median | p95 | slowest | together: median | p95 | p99 |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for page, alone in run["alone"].items():
            many = run["pages"].get(page)
            rest = " | | |" if many is None else f" {many['median']} | {many['p95']} | {many['p99']} |"
            own = f"{alone['median']} | {alone['p95']} | {alone['slowest']}"
            lines.append(f"| {page} | {run['first'][page]} | {own} |{rest}")
        every = run["all"]
        lines.append(f"| all | | | | | {every['median']} | {every['p95']} | {every['p99']} |\n")
    return "\n".join(lines)


def circumstances(found: dict[str, Any]) -> str:
    """Where a table was measured."""
    return f"*{circumstances_line(found)}.*\n"
