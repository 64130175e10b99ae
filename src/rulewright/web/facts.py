"""What follows from a template's rules: the facts, and for each the rules and the assignments behind it."""

from functools import lru_cache

from rulewright.errors import GroundingTooLargeError, InputError
from rulewright.grounding.ground import GroundingLimits
from rulewright.logic.rule import Literal
from rulewright.logic.terms import Atom, Constant
from rulewright.rules.bindings import Bindings, bindings
from rulewright.rules.explanation import Part, SourcedFact, Witness
from rulewright.web.arithmetic import arithmetic
from rulewright.web.fact_graph import fact_graph
from rulewright.web.links import link
from rulewright.web.run import TemplateRun
from rulewright.web.wording import Data, atom_data, rule_data

PAGE = 25
MOST_ROWS = 2_000_000  # a page is no place for a join of a hundred million
RULES = 50  # strongest first, that facts are derived from
ASSIGNMENTS = 3

Fact = tuple[str, ...]


@lru_cache(64)
def bindings_of(run: TemplateRun, number: int) -> Bindings:
    """All assignments that make the body of a rule hold."""
    program = run.program
    return bindings(program, program.rules[number], run.kb, GroundingLimits(MOST_ROWS))


@lru_cache(2)
def derived(run: TemplateRun) -> tuple[dict[Fact, list[int]], int]:
    """The head facts with the rules that give them, strongest first; and how many rules were too large to try."""
    found: dict[Fact, list[int]] = {}
    left = 0
    for number in range(min(len(run.program.rules), RULES)):
        try:
            heads = bindings_of(run, number).heads()
        except GroundingTooLargeError:
            left += 1
            continue
        for fact in heads:
            found.setdefault(fact, []).append(number)
    return found, left


def facts_page(run: TemplateRun, words: str, page: int) -> Data:
    """The facts that follow, most certain first; those that hold every word in a name."""
    program = run.program
    found, left = derived(run)
    facts = sorted(found, key=lambda fact: (-program.rules[found[fact][0]].truth, fact))
    numbers = {fact: number for number, fact in enumerate(facts)}
    wanted = words.casefold().split()
    matched = [fact for fact in facts if all(any(word in name.casefold() for name in fact) for word in wanted)]
    shown, pages = page_of(matched, page)
    return {
        "page": "facts",
        "title": f"What follows for {program.head}",
        "words": words,
        "total": len(facts),
        "matched": len(matched),
        "left": left,
        "number": page,
        "pages": pages,
        "previous": link("ask", {"q": words, "page": str(page - 1)}) if page > 1 else "",
        "next": link("ask", {"q": words, "page": str(page + 1)}) if page < pages else "",
        "facts": [
            {
                "fact": atom_data(head_atom(run, fact)),
                "truth": program.rules[found[fact][0]].truth,
                "rules": len(found[fact]),
                "href": link("explanation", {"fact": str(numbers[fact])}),
            }
            for fact in shown
        ],
    }


def head_atom(run: TemplateRun, fact: Fact) -> Atom:
    """A fact of the head."""
    return Atom(run.program.head.predicate, tuple(map(Constant, fact)))


def page_of(entries: list[Fact], page: int) -> tuple[list[Fact], int]:
    """The entries of a page, and how many pages there are."""
    pages = max(1, -(-len(entries) // PAGE))
    if not 1 <= page <= pages:
        raise InputError(f"there is no page {page}: there are {pages}")
    return entries[(page - 1) * PAGE : page * PAGE], pages


def fired_rule_page(run: TemplateRun, number: int, page: int) -> Data:
    """A rule and the assignments for which its body holds."""
    rules = run.program.rules
    if number >= len(rules):
        raise InputError(f"there is no rule {number}: the run has {len(rules)}, counted from 0")
    learned, found = rules[number], bindings_of(run, number)
    shown, pages = page_of(found.rows, page)
    address = {"rule": str(number)}
    return {
        "page": "fired",
        "title": str(learned.rule),
        "rule": rule_data(learned.rule),
        "truth": learned.truth,
        "support": learned.support,
        "confidence": learned.confidence,
        "variables": list(found.variables),
        "total": len(found.rows),
        "number": page,
        "pages": pages,
        "previous": link("rule", address | {"page": str(page - 1)}) if page > 1 else "",
        "next": link("rule", address | {"page": str(page + 1)}) if page < pages else "",
        "groundings": [
            {
                "head": atom_data(found.atom(learned.rule.head, row)),
                "facts": [atom_data(fact) for fact in body_facts(run, number, row)],
            }
            for row in shown
        ],
    }


def body_facts(run: TemplateRun, number: int, row: Fact) -> list[Atom]:
    """The facts that a body uses under an assignment; what must be absent is none."""
    found, body = bindings_of(run, number), run.program.rules[number].rule.body
    return [found.atom(part.atom, row) for part in body if isinstance(part, Literal) and not part.negated]


def fact_page(run: TemplateRun, number: int) -> Data:
    """A fact that follows: the rules that give it, and for each some assignments with their facts."""
    program = run.program
    found, _ = derived(run)
    facts = sorted(found, key=lambda fact: (-program.rules[found[fact][0]].truth, fact))
    if number >= len(facts):
        raise InputError(f"there is no fact {number}: {len(facts)} follow, counted from 0")
    fact = facts[number]
    parts = [part(run, rule, fact) for rule in found[fact]]
    head = head_atom(run, fact)
    drawn = fact_graph(fact[0], fact[1], head, parts) if len(fact) == 2 and binary(parts) else None
    return {
        "page": "follows",
        "title": str(head),
        "fact": atom_data(head),
        "truth": max(part.truth for part in parts),
        "arithmetic": arithmetic(run, fact),
        "threshold": program.threshold,
        "graph": drawn,
        "rules": [
            {
                "rule": rule_data(program.rules[rule].rule),
                "truth": one.truth,
                "count": one.count,
                "href": link("rule", {"rule": str(rule)}),
                "witnesses": [[atom_data(sourced.atom) for sourced in way.facts] for way in one.witnesses],
            }
            for rule, one in zip(found[fact], parts, strict=True)
        ],
    }


def part(run: TemplateRun, number: int, fact: Fact) -> Part:
    """What one rule says of a fact."""
    learned = run.program.rules[number]
    rows = bindings_of(run, number).rows_for(fact)
    ways = tuple(
        Witness(tuple(SourcedFact(atom) for atom in body_facts(run, number, row))) for row in rows[:ASSIGNMENTS]
    )
    return Part(str(learned.rule), learned.truth, None, "path", ways, len(rows))


def binary(parts: list[Part]) -> bool:
    """Whether every fact joins two things, so that it can be drawn as a line."""
    return all(len(sourced.atom.terms) == 2 for one in parts for way in one.witnesses for sourced in way.facts)
