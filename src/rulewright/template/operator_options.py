"""The @options of a node, as the operator that they choose."""

from collections.abc import Sequence

from rulewright.errors import nearest
from rulewright.template.bound import Norm, OperatorChoice
from rulewright.template.predicates import Report
from rulewright.template.syntax import Option

NORMS: dict[str, Norm] = {"lnn": "lnn", "attention": "attention", "product": "product", "lukasiewicz": "lukasiewicz"}
NAMES = (*NORMS, "alpha", "fixed")

LEAF_NORMS = ("lnn", "attention")
RULE_NORMS = ("lnn", "product", "lukasiewicz")


def operator_of(options: Sequence[Option], allowed: Sequence[str], what: str, report: Report) -> OperatorChoice:
    """The operator of a node with these options; `allowed` are the norms that such a node may have."""
    sound = [option for option in options if is_sound(option, allowed, what, report)]
    norm = agreed([option for option in sound if option.name in NORMS], report)
    alpha = agreed([option for option in sound if option.name == "alpha"], report)
    if norm is not None and alpha is not None and norm.name != "lnn":
        later = max(norm, alpha, key=lambda option: (option.place.line, option.place.column))
        report(f"{norm} and {alpha} contradict each other: only LNN operators have an alpha", later.place)
    return OperatorChoice(
        norm="lnn" if norm is None else NORMS[norm.name],
        alpha=None if alpha is None else alpha.value,
        fixed=any(option.name == "fixed" for option in sound),
    )


def is_sound(option: Option, allowed: Sequence[str], what: str, report: Report) -> bool:
    """Whether an option exists, has the value it needs, and fits the kind of node."""
    if option.name not in NAMES:
        known = ", ".join(f"@{name}" for name in NAMES)
        report(f"unknown option @{option.name}{nearest(option.name, NAMES)}; the options are {known}", option.place)
        return False
    if option.name == "alpha":
        if option.value is None:
            report("@alpha needs a value, e.g. @alpha(0.9)", option.place)
            return False
        if not 0.5 < option.value <= 1:  # the paper, section on propositional logic: low and high must not overlap
            report(f"alpha must lie in (1/2, 1], and {option.value:g} does not", option.place)
            return False
        return True
    if option.value is not None:
        report(f"@{option.name} takes no value", option.place)
        return False
    if option.name in NORMS and option.name not in allowed:
        choices = " or ".join(f"@{name}" for name in allowed)
        report(f"{what} cannot have @{option.name}; it can have {choices}", option.place)
        return False
    return True


def agreed(options: Sequence[Option], report: Report) -> Option | None:
    """The one thing that options of one kind say; a second, different one is reported."""
    for option in options[1:]:
        if option != options[0]:
            report(f"{options[0]} and {option} contradict each other on one node", option.place)
    return options[0] if options else None
