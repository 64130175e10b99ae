"""RuleLearner: the same pipeline in the manner of scikit-learn, without needing it."""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.errors import NotFittedError, OptionError
from rulewright.kb.knowledge_base import KnowledgeBase, names_of
from rulewright.learning import Learned, learn
from rulewright.lnn.device import Device
from rulewright.lnn.network import DEFAULT_ALPHA
from rulewright.logic.program import Program
from rulewright.template.syntax import Template
from rulewright.training.fit import FitOptions
from rulewright.training.labels import Labels


class RuleLearner:
    """Learns rules for a template; `fit` takes facts and labels, `predict` says which facts hold.

    >>> from rulewright import FitOptions, KnowledgeBase, RuleLearner
    >>> kb = KnowledgeBase.of({"parent": [("ann", "bob"), ("bob", "cy"), ("bob", "di")]})
    >>> learner = RuleLearner("knows(Y, X) :- P(X, Y). P in {parent, parent^-1}.", FitOptions(epochs=50))
    >>> learner.fit(kb, [("bob", "ann"), ("cy", "bob"), ("di", "bob")]).predict([("di", "bob"), ("bob", "di")])
    array([ True, False])
    """

    def __init__(
        self,
        template: Template | str,
        options: FitOptions | None = None,
        *,
        alpha: float = DEFAULT_ALPHA,
        threshold: float = 0.5,
        unlisted: str = "auto",
        impossible: str = "error",
        device: Device = "cpu",
    ) -> None:
        self.template = template
        self.options = options
        self.alpha = alpha
        self.threshold = threshold
        self.unlisted = unlisted
        self.impossible = impossible
        self.device = device

    def fit(self, kb: KnowledgeBase, labels: Labels | str | None = None) -> "RuleLearner":
        """Learn from facts and labels; see `learn`."""
        settings = {name: value for name, value in self.get_params().items() if name not in ("template", "options")}
        self.learned_ = learn(kb, self.template, labels, self.options, **settings)
        return self

    def predict(self, facts: Iterable[Sequence[object]], kb: KnowledgeBase | None = None) -> NDArray[np.bool_]:
        """For each head fact whether it holds, over the facts it was fitted on or over others."""
        return np.asarray(self.predict_truth(facts, kb) >= self.threshold)

    def predict_truth(self, facts: Iterable[Sequence[object]], kb: KnowledgeBase | None = None) -> NDArray[np.float64]:
        """For each head fact its truth; 0 for one that cannot arise."""
        truths = self.fitted.truths(kb)
        return np.array([truths.get(names_of(fact, "predict"), 0.0) for fact in facts])

    @property
    def program_(self) -> Program:
        """The learned rules."""
        return self.fitted.program

    @property
    def fitted(self) -> Learned:
        """What `learn` returned."""
        if not hasattr(self, "learned_"):
            raise NotFittedError("call fit(kb, labels) first")
        return self.learned_

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments, so that scikit-learn can clone the learner."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> "RuleLearner":
        """Change constructor arguments."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise OptionError(f"RuleLearner has no parameter {name}; it has {', '.join(known)}")
            setattr(self, name, value)
        return self
