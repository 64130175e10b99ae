"""What the paper reports: the values our own stand beside. Fractions, where the paper prints percent."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ranking:
    """A row of the paper's table 'KBC Results'."""

    mrr: float
    hits_3: float
    hits_10: float


@dataclass(frozen=True)
class Size:
    """A row of the paper's table 'Statistics of KBC datasets'."""

    vertices: int
    predicates: int
    facts: int
    queries: int


OURS = "LNN (the paper)"

# Table 'KBC Results', by data set and system. The paper has no Hits@1.
COMPLETION: dict[str, dict[str, Ranking]] = {
    "kinship": {
        "NeuralLP": Ranking(0.488, 0.630, 0.891),
        "DRUM": Ranking(0.400, 0.482, 0.861),
        "CTP": Ranking(0.703, 0.797, 0.939),
        "RNNLogic": Ranking(0.645, 0.729, 0.911),
        OURS: Ranking(0.819, 0.893, 0.984),
    },
    "umls": {
        "NeuralLP": Ranking(0.553, 0.754, 0.930),
        "DRUM": Ranking(0.618, 0.912, 0.979),
        "CTP": Ranking(0.801, 0.910, 0.970),
        "RNNLogic": Ranking(0.710, 0.821, 0.911),
        OURS: Ranking(0.900, 0.983, 0.994),
    },
    "WN18RR": {
        "NeuralLP": Ranking(0.337, 0.433, 0.502),
        "DRUM": Ranking(0.348, 0.446, 0.521),
        "RNNLogic": Ranking(0.455, 0.475, 0.531),
        OURS: Ranking(0.473, 0.497, 0.555),
    },
    "FB15k-237": {
        "NeuralLP": Ranking(0.174, 0.198, 0.328),
        "DRUM": Ranking(0.175, 0.200, 0.331),
        "RNNLogic": Ranking(0.288, 0.315, 0.445),
        OURS: Ranking(0.307, 0.342, 0.470),
    },
}

SIZES = {
    "umls": Size(135, 49, 5216, 661),
    "kinship": Size(104, 26, 10686, 1074),
    "WN18RR": Size(40945, 11, 86835, 3134),
    "FB15k-237": Size(14505, 237, 272115, 20466),
}

# Table 'AUC-PR Results on Countries', by task and system.
COUNTRIES: dict[str, dict[str, float]] = {
    "S1": {"NLM": 0.5806, "NTP-lambda": 1.0, "CTP": 0.996, "NeuralLP": 1.0, OURS: 1.0},
    "S2": {"NLM": 0.4057, "NTP-lambda": 0.9304, "CTP": 0.924, "NeuralLP": 0.751, OURS: 0.923},
    "S3": {"NLM": 0.5337, "NTP-lambda": 0.7726, "CTP": 0.554, "NeuralLP": 0.922, OURS: 0.913},
}

# The appendix's "goal" for S2 and S3; for S1 it names none.
COUNTRIES_RULES = {
    "S2": "locatedIn(X, Z) :- neighborOf(X, Y), locatedIn(Y, Z).",
    "S3": "locatedIn(X, Z) :- neighborOf(X, W), neighborOf(W, Y), locatedIn(Y, Z).",
}

# Figures 'LNN-rule for Countries-S3' and 'LNN rule learned from Countries-S2': the conjunction's bias and weights, and
# for every step of the chain the mixture's bias, the weight of neighborOf and that of locatedIn.
COUNTRIES_CONNECTIVES: dict[str, tuple[float, ...]] = {"S2": (1.056, 1.059, 1.059), "S3": (1.119, 1.125, 1.125, 1.125)}
COUNTRIES_MIXTURES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "S2": ((0.0, 1.228, 0.002), (0.0, 0.04, 1.186)),
    "S3": ((0.0, 1.034, 0.042), (0.0, 1.033, 0.042), (0.0, 0.001, 1.075)),
}

# Figure 'Gridworld' (b): the rule for GoSouth.
GO_SOUTH = {
    "bias of LNN-and": 1.791,
    "weight of the obstacle's mixture": 2.239,
    "weight of the target's mixture": 2.322,
    "bias of the obstacle's mixture": 1.056,
    "weight of not HasObstacleSouth": 1.077,
    "bias of the target's mixture": 1.005,
    "weight of HasTargetSouth": 1.052,
}
GRIDS_TO_ALMOST_PERFECT = {"LNN": "20 or fewer", "NeuralLP operators": "a lot more"}  # in its words

# Figure 'A toy KB ...' (d): the facts that can arise.
GENERATED_FACTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "P": (("1", "2"), ("1", "5")),
    "Q": (("2", "5"),),
    "O": (("1", "2"), ("1", "5")),
    "PQ": (("1", "2", "5"),),
    "R": (("1", "5"),),
    "S": (("1", "5"), ("1", "2")),
}
