"""learn(kb, template, labels): facts and a template in, readable rules out. The whole system on one page; start here.

text --parse_template--> Template --bind--> BoundTemplate --plan--> Plan --ground--> Grounding
labels --place_labels--> Targets
Plan --> RuleNetwork --fit--> trained RuleNetwork --extract--> Program
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rulewright.errors import OptionError
from rulewright.grounding.ground import GroundingLimits, ground
from rulewright.grounding.lineage import Grounding
from rulewright.grounding.plan import plan
from rulewright.kb.alike import check_arguments
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.lnn.device import Device, device_of
from rulewright.lnn.network import DEFAULT_ALPHA, RuleNetwork
from rulewright.lnn.truth import Clamp
from rulewright.logic.markup import Shown, card, folded
from rulewright.logic.program import Program, program_html
from rulewright.logic.rule import Rule
from rulewright.rules.explain import RIVALS, WITNESSES, explain_fact
from rulewright.rules.explanation import Explanation
from rulewright.rules.extract import extract
from rulewright.rules.measure import measured
from rulewright.rules.occurrences import unroll
from rulewright.rules.warm_start import fits, warm_start
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.template.syntax import Template
from rulewright.training.fit import FitOptions, fit
from rulewright.training.history import Epoch, History, history_html
from rulewright.training.labels import Impossible, Labels, Unlisted, labels_apart, place_labels


@dataclass(frozen=True, eq=False)
class Learned(Shown):
    """What `learn` returns: the rules, the network they were read from, and how it came about."""

    program: Program
    network: RuleNetwork
    history: History
    options: FitOptions
    kb: KnowledgeBase
    template: Template
    grounding: Grounding

    def truths(self, kb: KnowledgeBase | None = None, limits: GroundingLimits | None = None) -> dict[Fact, float]:
        """The truth of every head fact that can arise, here or over another knowledge base with the same predicates."""
        kb, grounding = (self.kb, self.grounding) if kb is None else (kb, self.ground(kb, limits))
        return dict(zip(kb.decode(grounding.roots), self.network.truths(grounding).tolist(), strict=True))

    def predict(self, kb: KnowledgeBase | None = None) -> list[Fact]:
        """The head facts whose truth reaches the program's threshold, most certain first."""
        truths = self.truths(kb)
        accepted = [fact for fact, truth in truths.items() if truth >= self.program.threshold]
        return sorted(accepted, key=lambda fact: (-truths[fact], fact))

    def ground(self, kb: KnowledgeBase, limits: GroundingLimits | None = None) -> Grounding:
        """The head facts that can arise over another knowledge base."""
        check_arguments(self.kb, kb)
        return ground(self.network.plan, kb, limits, allow_empty=True)

    def explain(
        self,
        fact: Sequence[str],
        kb: KnowledgeBase | None = None,
        *,
        witnesses: int = WITNESSES,
        rivals: int = RIVALS,
        counterfactual: bool = True,
        limits: GroundingLimits | None = None,
    ) -> Explanation:
        """Why a head fact has its truth, here or over another knowledge base; see `rules.explain.explain_fact`."""
        kb, grounding = (self.kb, self.grounding) if kb is None else (kb, self.ground(kb, limits))
        return explain_fact(
            self.network,
            grounding,
            kb,
            self.program,
            tuple(fact),
            witnesses=witnesses,
            rivals=rivals,
            counterfactual=counterfactual,
            limits=limits,
        )

    def __str__(self) -> str:
        return str(self.program)

    def _repr_html_(self) -> str:
        """A card: the rules, and how training went when it is opened."""
        return card(program_html(self.program), folded(f"Training: {self.history}", history_html(self.history)))


def explain(learned: Learned, fact: Sequence[str], kb: KnowledgeBase | None = None) -> Explanation:
    """Why a head fact has its truth: the rules that fire, the arithmetic from the facts up, and what would undo it.

    >>> kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy")], "likes": [("ann", "cy")]})
    >>> learned = learn(kb, "child(Y, X) :- P(X, Y). P in *.", [("bob", "ann"), ("cy", "bob")])
    >>> found = explain(learned, ("bob", "ann"))
    >>> print(found.parts[0].rule, *found.parts[0].facts, *found.counterfactual.removed)
    child(Y, X) :- parent(X, Y). parent(ann, bob) parent(ann, bob)
    """
    return learned.explain(fact, kb)


