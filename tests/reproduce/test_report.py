"""A report survives JSON, and a document of another kind is refused."""

import json

import pytest
from tests.reproduce.reports import report

from rulewright.reproduce.report import report_from_json, report_to_json, with_deviation


def test_a_report_comes_back_from_json_as_it_was() -> None:
    assert report_from_json(json.loads(json.dumps(report_to_json(report())))) == report()


@pytest.mark.parametrize("change", [{"format": 2}, {"tables": [{}]}, {"unknown": 1}, {"rows": None}])
def test_another_document_is_no_report(change: dict[str, object]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        report_from_json(report_to_json(report()) | change)


def test_a_single_seed_has_no_deviation() -> None:
    assert with_deviation(0.9, 0.0, 1) == "0.900"
    assert with_deviation(0.9, 0.01, 3) == "0.900 ± 0.010"
