"""The paper's smaller figures as a report: truth tables, activations, the running example and its network."""

from functools import partial

import torch

from rulewright.grounding.ground import ground
from rulewright.grounding.plan import plan
from rulewright.kb.knowledge_base import Fact, KnowledgeBase
from rulewright.lnn.network import RuleNetwork
from rulewright.lnn.operators import And, Or, PredicateMixture
from rulewright.logic.node import SHOWN_WEIGHT
from rulewright.logic.program import Program
from rulewright.reproduce.experiment import Drawing, Experiment, OnStep, Options, Outcome, Prepared
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.paper import GENERATED_FACTS
from rulewright.reproduce.pictures import draw_activations, draw_rule
from rulewright.reproduce.report import Headline, Table, shown
from rulewright.rules.extract import extract
from rulewright.template.binding import bind
from rulewright.template.parser import parse_template
from rulewright.training.truth_table import CONJUNCTION, fit_truth_table

ALPHAS = (0.7, 0.9)  # of the paper's activations
JUST_ABOVE = 1e-6  # an open interval's end, near enough
ROWS = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))

TOY = KnowledgeBase.of({"A": [(1, 2), (1, 5)], "B": [(1, 2)], "C": [(2, 5)]})
TEMPLATE = "S(X, Z) :- R(X, Z) ; O(X, Z). O in {A, B}. R(X, Z) :- P(X, Y), Q(Y, Z). P in {A, B}. Q in {C}."
OUR_NAMES = {"body of R": "PQ"}
ORDER_OF_PQ = (0, 2, 1)  # ours: the head's variables X and Z, then Y
NETWORK_ALPHA = 0.9
# Bias and weights that satisfy the constraints at that alpha; beta_1 to beta_4 and w_1 to w_4 in the paper's numbering.
MIXTURES = {"P": (0.9, 0.3, 0.4), "Q": (1.0, 0.8), "O": (1.1, 0.5, 0.2)}
CONJUNCTION_AT, DISJUNCTION_AT = (1.3, 1.5, 1.4), (1.2, 1.3, 1.25)

PROTOCOL = (
    "Connectives are trained on the four rows of the Boolean table alone, from seed 0, as for the paper's plots. The "
    "facts of the running example are those that grounding makes of the toy knowledge base. The paper's network has "
    "letters for weights; with numbers in their place, its formulae and the network must give the same truths."
)


def prepare(options: Options) -> Prepared:
    """Nothing to read."""
    settings = {
        "alphas": list(ALPHAS),
        "template": TEMPLATE,
        "network": {"alpha": NETWORK_ALPHA, "mixtures": MIXTURES, "and": CONJUNCTION_AT, "or": DISJUNCTION_AT},
    }
    return Prepared(settings, (), len(ALPHAS) + 2, work)


def work(on_step: OnStep, journal: Journal) -> Outcome:
    """All of them; it takes a moment."""
    connectives = {}
    for place, alpha in enumerate(ALPHAS):
        on_step(place, f"conjunction at alpha {alpha}")
        connectives[alpha] = fit_truth_table(And(2, alpha, generator=torch.Generator().manual_seed(0)), CONJUNCTION)
    on_step(len(ALPHAS), "running example")
    facts, network = generated_facts(), example_network()
    on_step(len(ALPHAS) + 1, "network")
    expected, found = by_hand(), example_truths(network)
    shapes = [row for alpha, operator in connectives.items() for row in shape_rows(operator, alpha)]
    program = extract(network)
    same = sum(facts[name] == set(wanted) for name, wanted in GENERATED_FACTS.items())
    error = max(abs(found[fact] - expected[fact]) for fact in expected)
    return Outcome(
        PROTOCOL,
        (
            Headline(
                "rows within the truth table (b)", "all", f"{sum(row[-1] == 'yes' for row in shapes)} of {len(shapes)}"
            ),
            Headline("predicates with the generated facts of the paper", f"{len(GENERATED_FACTS)}", f"{same}"),
            Headline("network against its formulae, largest difference", "0", f"{error:.1e}"),
        ),
        (
            boolean_table(connectives),
            shape_table(shapes),
            facts_table(facts),
            network_table(expected, found),
        ),
        {
            "fitted": {str(alpha): parameters(operator) for alpha, operator in connectives.items()},
            "facts": {name: sorted(map(list, rows)) for name, rows in facts.items()},
            "truths": {f"S({', '.join(fact)})": truth for fact, truth in found.items()},
        },
        (),
        pictures(program),
    )


def parameters(operator: And) -> dict[str, object]:
    """Bias and weights as numbers."""
    return {"bias": operator.bias.item(), "weights": operator.weights.tolist()}


def truth(operator: And, x: float, y: float) -> float:
    """The truth of a conjunction of two inputs."""
    return float(operator(torch.tensor([x, y])).item())


def boolean_table(connectives: dict[float, And]) -> Table:
    """Figure 'truth tables' (a)."""
    rows = [
        (f"{a:.0f}", f"{b:.0f}", f"{a * b:.0f}", *(shown(truth(operator, a, b)) for operator in connectives.values()))
        for a, b in ROWS
    ]
    columns = ("a", "b", "the paper", *(f"LNN-and, alpha {alpha}" for alpha in connectives))
    return Table("Truth table (a): Boolean conjunction", columns, tuple(rows))


