"""A program as Prolog (SWI-Prolog), by itself or with the facts it reads.

    grandparent(X, Z) :- parent(X, Y), parent(Y, Z).

Run, it derives exactly the facts that the text accepts (see rules.derive), and so what the network accepts wherever the
text is exact (see rules.extract). Rules do not call themselves, so Prolog's own search ends; an answer with several
reasons comes several times, which `setof` mends.

Names become atoms, whole numbers and plain fractions numbers. `<` compares as Rulewright does: numbers by value first,
then words by spelling.
"""

from collections.abc import Iterator

from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.logic.program import Program
from rulewright.logic.rule import Comparison
from rulewright.rules.exchange.boolean import boolean_program
from rulewright.rules.exchange.prolog_text import ORDER, PrologNames, comment


def to_prolog(program: Program, kb: KnowledgeBase | None = None, with_facts: bool = False) -> Iterator[str]:
    """The pieces of a Prolog file. `kb` tells which names facts have; `with_facts` writes them along."""
    ready = boolean_program(program, kb)
    facts = kb if with_facts else None
    arities = ready.inputs | ({} if facts is None else facts.arities)
    defined = {rule.head.predicate: len(rule.head.terms) for rule in ready.rules}
    defined.setdefault(ready.head.predicate, len(ready.head.terms))
    names = PrologNames([*arities, *defined])
    head = names.atom(ready.head, {variable.name: variable.name for variable in ready.head.variables})
    yield ":- encoding(utf8).\n"
    yield comment(f"{program.head}: {len(program.rules)} rules. All answers: ?- forall({head}, ...)")
    for name, found in names.renamed.items():
        yield comment(f"{found!r} stands for {name!r}")
    if not program.complete:
        yield comment("weaker rules were left out")
    yield names.own([*arities.items(), *defined.items()])
    if any(isinstance(part, Comparison) and part.operator not in ("=", "!=") for r in ready.rules for part in r.body):
        yield ORDER
    yield "\n"
    if facts is not None:
        yield from names.facts(facts)
        yield "\n"
    for learned, rule in zip(program.rules, ready.rules, strict=False):
        measured = "" if learned.support is None else f", {learned.confidence or 0:.1%} of {learned.support} true"
        yield comment(f"truth {learned.truth:.3f}{measured}")
        yield names.rule(rule) + "\n"
    for rule in sorted(ready.rules[len(program.rules) :], key=lambda rule: rule.head.predicate):
        yield names.rule(rule) + "\n"
