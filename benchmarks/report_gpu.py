"""The section of RESULTS.md on what a GPU gains."""

from typing import Any


def gpu_table(found: dict[str, Any]) -> str:
    """Each part with its distance from the floor that the memory's bandwidth sets."""
    parts = [
        "## GPU: what one brings\n",
        f"{found['device']}, a copy on which moves {found['copy_tb_s']:.2f} TB/s, against all cores of its machine. "
        "The floor is the time in which every array that the work needs would be read or written once at that "
        "speed.\n",
        networks_table(found["networks"]),
    ]
    if "ranking" in found:
        parts += [ranking_table(found["ranking"]), chains_line(found["chains"])]
    if "whole" in found:
        parts += [whole_table(found["whole"])]
    return "\n".join(parts)


def networks_table(rows: list[dict[str, Any]]) -> str:
    """Training epochs."""
    repeated = all(row["same_values_when_repeated"] for row in rows)
    apart = max(row["largest_relative_difference_of_a_gradient"] for row in rows)
    lines = [
        "**Networks.** One training epoch over a two-hop join, `target(X, Z) :- P(X, Y), Q(Y, Z).`, 4,096 facts of "
        "each kind in a batch. The GPU evaluates everything at each step, the CPU what the batch needs. Trained twice "
        f"on the GPU, all values are {'the same' if repeated else 'NOT the same'}; gradients differ from the CPU's by "
        f"{apart:.0e} of the largest at most.\n",
        "| join rows | steps | CPU, s | GPU, s | times faster | floor, s | times the floor | GPU memory |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row['join_rows']:,} | {row['batches']} | {row['cpu_epoch_s']:.3f} | {row['gpu_epoch_s']:.3f} | "
            f"**{row['times_faster']:.1f}** | {row['floor_s']:.4f} | {row['times_floor']:.0f} | "
            f"{row['gpu_mb'] / 1000:.1f} GB |"
        )
    return "\n".join(lines) + "\n"


def ranking_table(sets: dict[str, dict[str, Any]]) -> str:
    """Ranks by matrices."""
    lines = [
        "**Ranking.** All validation queries of a learned model, by threads that walk and by products of matrices.\n",
        "| data | queries | ranks that differ | CPU, s | GPU, s | floor, s | times the floor | busy | launches |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, row in sets.items():
        profile = row["profile"]
        lines.append(
            f"| {name} | {row['queries']:,} | {row['ranks_that_differ']} | {row['cpu_s']:.2f} | {row['gpu_s']:.2f} | "
            f"{row['floor_s']:.4f} | {row['times_floor']:.0f} | {profile['device_busy_s']:.2f} of "
            f"{profile['seconds']:.2f} s | {profile['launches']:,} |"
        )
    return "\n".join([*lines, "\nBusy: how long the GPU computes in a profiled run over a part of the queries.\n"])


def chains_line(row: dict[str, Any]) -> str:
    """Chain templates."""
    profile = row["profile"]
    return (
        f"**Chains.** The chain template of {row['relation']}: {row['cpu_s']:.2f} s on the CPU, {row['gpu_s']:.2f} s "
        f"with the GPU, which is busy for {profile['device_busy_s']:.3f} s of it; scores differ by "
        f"{row['largest_difference_of_a_score']:.0e} at most.\n"
    )


def whole_table(sets: dict[str, dict[str, Any]]) -> str:
    """From facts to figures."""
    lines = [
        "**From facts to figures.** `rulewright learn` and `rulewright evaluate` on the test split, two commands, each "
        "from its start to its end. Paths are learned on the CPU either way.\n",
        "| data | ranked on | learn, s | evaluate, s | together, s | MRR | Hits@10 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, devices in sets.items():
        lines += [
            f"| {name} | {device} | {row['learn_s']:.1f} | {row['evaluate_s']:.1f} | **{row['together_s']:.1f}** | "
            f"{row['mrr']:.4f} | {row['hits@10']:.4f} |"
            for device, row in devices.items()
        ]
    return "\n".join(lines) + "\n"
