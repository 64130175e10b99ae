"""Bars, drawn as SVG without any library: a few values beside each other."""

from collections.abc import Mapping
from html import escape
from pathlib import Path

OTHERS, OURS, INK = "#9aa5b1", "#0b5394", "#1a1a1a"  # ours darker, so that it shows in print and for every eye
ROW, LABEL, LONGEST, FIGURE = 26, 190, 360, 60  # pixels


def write_bars(values: Mapping[str, float], own: frozenset[str], title: str, path: Path) -> None:
    """One bar for each value in [0, 1]; those in `own` are drawn dark."""
    width, height = LABEL + LONGEST + FIGURE, ROW * (len(values) + 1) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="14" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="8" y="18" font-weight="bold" fill="{INK}">{escape(title)}</text>',
    ]
    for place, (name, value) in enumerate(values.items(), start=1):
        top, colour = ROW * place + 4, OURS if name in own else OTHERS
        long = max(0.0, min(1.0, value)) * LONGEST
        parts += [
            f'<text x="{LABEL - 8}" y="{top + 15}" text-anchor="end" fill="{INK}">{escape(name)}</text>',
            f'<rect x="{LABEL}" y="{top}" width="{long:.1f}" height="{ROW - 6}" fill="{colour}"/>',
            f'<text x="{LABEL + long + 6:.1f}" y="{top + 15}" fill="{INK}">{value:.3f}</text>',
        ]
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
