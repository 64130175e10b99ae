"""What happened during training: every epoch's loss, as records, in a line, and as a curve in a notebook."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby

from rulewright.logic.markup import Shown, card, note, table, title
from rulewright.training.curve import Curve, curves_svg


@dataclass(frozen=True)
class Epoch:
    """One pass over the positives. Epoch 0 is the start; a last one may stand for the removal of needless weights.

    loss     mean over the batches, sparsity included, of the values before each step
    fitting  of the values after the epoch, without sparsity: on the validation facts, or on all where there are none
    judged   the same with sparsity: the loss that decides
    seconds  since the start of this training
    """

    restart: int
    epoch: int
    loss: float
    fitting: float
    judged: float
    seconds: float


@dataclass
class History(Shown):
    """What happened during training; `best` is the epoch whose values were kept."""

    epochs: list[Epoch] = field(default_factory=list)
    best: Epoch | None = None

    def rows(self) -> list[dict[str, float | int]]:
        """The epochs as plain records."""
        return [asdict(epoch) for epoch in self.epochs]

    def restarts(self) -> list[list[Epoch]]:
        """The epochs of each training, in order."""
        return [list(epochs) for _, epochs in groupby(self.epochs, key=lambda epoch: epoch.restart)]

    def __str__(self) -> str:
        if self.best is None:
            return "nothing was trained"
        restarts = self.restarts()
        trained = sum(epochs[-1].epoch for epochs in restarts)
        return (
            f"{trained:,} epochs in {len(restarts)} start{'s' * (len(restarts) > 1)}; "
            f"kept: epoch {self.best.epoch} of start {self.best.restart + 1}, loss {self.best.judged:.4f}"
        )

    def _repr_html_(self) -> str:
        """A card: the loss by epoch as a curve, and where every training began and came to."""
        return card(history_html(self))


def history_html(history: History) -> str:
    """A history as HTML, without the frame."""
    best, restarts = history.best, history.restarts()
    if best is None:
        return note("Nothing was trained.")
    curves = [curve(epochs, epochs[0].restart == best.restart) for epochs in restarts]
    head = ["start", "epochs", "first loss", "last loss", "best loss", "without sparsity"]
    return "\n".join(
        [
            title("Training"),
            curves_svg(curves, (best.epoch, best.judged), ("epoch", "loss")),
            table(head, [restart_row(epochs, best) for epochs in restarts], len(head)),
            note(f"The values of epoch {best.epoch} of start {best.restart + 1} were kept."),
        ]
    )


def curve(epochs: Sequence[Epoch], counts: bool) -> Curve:
    """The loss that decides, by epoch, of one training."""
    return Curve(f"start {epochs[0].restart + 1}", [(epoch.epoch, epoch.judged) for epoch in epochs], counts)


def restart_row(epochs: Sequence[Epoch], kept: Epoch) -> list[str]:
    """One training in figures; of the one that was kept, the epoch that was."""
    best = kept if epochs[0].restart == kept.restart else min(epochs, key=lambda epoch: epoch.judged)
    losses = (epochs[0].judged, epochs[-1].judged, best.judged, best.fitting)
    return [str(best.restart + 1), str(epochs[-1].epoch), *(f"{loss:.4f}" for loss in losses)]
