"""A data set for knowledge-graph completion: the graph that rules may use, and the queries to learn, tune and report.

In a folder: train.txt, and where they exist valid.txt, test.txt and facts.txt, each with one triple per line. Without
facts.txt the training triples are the graph; with it they are queries only, as in the Countries tasks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import DatasetError, OptionError
from rulewright.kb.knowledge_base import KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.text_file import DEFAULT_LIMITS, ReadLimits, text_blocks
from rulewright.kb.triples import read_triples
from rulewright.kb.vocabulary import Vocabulary
from rulewright.logic.markup import Shown

Triples = NDArray[np.int64]  # (n, 3): head, relation, tail
FACTS, TRAIN, VALID, TEST = "facts", "train", "valid", "test"
PARTS = (FACTS, TRAIN, VALID, TEST)
TENTH = 0.1
MOST_ASIDE = 10_000  # triples in one part


@dataclass(frozen=True, eq=False)
class Dataset(Shown):
    """Triples as ids. Names that only validation or test queries know are in the vocabularies too, after the others.

    >>> kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy")], "likes": [("cy", "ann")]})
    >>> print(split_by_seed(kb, "family", seed=0))
    family: 3 entities, 2 relations, 3 train, 0 valid, 0 test
    """

    name: str
    entities: Vocabulary
    relations: Vocabulary
    graph: Triples  # what the bodies of rules may use; `train` itself unless the data says otherwise
    train: Triples  # the queries to learn from
    valid: Triples  # the queries to tune on
    test: Triples  # the queries to report
    note: str = ""  # how the parts came about, where they were not given
    repeated: Mapping[str, int] = field(default_factory=dict)  # part -> lines that said again what an earlier one said

    def parts(self) -> dict[str, Triples]:
        """The tables by name; `facts` only where the graph is not the training triples."""
        queries = {TRAIN: self.train, VALID: self.valid, TEST: self.test}
        return queries if self.graph is self.train else {FACTS: self.graph, **queries}

    def knowledge_base(self) -> KnowledgeBase:
        """The graph, over all entities; a relation without a fact there is no predicate of it."""
        order = np.argsort(self.graph[:, 1], kind="stable")
        ordered = self.graph[order]
        ends = np.flatnonzero(np.diff(ordered[:, 1], append=-1)) + 1
        relations, start = {}, 0
        for end in ends.tolist():
            facts = np.ascontiguousarray(ordered[start:end, ::2])
            relations[self.relations.name(int(ordered[start, 1]))] = Relation.of(facts)
            start = end
        return KnowledgeBase(self.entities, relations)

    def named(self, triples: Triples) -> list[tuple[str, str, str]]:
        """Rows of ids as names."""
        entities, relations = self.entities.names, self.relations.names
        return [(entities[head], relations[relation], entities[tail]) for head, relation, tail in triples.tolist()]

    def __str__(self) -> str:
        sizes = [f"{len(self.entities):,} entities", f"{len(self.relations):,} relations"]
        sizes += [f"{len(triples):,} {part}" for part, triples in self.parts().items()]
        return f"{self.name}: {', '.join(sizes)}"


def read_splits(
    folder: str | Path,
    name: str | None = None,
    *,
    encoding: str = "utf-8",
    separator: str = "\t",
    limits: ReadLimits = DEFAULT_LIMITS,
) -> Dataset:
    """The data set in a folder. A missing or empty valid.txt or test.txt is an empty part; train.txt must hold triples.

    A triple that a file repeats counts once.
    """
    folder = Path(folder)
    if not (folder / f"{TRAIN}.txt").is_file():
        raise DatasetError(
            f"{folder} holds no {TRAIN}.txt, so there is nothing to learn from; it holds {listing(folder)}"
        )
    entities, relations = Vocabulary(), Vocabulary()
    parts, repeated = {}, {}
    for part in PARTS:
        path = folder / f"{part}.txt"
        lines = count_lines(path, encoding, limits) if path.is_file() else 0
        if lines:
            kb = read_triples(path, separator=separator, encoding=encoding, limits=limits)
            parts[part] = coded(kb, entities, relations, path)
            repeated[part] = lines - len(kb)
        elif part in (VALID, TEST):
            parts[part] = np.empty((0, 3), dtype=np.int64)
        elif path.is_file():
            raise DatasetError(f"{path} is empty: it must hold triples, or in the case of {FACTS}.txt not be there")
    graph = parts.get(FACTS, parts[TRAIN])
    return Dataset(
        folder.resolve().name if name is None else name,
        entities,
        relations,
        graph,
        parts[TRAIN],
        parts[VALID],
        parts[TEST],
        repeated={part: count for part, count in repeated.items() if count},
    )


def listing(folder: Path) -> str:
    """The first files of a folder, for messages."""
    return ", ".join(sorted(file.name for file in folder.iterdir())[:10]) or "nothing"


def count_lines(path: Path, encoding: str, limits: ReadLimits) -> int:
    """How many lines of a file hold a triple."""
    return sum(1 for block in text_blocks(path, encoding, limits) for _ in block.lines())


def coded(kb: KnowledgeBase, entities: Vocabulary, relations: Vocabulary, source: object) -> Triples:
    """The facts of a knowledge base as rows of ids; new names join the vocabularies."""
    ids = entities.add_all(kb.constants.names)
    tables = []
    for name, relation in kb.relations.items():
        if relation.arity != 2:
            raise DatasetError(f"{source}: {name} has {relation.arity} arguments, but a triple has a head and a tail")
        if relation.truth is not None:
            raise DatasetError(
                f"{source}: facts of {name} have truths below 1, but the triples of a split are simply true; "
                f"leave out the fourth column"
            )
        table = np.empty((len(relation), 3), dtype=np.int64)
        table[:, ::2] = ids[relation.facts]
        table[:, 1] = relations.add(name)
        tables.append(table)
    return np.concatenate(tables)


def split_by_seed(
    kb: KnowledgeBase, name: str, seed: int = 0, valid_share: float = TENTH, test_share: float = TENTH
) -> Dataset:
    """A data set from facts that are not split. Entities and relations come first: each keeps a training triple.

    Of a large data set less is set aside: MOST_ASIDE queries fix a mean to about .003, and ranking them takes time.
    """
    entities, relations = Vocabulary(), Vocabulary()
    triples = coded(kb, entities, relations, name)
    train, valid, test = set_aside(triples, (valid_share, test_share), seed)
    note = (
        f"split by seed {seed}: {valid_share:.0%} of the triples are set aside for validation and {test_share:.0%} for "
        f"test, at most {MOST_ASIDE:,} each, and fewer where an entity or a relation would be left without a training "
        f"triple"
    )
    return Dataset(name, entities, relations, train, train, valid, test, note)


def with_valid(dataset: Dataset, share: float, seed: int = 0) -> Dataset:
    """The data set with a share of its training triples set aside for validation, where it has none."""
    if len(dataset.valid):
        return dataset
    train, valid = set_aside(dataset.train, (share,), seed)
    graph = train if dataset.graph is dataset.train else dataset.graph
    note = "; ".join(
        filter(None, (dataset.note, f"validation is {share:.0%} of the training triples, taken by seed {seed}"))
    )
    return replace(dataset, graph=graph, train=train, valid=valid, note=note)


def set_aside(triples: Triples, shares: tuple[float, ...], seed: int) -> list[Triples]:
    """What remains, and one random part per share; parts shrink rather than take the last triple of a name."""
    if not all(0 <= share < 1 for share in shares) or sum(shares) >= 1:
        raise OptionError(f"the shares to set aside must be at least 0 and sum to less than 1, not {shares}")
    order = np.random.default_rng(seed).permutation(len(triples))
    shuffled = triples[order]
    needed = first_sights(shuffled)
    free = order[~needed]
    wanted = [min(round(share * len(triples)), MOST_ASIDE) for share in shares]
    scale = min(1.0, len(free) / max(sum(wanted), 1))
    ends = np.cumsum([int(scale * count) for count in wanted])
    parts = np.split(free, ends)
    remaining = np.concatenate([order[needed], parts.pop()])
    return [triples[np.sort(rows)] for rows in (remaining, *parts)]


def first_sights(triples: Triples) -> NDArray[np.bool_]:
    """Which rows are the first to show some entity or relation."""
    first = np.zeros(len(triples), dtype=bool)
    rows = np.arange(len(triples))
    for names, places in ((triples[:, ::2].ravel(), np.repeat(rows, 2)), (triples[:, 1], rows)):
        sights = np.full(int(names.max(initial=-1)) + 1, len(triples))
        np.minimum.at(sights, names, places)
        first[sights[sights < len(triples)]] = True
    return first
