"""A situation: what can be seen of some states, as facts, and what every action is worth in each of them.

Gridworld is one kind of situation. Another environment needs a function of its own like `situation_of`, and no more:
policies, their training and their judgement are about situations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import OptionError
from rulewright.gridworld.grid import DIRECTIONS, Grid
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.kb.relation import Relation
from rulewright.kb.vocabulary import Vocabulary

OBSTACLE, TARGET, CELL = "HasObstacle", "HasTarget", "Cell"


@dataclass(frozen=True, eq=False)
class Situation:
    """States an agent may be in.

    kb       what is known; its predicates must be the same in every situation of an environment
    states   the states, each as the arguments of a head fact
    rewards  (n_states, n_actions): what an action earns in a state
    """

    kb: KnowledgeBase
    states: tuple[Fact, ...]
    rewards: NDArray[np.float64]

    def __post_init__(self) -> None:
        if not self.states or self.rewards.shape[:1] != (len(self.states),):
            raise OptionError(
                f"a situation needs states and a row of rewards for each: there are {len(self.states)} states and "
                f"rewards of shape {self.rewards.shape}"
            )

    @staticmethod
    def of(
        facts: Mapping[str, Sequence[Sequence[object]]],
        states: Sequence[Fact],
        rewards: NDArray[np.float64],
        arity: int,
    ) -> "Situation":
        """A situation from plain data; a predicate without facts, which a knowledge base would not list, is kept."""
        kb = KnowledgeBase.of({name: rows for name, rows in facts.items() if rows}, constants=Vocabulary())
        for name, rows in facts.items():
            if not rows:
                kb = kb.with_relation(name, Relation(np.empty((0, arity), dtype=np.int64)))
        return Situation(kb, tuple(states), np.asarray(rewards, dtype=np.float64))

    @staticmethod
    def joined(situations: Sequence["Situation"]) -> "Situation":
        """Several situations side by side, to be seen at once; each keeps its constants apart from the others'."""
        facts: dict[str, list[Fact]] = {}
        states: list[Fact] = []
        for number, situation in enumerate(situations):
            for name in situation.kb.relations:
                facts.setdefault(name, []).extend(marked(fact, number) for fact in situation.kb.facts_of(name))
            states += [marked(state, number) for state in situation.states]
        arity = len(states[0])
        return Situation.of(facts, states, np.concatenate([situation.rewards for situation in situations]), arity)


def marked(fact: Fact, number: int) -> Fact:
    """A fact whose constants belong to one of several situations."""
    return tuple(f"{number}:{constant}" for constant in fact)


def situation_of(grid: Grid) -> Situation:
    """The paper's base predicates over a grid's cells (X, Y), row and column, and the rewards of the four steps.

    HasObstacleNorth(X, Y), ...   the next cell in that direction is an obstacle, or beyond the edge
    HasTargetNorth(X, Y), ...     the target lies in that direction
    Cell(X, Y)                    the cells an agent may start from: the universe of the negated counterparts
    """
    cells = np.argwhere(grid.free)
    facts: dict[str, list[tuple[int, int]]] = {CELL: [(row, column) for row, column in cells.tolist()]}
    for name, holds in ((OBSTACLE, grid.blocked), (TARGET, grid.towards)):
        for place, direction in enumerate(DIRECTIONS):
            found = np.argwhere(holds[..., place] & grid.free)
            facts[name + direction] = [(row, column) for row, column in found.tolist()]
    states = [(str(row), str(column)) for row, column in cells.tolist()]
    return Situation.of(facts, states, grid.rewards[grid.free], arity=2)
