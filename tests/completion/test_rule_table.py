"""The table of a relation's rules counts what the rules say, and can be sorted without writing one."""

import numpy as np
from tests.completion.toys import dataset_of, families, quick

from rulewright.completion.complete import complete
from rulewright.completion.constants import ConstantSettings
from rulewright.completion.model import CompletionModel
from rulewright.completion.rule_table import ANSWER_SIDE, DIRECT, HEAD_SIDE, rule_table
from rulewright.completion.rules import rule_at, rules_of

TRIPLES = families(8)


def model() -> CompletionModel:
    extra = [(f"g{n}", "lives", f"town{n % 2}") for n in range(8)] + [
        (f"p{n}0", "lives", f"town{n % 2}") for n in range(8)
    ]
    likes = [(f"g{n}", "likes", f"sport{n % 2}") for n in range(8)]
    return complete(dataset_of(TRIPLES + extra + likes), quick(constants=ConstantSettings(support=1)), threads=1)


def test_figures_of_literals_and_constants_are_those_one_counts_by_hand() -> None:
    learned = model()
    names, graph = learned.entities.names, learned.graph
    counted = 0
    for relation in learned.mixtures:
        table = rule_table(learned, relation, counted=True)
        pairs = {tuple(pair) for pair in graph.pairs(relation).tolist()}
        for row in range(len(table)):
            source, step = int(table.source[row]), int(table.relations[row, 0])
            if source == DIRECT:
                other = {tuple(pair) for pair in graph.pairs(step).tolist()}
                held = pairs - other if table.weight[row] < 0 else pairs & other
                assert table.support[row] == len(held)
            elif source in (ANSWER_SIDE, HEAD_SIDE):
                constant, end = table.entities[row].tolist()
                body = set(graph.tails_of(end, step ^ 1).tolist())
                way = relation if source == HEAD_SIDE else relation ^ 1
                both = body & set(graph.tails_of(constant, way).tolist())
                assert table.support[row] == len(both)
                assert table.confidence[row] == len(both) / len(body)
                assert names[constant] in str(rule_at(learned, table, row).rule)
                counted += 1
    assert counted > 0


def test_uncounted_figures_are_unknown_and_the_order_is_that_of_use_then_weight() -> None:
    learned = model()
    for relation in learned.mixtures:
        table = rule_table(learned, relation)
        assert np.isnan(table.support[np.isin(table.source, (ANSWER_SIDE, HEAD_SIDE))]).all()
        rules = rules_of(learned, relation)
        assert rules == sorted(rules, key=lambda rule: (-rule.use, -rule.weight))
        assert rules_of(learned, relation, 3) == rules[:3]
        assert len(rules) == len(table)
