r"""A mixture's rules as Prolog: what each rule counts, and the sum over the rules that hold.

    rule('grandparent', 1, 0.53, X, Y) :- parent(X, A), parent(A, Y), X \== A, X \== Y.
    ?- answer('grandparent', ann, Who, Score).          the answers to grandparent(ann, ?), each with its score
    ?- answer('grandparent^-1', cy, Who, Score).        those to grandparent(?, cy)

A rule is true or false here. In the model its truth may lie between, by the chance of a walk along it, and it may count
how often an answer occurs: then these scores come near the model's, and the file says so.
"""

from collections.abc import Iterator, Mapping, Sequence

from rulewright.kb.knowledge_base import INVERSE, KnowledgeBase
from rulewright.logic.rated import RatedRule
from rulewright.logic.rule import Literal
from rulewright.logic.terms import Term, Variable
from rulewright.rules.exchange.prolog_text import PrologNames, comment, prolog_atom, prolog_constant, variable_names

RESERVED = ("rule", "denial", "holds", "score", "answer", "member", "foldl")
SCORING = """
holds(Relation, Number, Weight, Query, Answer) :- rule(Relation, Number, Weight, Query, Answer).
holds(Relation, Number, Weight, Query, Answer) :- denial(Relation, Number, Weight, Query, Answer).
score(Relation, Query, Answer, Score) :-
    findall(Number-Weight, holds(Relation, Number, Weight, Query, Answer), Found), sort(Found, Different),
    foldl([_-W, S0, S]>>(S is S0 + W), Different, 0, Score).
answer(Relation, Query, Answer, Score) :-
    findall(A, rule(Relation, _, _, Query, A), Found), sort(Found, Different),
    member(Answer, Different), score(Relation, Query, Answer, Score).
"""


def to_weighted_prolog(
    rules: Mapping[str, Sequence[RatedRule]], kb: KnowledgeBase, with_facts: bool = False, exact: bool = False
) -> Iterator[str]:
    """The pieces of a Prolog file: the rules of each directed relation, and how they add up."""
    names = PrologNames(kb.relations, RESERVED)
    yield ":- encoding(utf8).\n:- use_module(library(apply)).\n:- use_module(library(yall)).\n"
    yield comment("rule(Relation, Number, Weight, Query, Answer); ask answer(Relation, Query, Answer, Score)")
    yield comment(
        "the scores are the model's own" if exact else "the scores come near the model's, whose truths are graded"
    )
    for name, found in names.renamed.items():
        yield comment(f"{found!r} stands for {name!r}")
    yield names.own(kb.arities.items())
    yield ":- dynamic(rule/5), dynamic(denial/5), discontiguous(rule/5), discontiguous(denial/5).\n"
    yield SCORING
    if with_facts:
        yield from names.facts(kb)
    for relation, found_rules in rules.items():
        yield "\n"
        for number, rated in enumerate(found_rules, 1):
            yield weighted_rule(relation, number, rated, names) + "\n"


def weighted_rule(relation: str, number: int, rated: RatedRule, names: PrologNames) -> str:
    """One rule; what holds by a negation alone can be asked of an answer, but leads to none."""
    variables = variable_names(rated.rule)

    def spelt(term: Term) -> str:
        return variables[term.name] if isinstance(term, Variable) else prolog_constant(term.name)

    first, second = rated.rule.head.terms
    query, answer = (second, first) if relation.endswith(INVERSE) else (first, second)
    negated = any(isinstance(part, Literal) and part.negated for part in rated.rule.body)
    head = f"{prolog_atom(relation)}, {number}, {rated.weight or 0.0!r}, {spelt(query)}, {spelt(answer)}"
    goals = ", ".join(names.goal(part, variables) for part in rated.rule.body)
    return f"{'denial' if negated else 'rule'}({head}) :- {goals}."
