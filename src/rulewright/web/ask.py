"""A question, head and relation, and its answers in order; and names for someone who is typing one."""

import numpy as np

from rulewright.errors import InputError
from rulewright.paths.graph import relation_name
from rulewright.web.links import ask_link, entity, explanation_link, relation, relation_link
from rulewright.web.names import shown
from rulewright.web.run import GraphRun
from rulewright.web.wording import Data, entity_data

SHOWN = 20
MOST = 200
FILTERS = ("", "new")


def ask_page(run: GraphRun, head: int | None, directed: int | None, only: str = "", top: int = SHOWN) -> Data:
    """The form; with a head and a relation also the answers."""
    if only not in FILTERS:
        raise InputError("only=new leaves out answers that are facts already")
    if not 1 <= top <= MOST:
        raise InputError(f"top must be from 1 to {MOST}, not {top}")
    model = run.model
    name = None if directed is None else relation_name(directed, model.relations.names)
    data: Data = {
        "page": "ask",
        "title": "Ask",
        "head": None if head is None else entity_data(model, head) | suggestion(run, "entity", head),
        "relation": None
        if directed is None
        else {"href": relation_link(model, directed)} | suggestion(run, "relation", directed),
        "only": only,
        "answers": None,
    }
    if head is None or directed is None:
        return data
    query = f"{name}({model.entities.names[head]}, ?)"
    return data | {
        "title": query,
        "query": query,
        "answers": answers(run, head, directed, only, top),
        "all": ask_link(model, head, directed),
        "new": ask_link(model, head, directed, only="new"),
        "more": ask_link(model, head, directed, only=only, top=str(min(MOST, 5 * top))) if top < MOST else "",
    }


def answers(run: GraphRun, head: int, directed: int, only: str, top: int) -> list[Data]:
    """The best answers; those that are facts already are marked."""
    model, scores = run.model, run.scores(directed, head)
    known = np.zeros(len(scores), bool)
    known[model.graph.tails_of(head, directed)] = True
    best = scores.max(initial=0.0)
    order = np.argsort(-scores, kind="stable")
    order = order[(scores[order] > 0) & ~(known[order] & (only == "new"))][:top]
    return [
        {
            "place": place,
            "entity": entity_data(model, answer),
            "score": float(scores[answer]),
            "share": float(scores[answer] / best),
            "known": bool(known[answer]),
            "href": explanation_link(model, head, directed, answer),
        }
        for place, answer in enumerate(order.tolist(), start=1)
    ]


def names_page(run: GraphRun, of: str, part: str) -> Data:
    """Names that hold what has been typed."""
    if of not in ("entity", "relation"):
        raise InputError("of=entity or of=relation says whose names are wanted")
    source = run.entities if of == "entity" else run.relations
    found = [suggestion(run, of, number) for number in source.suggested(part)]
    return {"page": "names", "title": f"Names with {part}", "of": of, "part": part, "names": found}


def suggestion(run: GraphRun, of: str, number: int) -> Data:
    """A name as it is shown; `plain` where typing what is shown asks for it."""
    name = (run.entities if of == "entity" else run.relations).names[number]
    written = entity(run.model, of, number) if of == "entity" else relation(run.model, number)
    return {"name": name, "number": number, "shown": shown(name), "plain": shown(name) == name and of in written}
