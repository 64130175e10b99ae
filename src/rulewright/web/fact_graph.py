"""The facts behind an answer as a drawing: the head left, the answer right, a column for every step between."""

from collections import defaultdict
from collections.abc import Sequence

from rulewright.logic.terms import Atom, Constant
from rulewright.rules.explanation import Part
from rulewright.web.wording import Data

WIDTH, ROW, MARGIN = 1120, 80, 20
TOP = 56  # room for the bow above everything else
BOX_WIDTH, BOX_HEIGHT = 158, 30
WALKS = 6
EVEN = 4  # columns that can stand evenly apart
WAYS = 3  # of one rule
LETTERS = 19  # of a name that fit its box
LABEL_LETTERS = 26
LETTER_WIDTH, LABEL_HEIGHT = 6.6, 13
KINDS = ("path", "direct", "constant")


def fact_graph(head: str, answer: str, fact: Atom, parts: Sequence[Part]) -> Data | None:
    """Places of boxes and lines; None where the answer rests on no facts."""
    walks = chosen_walks(parts)
    if not walks:
        return None
    spots = places(head, answer, [facts for facts, _ in walks])
    height = max(y for _, y in spots.values()) + BOX_HEIGHT / 2 + MARGIN
    strongest = max(share for _, share in walks)
    lines: dict[Atom, float] = {}
    for facts, share in walks:
        for atom in facts:
            lines[atom] = max(lines.get(atom, 0.0), share)
    between: defaultdict[frozenset[str], int] = defaultdict(int)
    edges: list[Data] = []
    for atom, share in lines.items():
        ends = [term.name for term in atom.terms]
        number = between[frozenset(ends)]
        between[frozenset(ends)] += 1
        edges.append(edge(atom, spots[ends[0]], spots[ends[1]], number, 1.2 + 2.3 * share / strongest, edges))
    nodes = [node(name, spot, name in (head, answer)) for name, spot in spots.items()]
    asked = asked_line(fact, spots)
    return {"width": WIDTH, "height": height, "nodes": nodes, "edges": edges, "asked": asked}


def chosen_walks(parts: Sequence[Part]) -> list[tuple[list[Atom], float]]:
    """The facts of the most telling walks, each with its rule's share; rules that speak against are left out."""
    found: list[tuple[list[Atom], float]] = []
    for part in parts:
        if part.kind not in KINDS or part.share <= 0:
            continue
        for witness in part.witnesses[:WAYS]:
            facts = [sourced.atom for sourced in witness.facts]
            if facts and all(facts != other for other, _ in found):
                found.append((facts, part.share))
            if len(found) == WALKS:
                return found
    return found


def places(head: str, answer: str, walks: Sequence[Sequence[Atom]]) -> dict[str, tuple[float, float]]:
    """The middle of every box: across by how far along its walk an entity is, down in the order of the walks."""
    across: dict[str, float] = {head: 0.0, answer: 1.0}
    for facts in walks:
        at = head if any(term.name == head for term in facts[0].terms) else answer
        for step, atom in enumerate(facts, start=1):
            at = other_end(atom, at)
            across.setdefault(at, step / len(facts) if len(facts) > 1 else 0.5)
    columns: defaultdict[float, list[str]] = defaultdict(list)
    for name, share in across.items():
        columns[round(share, 2)].append(name)
    if 1 < len(columns) <= EVEN:  # no column without a box, so that lines have room for their labels
        columns = defaultdict(list, {at / (len(columns) - 1): columns[key] for at, key in enumerate(sorted(columns))})
    left, right = MARGIN + BOX_WIDTH / 2, WIDTH - MARGIN - BOX_WIDTH / 2
    middle = TOP + BOX_HEIGHT / 2 + (max(map(len, columns.values())) - 1) * ROW / 2
    spots: dict[str, tuple[float, float]] = {}
    for share, names in columns.items():
        for row, name in enumerate(names):
            x, y = left + share * (right - left), middle + (row - (len(names) - 1) / 2) * ROW
            while any(abs(x - ox) < BOX_WIDTH + 8 and abs(y - oy) < BOX_HEIGHT + 12 for ox, oy in spots.values()):
                y += ROW / 2  # columns of walks of two and of three steps overlap
            spots[name] = (x, y)
    return spots


def other_end(atom: Atom, end: str) -> str:
    """The entity at the other end of a fact."""
    first, last = (term.name for term in (atom.terms[0], atom.terms[-1]))
    return last if first == end else first


