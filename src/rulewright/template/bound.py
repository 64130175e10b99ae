"""A template that has been checked against a knowledge base: every name resolved, nothing left to go wrong.

Nodes are leaves (a choice among predicates) and rules (a formula over nodes). They are listed children first, so one
pass in order can build everything above them. A node used twice is one node: its operator and its facts are shared.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rulewright.errors import OptionError, nearest
from rulewright.logic.terms import Variable
from rulewright.template.syntax import Formula, Template

Norm = Literal["lnn", "product", "lukasiewicz", "attention"]


@dataclass(frozen=True)
class OperatorChoice:
    """How a node computes truth values.

    norm    lnn (default): LNN-pred at a leaf, LNN-and / LNN-or in a rule; attention: at a leaf only;
            product, lukasiewicz: parameter-free conjunction and disjunction, in a rule only.
    alpha   the LNN threshold of this node's operators; None takes the value given to `learn`.
    fixed   parameters keep their initial values during training.
    """

    norm: Norm = "lnn"
    alpha: float | None = None
    fixed: bool = False


@dataclass(frozen=True)
class Member:
    """One predicate that a leaf may stand for; its name may end in ^-1."""

    predicate: str
    negated: bool = False

    def __str__(self) -> str:
        return ("not " if self.negated else "") + self.predicate


@dataclass(frozen=True)
class BoundLeaf:
    """A choice among predicates of one arity.

    `universe` names the predicates whose facts are the assignments at which negated members are considered; empty means
    inferred: every combination of the constants that the members' predicates have at each position.
    """

    name: str
    arity: int
    members: tuple[Member, ...]
    universe: tuple[str, ...] = ()
    operator: OperatorChoice = OperatorChoice()


@dataclass(frozen=True)
class BoundRule:
    """A head over distinct variables and one body; several clauses with one head have become an Or.

    Every `Use` in the body names a node listed before this one; every pattern of a `Not.universe` is an exact name.
    """

    name: str
    head: tuple[Variable, ...]
    body: Formula
    operator: OperatorChoice = OperatorChoice()


@dataclass(frozen=True)
class BoundTemplate:
    """The nodes, children first; the last is the root, whose facts are labelled."""

    nodes: tuple[BoundLeaf | BoundRule, ...]
    template: Template = field(compare=False)

    @property
    def root(self) -> BoundRule:
        root = self.nodes[-1]
        assert isinstance(root, BoundRule)
        return root

    def fixing(self, names: Sequence[str]) -> "BoundTemplate":
        """The same template with the parameters of some nodes held at their initial values."""
        known = [node.name for node in self.nodes]
        for name in names:
            if name not in known:
                raise OptionError(f"cannot fix {name}: the template has no such node{nearest(name, known)}")
        nodes = (replace(n, operator=replace(n.operator, fixed=True)) if n.name in names else n for n in self.nodes)
        return replace(self, nodes=tuple(nodes))
