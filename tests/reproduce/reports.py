"""Reports and experiments to test with: small, and with names that somebody might have put there on purpose."""

from pathlib import Path

from rulewright.reproduce.experiment import Drawing, Experiment, OnStep, Options, Outcome, Prepared
from rulewright.reproduce.journal import Journal
from rulewright.reproduce.report import Headline, Picture, Report, Table

HOSTILE = "<script>alert(1)</script> | `a` *b* \x1b[31m \u202e"
CIRCUMSTANCES = {
    "machine": "1 core",
    "python": "3.11",
    "libraries": {"numpy": "2.0"},
    "commit": "unknown",
}


def report(name: str = "umls", title: str = "UMLS", text: str = "treats(X, Y) :- isa(X, Y).") -> Report:
    return Report(
        name=name,
        title=title,
        paper="Table 1",
        protocol="filtered",
        headlines=(Headline("MRR", "0.900", "0.973"),),
        tables=(
            Table("Results", ("system", "MRR"), (("the paper", "0.900"), ("ours", "0.973")), "Means."),
            Table("Rules", ("weight", "rule"), (("1.000", text),), code=(1,)),
        ),
        pictures=(Picture("mrr.svg", "bars"),),
        remarks=(text,),
        settings={"length": 3, "name": text},
        seeds=(0, 1),
        code="abc",
        circumstances=CIRCUMSTANCES,
        seconds=1.5,
        figures={"mrr": [0.97, 0.98]},
    )


class Counted:
    """An experiment that counts how often its work was done."""

    def __init__(self, slow: bool = False, fails: bool = False) -> None:
        self.done, self.fails = 0, fails
        self.experiment = Experiment("toy", "A toy", "No table", self.prepare, slow)

    def prepare(self, options: Options) -> Prepared:
        return Prepared({"length": 3, "shape": (1, 2)}, options.seeds, 1, self.work)

    def work(self, on_step: OnStep, journal: Journal) -> Outcome:
        self.done += 1
        on_step(1, "seed 0")
        table = Table("Toy", ("what", "value"), (("runs", str(self.done)),))
        drawing = Drawing("dot.svg", "a dot", self.draw)
        return Outcome(
            "none", (Headline("runs", "1", str(self.done)),), (table,), {"runs": (self.done,)}, (), (drawing,)
        )

    def draw(self, path: Path) -> None:
        if self.fails:
            raise KeyboardInterrupt
        path.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
