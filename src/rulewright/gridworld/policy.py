"""A policy made of rules: one head per action, all grown from one template; the agent does what is most true.

The networks of the actions share plan and grounding and nothing else, as the paper has a rule for each of GoNorth,
GoSouth, GoEast and GoWest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rulewright.errors import OptionError
from rulewright.gridworld.situation import Situation
from rulewright.grounding.ground import ground
from rulewright.grounding.plan import plan
from rulewright.lnn.network import DEFAULT_ALPHA, RuleNetwork, padded
from rulewright.lnn.tensors import LineageTensors, lineage_tensors
from rulewright.logic.harmless import harmless
from rulewright.logic.markup import Printer, card, code, note, table
from rulewright.logic.program import Program
from rulewright.logic.terms import Atom
from rulewright.rules.extract import extract
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.template.syntax import Template

SHOWN_RULES = 8  # of each action in a notebook; the others are counted
TIE = 1e-5  # truths this near each other are one: float32 rounding must not choose a way


@dataclass(frozen=True, eq=False)
class View:
    """A situation as the networks of a policy read it."""

    lineage: tuple[LineageTensors, ...]
    rows: Tensor  # (n_states,) the state's row among the head facts
    rewards: Tensor  # (n_states, n_actions)

    @cached_property
    def best(self) -> float:
        """The mean over the states of the best action's reward."""
        return float(self.rewards.max(dim=1).values.mean())


class RulePolicy(nn.Module):
    """One rule network per action.

    actions   their names, in the order of the situations' rewards
    template  the shape of every action's rule, or its text
    example   a situation to check the template against; any other has the same predicates
    """

    def __init__(
        self,
        actions: Sequence[str],
        template: Template | str,
        example: Situation,
        alpha: float = DEFAULT_ALPHA,
        seed: int = 0,
    ) -> None:
        super().__init__()
        if example.rewards.shape[1:] != (len(actions),):
            raise OptionError(f"{len(actions)} actions need as many columns of rewards, not {example.rewards.shape}")
        self.actions = tuple(actions)
        self.template = parse_template(template) if isinstance(template, str) else template
        self.plan = plan(bind(self.template, example.kb))
        count = len(self.actions)
        self.networks = nn.ModuleList(RuleNetwork(self.plan, alpha, seed=seed * count + n) for n in range(count))

    def network(self, action: str) -> RuleNetwork:
        """The network of one action."""
        network = self.networks[self.actions.index(action)]
        assert isinstance(network, RuleNetwork)
        return network

    def view(self, situation: Situation) -> View:
        """A situation, grounded."""
        grounding = ground(self.plan, situation.kb, allow_empty=True)
        rows = grounding.rows_of(situation.kb.encode(situation.states))  # -1: no rule can say anything of the state
        return View(
            lineage_tensors(grounding.lineage),
            torch.from_numpy(rows),
            torch.from_numpy(situation.rewards.astype(np.float32)),
        )

    def scores(self, view: View) -> Tensor:
        """How much the rules speak for each action, (n_states, n_actions), before the last clamp.

        Ranked before the clamp, what is hopeless stays ordered: between two false rules the less false one counts.
        """
        return torch.stack([state_scores(network, view) for network in map(self.network, self.actions)], dim=1)

    @torch.no_grad()
    def chances(self, view: View) -> NDArray[np.float64]:
        """The chance of each action, (n_states, n_actions): the most true one is taken; equals share evenly."""
        self.eval()
        scores = self.scores(view)
        best = scores >= scores.max(dim=1, keepdim=True).values - TIE
        return (best / best.sum(dim=1, keepdim=True)).numpy().astype(np.float64)

    def reward(self, views: Sequence[View]) -> float:
        """The mean reward over all states of all situations."""
        earned = [(self.chances(view) * view.rewards.numpy()).sum(axis=1) for view in views]
        return float(np.concatenate(earned).mean())

    def programs(self) -> dict[str, Program]:
        """The rules of every action, its name as the head."""
        return {action: renamed(extract(self.network(action)), action) for action in self.actions}

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(harmless("\n".join(map(str, self.programs().values()))))

    def _repr_html_(self) -> str:
        """A card: the rules of every action."""
        programs = self.programs()
        listed = [learned for program in programs.values() for learned in program.rules[:SHOWN_RULES]]
        left = sum(len(program.rules) for program in programs.values()) - len(listed)
        silent = ", ".join(action for action, program in programs.items() if not program.rules)
        return card(
            table(["truth", "rule"], [[f"{learned.truth:.3f}", code(learned.rule)] for learned in listed], 1),
            note(f"{left:,} weaker rules not shown." if left else ""),
            note(f"No rule says when to take {silent}." if silent else ""),
        )


def state_scores(network: RuleNetwork, view: View) -> Tensor:
    """What an action's rules say of every state, (n_states,), before the last clamp; 0 where they say nothing."""
    return padded(network.score(view.lineage))[view.rows]


def renamed(program: Program, name: str) -> Program:
    """A program with another head predicate."""
    head = Atom(name, program.head.terms)
    rules = tuple(replace(learned, rule=replace(learned.rule, head=head)) for learned in program.rules)
    tree = replace(program.tree, label=program.tree.label.replace(str(program.head), str(head)))
    return replace(program, head=head, rules=rules, tree=tree)