def node(name: str, spot: tuple[float, float], is_end: bool) -> Data:
    """A box with a name in it."""
    x, y = spot
    return {
        "name": name,
        "text": shortened(name, LETTERS),
        "left": round(x - BOX_WIDTH / 2, 1),
        "top": round(y - BOX_HEIGHT / 2, 1),
        "x": round(x, 1),
        "y": round(y, 1),
        "width": BOX_WIDTH,
        "height": BOX_HEIGHT,
        "end": is_end,
    }


def edge(
    atom: Atom, start: tuple[float, float], end: tuple[float, float], number: int, width: float, others: list[Data]
) -> Data:
    """A line from the fact's first argument to its second; several between the same two bend away from each other."""
    bend = (number + 1) // 2 * 28 * (1 if number % 2 else -1)
    if abs(end[0] - start[0]) > 0.5 * WIDTH:
        bend -= 34  # past the boxes of the columns between
    (x1, y1), (x2, y2) = border(start, end), border(end, start)
    xm, ym = (x1 + x2) / 2, (y1 + y2) / 2 + 2 * bend
    if start == end:
        x1, y1, x2, y2 = start[0] - 30, start[1] - 15, start[0] + 30, start[1] - 15
        xm, ym = start[0], start[1] - 75
    curve = (x1, y1), (xm, ym), (x2, y2)
    text = shortened(last_part(atom.predicate), LABEL_LETTERS)
    x, y = free_spot(curve, len(text), others)
    return {
        "path": f"M{x1:.1f} {y1:.1f}Q{xm:.1f} {ym:.1f} {x2:.1f} {y2:.1f}",
        "x": round(x, 1),
        "y": round(y, 1),
        "text": text,
        "title": str(atom),
        "width": round(width, 2),
    }


def free_spot(curve: Sequence[tuple[float, float]], letters: int, others: Sequence[Data]) -> tuple[float, float]:
    """A place for a label on a quadratic curve: its middle, or where no earlier label stands."""
    (x1, y1), (xm, ym), (x2, y2) = curve
    spots = []
    for at in (0.5, 0.36, 0.64, 0.25, 0.75, 0.15, 0.85):
        x = (1 - at) ** 2 * x1 + 2 * at * (1 - at) * xm + at**2 * x2
        y = (1 - at) ** 2 * y1 + 2 * at * (1 - at) * ym + at**2 * y2 - 5
        spots.append((x, y))
        if all(
            abs(x - other["x"]) > LETTER_WIDTH * (letters + len(other["text"])) / 2
            or abs(y - other["y"]) > LABEL_HEIGHT
            for other in others
        ):
            return x, y
    return spots[0]


def last_part(name: str) -> str:
    """What tells a long name such as /film/film/genre from others."""
    return name.rstrip("/").split("/")[-1] or name


def border(inside: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - inside[0], towards[1] - inside[1]
    if dx == 0 and dy == 0:
        return inside
    wide = BOX_WIDTH / 2 + 4
    tall = BOX_HEIGHT / 2 + 4
    scale = min(wide / abs(dx) if dx else 1e9, tall / abs(dy) if dy else 1e9)
    return inside[0] + dx * scale, inside[1] + dy * scale


def asked_line(fact: Atom, spots: dict[str, tuple[float, float]]) -> Data | None:
    """The fact that is explained, as a bow above everything else."""
    names = [term.name for term in fact.terms if isinstance(term, Constant)]
    if len(names) != 2 or names[0] == names[1]:
        return None
    (x1, y1), (x2, y2) = ((x, y - BOX_HEIGHT / 2 - 3) for x, y in (spots[names[0]], spots[names[1]]))
    peak = TOP / 2
    pull = (peak - (y1 + y2) / 8) / 0.75  # a cubic curve with both controls there passes the peak half way
    return {
        "path": f"M{x1:.1f} {y1:.1f}C{x1:.1f} {pull:.1f} {x2:.1f} {pull:.1f} {x2:.1f} {y2:.1f}",
        "text": shortened(last_part(fact.predicate), LABEL_LETTERS),
        "x": WIDTH / 2,
        "y": peak - 7,
    }


def shortened(name: str, letters: int) -> str:
    """As much of a name as fits."""
    return name if len(name) <= letters else name[: letters - 1] + "…"