def learn(
    kb: KnowledgeBase,
    template: Template | str,
    labels: Labels | str | None = None,
    options: FitOptions | None = None,
    *,
    root: str | None = None,
    alpha: float = DEFAULT_ALPHA,
    clamp: Clamp = "leaky",
    unlisted: Unlisted = "auto",
    impossible: Impossible = "error",
    rules: Sequence[Rule] = (),
    fixed: Sequence[str] = (),
    threshold: float = 0.5,
    limits: GroundingLimits | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
    device: Device = "cpu",
) -> Learned:
    """Learn weighted rules for the template's root from a knowledge base.

    labels    head facts that are true, or a mapping to truths; a predicate's name takes its facts and hides it from the
              bodies; None takes the facts of the predicate that the root is named after
    rules     start from these rules instead of from chance (they must fit the template)
    fixed     nodes of the template whose parameters do not train
    threshold from which truth on a head fact counts as true, in (0, 1]
    device    where the network is trained, such as "cuda"; what comes back is on the CPU
    options   how to train; the other arguments are described at `RuleNetwork`, `place_labels` and `GroundingLimits`

    >>> kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy")], "likes": [("ann", "cy")]})
    >>> learned = learn(kb, "child(Y, X) :- P(X, Y). P in *.", [("bob", "ann"), ("cy", "bob")])
    >>> print(learned)
    1.000  child(Y, X) :- parent(X, Y).
    >>> learned.predict()
    [('bob', 'ann'), ('cy', 'bob')]
    """
    options, place = options or FitOptions(), device_of(device)
    if not 0 < threshold <= 1:
        raise OptionError(f"threshold must lie in (0, 1], and {threshold} does not")
    template = parse_template(template) if isinstance(template, str) else template
    kb, labels = labels_apart(kb, labels, template, root)
    steps = plan(bind(template, kb, root).fixing(fixed))

    def build(seed: int) -> RuleNetwork:
        network = RuleNetwork(steps, alpha, clamp, seed)
        if rules:
            warm_start(network, rules)
        return network.to(place)

    # What cannot work is told before the work starts: an alpha without operators, a rule that does not fit, a template
    # that no rule could be read from.
    build(options.seed)
    unroll(steps)
    grounding = ground(steps, kb, limits)
    targets = place_labels(labels, grounding, kb, unlisted, impossible)
    network, history = fit(build, grounding, targets, options, on_epoch)
    truths = network.truths(grounding)
    network = network.cpu()
    program = measured(extract(network, threshold), kb, grounding, truths, targets, limits)
    return Learned(program, network, history, options, kb, template, grounding)


def fitting_rules(
    kb: KnowledgeBase,
    template: Template | str,
    labels: Labels | str | None,
    rules: Sequence[Rule],
    root: str | None = None,
) -> tuple[list[Rule], list[Rule]]:
    """The rules from which `learn` could start with this template, and those that it cannot say."""
    template = parse_template(template) if isinstance(template, str) else template
    kb, _ = labels_apart(kb, labels, template, root)
    steps = plan(bind(template, kb, root))
    told = [fits(rule, steps) for rule in rules]
    chosen = zip(rules, told, strict=True)
    return [rule for rule, fit in chosen if fit], [rule for rule, fit in zip(rules, told, strict=True) if not fit]


def saying(learned: Learned, rules: Sequence[Rule]) -> Learned:
    """What was learned, changed by hand so that it says just these rules, each at full weight.

    The template has to be able to say them, and nothing else with them: rules that share a node share its predicates.
    """
    network = RuleNetwork(learned.network.plan, learned.network.alpha).eval()
    warm_start(network, rules)
    program = extract(network, learned.program.threshold)
    others = {str(found.rule) for found in program.rules} - {str(rule) for rule in rules}
    if others or len(program.rules) != len(set(rules)):
        more = f": it would also say {min(others)}" if others else ""
        raise OptionError(f"the template cannot say just these rules{more}. Give each rule a clause of its own.")
    known = {found.rule: found for found in learned.program.rules}
    kept = [known.get(found.rule, found) for found in program.rules]
    measured_before = tuple(
        replace(found, support=before.support, confidence=before.confidence)
        for found, before in zip(program.rules, kept, strict=True)
    )
    program = replace(program, rules=measured_before)
    return replace(learned, program=program, network=network)
