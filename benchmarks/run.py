"""Run the benchmarks and write what they measured: results/NAME.json, and all of it as RESULTS.md.

python benchmarks/run.py grounding
python benchmarks/run.py completion [--data umls ...] [--presets best paper] [--seeds 3] [--split test]
python benchmarks/run.py rules
python benchmarks/run.py report
"""

import argparse
from typing import Any

import completion
import grounding
import table_rules
from record import write_result
from report import write_report


def main() -> None:
    """Run what was asked for, then rewrite the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("grounding", "completion", "rules", "report"))
    parser.add_argument("--data", nargs="+", default=completion.DATA)
    parser.add_argument("--presets", nargs="+", default=("best", completion.WITHOUT_NEGATION, "paper"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--split", default="test")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    figures: dict[str, Any]
    if asked.what == "grounding":
        write_result("grounding", grounding.measure(asked.repeats))
    elif asked.what == "completion":
        figures = completion.measure(tuple(asked.data), tuple(asked.presets), asked.seeds, asked.split)
        write_result("completion", figures)
    elif asked.what == "rules":
        write_result("rules", table_rules.measure())
    print(write_report())


if __name__ == "__main__":
    main()