def shape_rows(operator: And, alpha: float) -> list[tuple[str, ...]]:
    """Figure 'truth tables' (b) at one alpha: a conjunction rises with its inputs, so corners bound its values."""
    low, high, any_above = (0.0, 1 - alpha), (alpha, 1.0), (1 - alpha + JUST_ABOVE, 1.0)
    found = []
    for x, y, wanted in ((low, low, low), (low, any_above, low), (any_above, low, low), (high, high, high)):
        least, most = truth(operator, x[0], y[0]), truth(operator, x[1], y[1])
        kept = wanted[0] - JUST_ABOVE <= least and most <= wanted[1] + JUST_ABOVE
        inputs = (f"{'(' if one is any_above else '['}{one[0]:.1f}, {one[1]:.1f}]" for one in (x, y))
        paper = f"[{wanted[0]:.1f}, {wanted[1]:.1f}]"
        found.append((f"{alpha}", *inputs, paper, f"[{least:.3f}, {most:.3f}]", "yes" if kept else "no"))
    return found


def shape_table(rows: list[tuple[str, ...]]) -> Table:
    """Figure 'truth tables' (b)."""
    columns = ("alpha", "x in", "y in", "x and y in: the paper", "ours", "kept")
    return Table("Truth table (b): the shape of conjunction", columns, tuple(rows))


def generated_facts() -> dict[str, set[Fact]]:
    """The facts that can arise, under the paper's names and in its order of variables."""
    grounding = ground(plan(bind(parse_template(TEMPLATE), TOY)), TOY)
    found = {}
    for step, ids in zip(grounding.plan.steps, grounding.facts, strict=True):
        name, facts = OUR_NAMES.get(step.name, step.name), TOY.decode(ids)
        found[name] = {tuple(fact[at] for at in ORDER_OF_PQ) for fact in facts} if name == "PQ" else set(facts)
    return found


def facts_table(facts: dict[str, set[Fact]]) -> Table:
    """Figure 'A toy KB' (d)."""
    rows = []
    for name, wanted in GENERATED_FACTS.items():
        texts = (", ".join(f"({', '.join(fact)})" for fact in sorted(some)) for some in (wanted, facts[name]))
        rows.append((name, *texts))
    return Table("Running example: the facts that can arise", ("predicate", "the paper", "ours"), tuple(rows))


def example_network() -> RuleNetwork:
    """The network of the running example with the stated numbers."""
    network = RuleNetwork(plan(bind(parse_template(TEMPLATE), TOY)), alpha=NETWORK_ALPHA).double().eval()
    for leaf, values in MIXTURES.items():
        mixture = network.mixtures()[leaf]
        assert isinstance(mixture, PredicateMixture)
        mixture.parameter.right_inverse(values)
    for operator in network.operators.values():
        if isinstance(operator, And | Or):
            operator.parameter.right_inverse(CONJUNCTION_AT if isinstance(operator, And) else DISJUNCTION_AT)
    return network


def example_truths(network: RuleNetwork) -> dict[Fact, float]:
    """The truths of the two head facts as the network has them."""
    grounding = ground(network.plan, TOY)
    return dict(zip(TOY.decode(grounding.roots), network.truths(grounding).tolist(), strict=True))


def by_hand() -> dict[Fact, float]:
    """The same by the paper's formulae, written out; the facts of the base are true."""

    def relu1(value: float) -> float:
        return max(0.0, min(1.0, value))

    def mixed(leaf: str, *members: int) -> float:
        bias, *weights = MIXTURES[leaf]
        return 1 - relu1(bias - sum(weights[member] for member in members))

    (b2, wp, wq), (b4, wr, wo) = CONJUNCTION_AT, DISJUNCTION_AT
    p1, q1, o1, o2 = mixed("P", 0, 1), mixed("Q", 0), mixed("O", 0, 1), mixed("O", 0)
    r1 = relu1(b2 - wp * (1 - p1) - wq * (1 - q1))  # the maximum of one body
    return {("1", "5"): 1 - relu1(b4 - wr * r1 - wo * o2), ("1", "2"): 1 - relu1(b4 - wo * o1)}


def network_table(expected: dict[Fact, float], found: dict[Fact, float]) -> Table:
    """Figure 'Neural network constructed for s_1', and s_2."""
    rows = [(f"S({', '.join(fact)})", f"{value:.6f}", f"{found[fact]:.6f}") for fact, value in expected.items()]
    return Table(
        "The network of the running example",
        ("fact", "the paper's formulae", "ours"),
        tuple(rows),
        "Weights are stated, not learned; see the settings.",
    )


def pictures(program: Program) -> tuple[Drawing, ...]:
    """The activations and the example's network."""
    caption = "Activations: Lukasiewicz, product, LNN-and at alpha 0.7 and 0.9, LNN-or at 0.7"
    return (
        Drawing("activations.png", caption, draw_activations),
        Drawing("network.png", "The network of the running example", partial(draw_rule, program, SHOWN_WEIGHT)),
    )


EXPERIMENT = Experiment(
    "figures", "Truth tables, activations and the running example", "Figures 'truth tables', 'activations', 'A toy KB' "
    "and 'Neural network constructed for s_1'.", prepare,
)  # fmt: skip
