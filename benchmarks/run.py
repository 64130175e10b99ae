"""Run the benchmarks and write what they measured: results/NAME.json, and all of it as RESULTS.md.

python benchmarks/run.py grounding
python benchmarks/run.py completion [--data umls ...] [--presets best paper] [--seeds 3] [--split test]
python benchmarks/run.py countries [--seeds 3]
python benchmarks/run.py gridworld
python benchmarks/run.py cost
python benchmarks/run.py scale
python benchmarks/run.py rules
python benchmarks/run.py explorer [--run FOLDER ...]
python benchmarks/run.py report
"""

import argparse
from typing import Any

import completion
import cost
import explorer
import gridworld
import grounding
import scale
from record import read_result, write_result
from report import write_report
from rulewright.completion.complete import complete
from rulewright.kb.datasets import load_dataset
from rulewright.reproduce import countries_runs
from rulewright.reproduce.completion_runs import WITHOUT_NEGATION
from rulewright.reproduce.table_rules import rules_in


def main() -> None:
    """Run what was asked for, then rewrite the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "what",
        choices=("grounding", "completion", "countries", "gridworld", "cost", "scale", "rules", "explorer", "report"),
    )
    parser.add_argument("--data", nargs="+", default=completion.DATA)
    parser.add_argument("--presets", nargs="+", default=("best", WITHOUT_NEGATION, "paper"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--split", default="test")
    parser.add_argument("--run", nargs="+", default=(), help="explorer: run folders, instead of one learned now")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    figures: dict[str, Any]
    if asked.what == "grounding":
        write_result("grounding", grounding.measure(asked.repeats))
    elif asked.what == "completion":
        figures = completion.measure(tuple(asked.data), tuple(asked.presets), asked.seeds, asked.split)
        earlier = (read_result("completion") or {}).get("sets", {})  # sets measured before stay beside the new ones
        write_result("completion", figures | {"sets": earlier | figures["sets"]})
    elif asked.what == "countries":
        write_result("countries", {"seeds": asked.seeds, "tasks": countries_runs.measure(range(asked.seeds), told)})
    elif asked.what == "gridworld":
        write_result("gridworld", gridworld.measure())
    elif asked.what == "cost":
        figures = cost.measure()
        write_result("cost", figures)
        cost.draw(figures)
    elif asked.what == "scale":
        write_result("scale", scale.measured_and_drawn())
    elif asked.what == "rules":
        write_result("rules", {"rules": rules_in(complete(load_dataset("FB15k-237")))})
    elif asked.what == "explorer":
        write_result("explorer", explorer.measure(asked.run))
    print(write_report())


def told(done: int, note: str) -> None:
    """Progress, for whoever watches."""
    print(done, note, flush=True)


if __name__ == "__main__":
    main()
