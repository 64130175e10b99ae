"""Facts get small numbers: those that enough entities share, and no others."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rulewright.completion.evidence import Evidence
from rulewright.paths.graph import build_graph

ENTITIES, RELATIONS = 6, 3
Triple = tuple[int, int, int]
TRIPLES = st.lists(
    st.tuples(st.integers(0, ENTITIES - 1), st.integers(0, RELATIONS - 1), st.integers(0, ENTITIES - 1)), max_size=40
)


@given(TRIPLES, st.integers(1, 4))
def test_an_edge_has_the_number_of_its_fact_where_enough_entities_share_it(triples: list[Triple], least: int) -> None:
    graph = build_graph(np.array(triples, np.int64).reshape(-1, 3), ENTITIES, RELATIONS)
    evidence = Evidence.of(graph, least)
    edges = [
        (head, relation, int(tail))
        for head in range(ENTITIES)
        for relation in range(graph.relations)
        for tail in graph.tails_of(head, relation)
    ]
    facts = [relation * ENTITIES + tail for _, relation, tail in edges]
    assert evidence.facts.tolist() == sorted({fact for fact in facts if facts.count(fact) >= least})
    told = [int(evidence.facts[number]) if number >= 0 else None for number in evidence.of_edge]
    assert told == [fact if facts.count(fact) >= least else None for fact in facts]
    every = np.arange(ENTITIES * graph.relations)
    back = {int(fact): int(number) for fact, number in zip(every, evidence.numbers(every), strict=True)}
    assert back == {fact: -1 for fact in every.tolist()} | {f: n for n, f in enumerate(evidence.facts.tolist())}
