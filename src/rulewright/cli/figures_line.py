"""Figures of an evaluation in a line or two, for people."""

from typing import Any


def figures_line(figures: dict[str, Any]) -> str:
    """MRR and Hits with their protocol, for people."""
    shown = "  ".join(f"{name} {figures[name]:.4f}" for name in ("mrr", "hits@1", "hits@3", "hits@10"))
    return f"{shown}\n{figures['queries']:,} queries in {figures['seconds']:.1f} s; {figures['protocol']}"
