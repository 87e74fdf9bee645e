"""A comparison for a spreadsheet or a page: base units and full precision, or as on screen."""

import csv
import io

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.report.compared_table import compared_text
from tests.presentation.llama import catalogue, device, study

OTHER = device("Other", bandwidth=3e12, capacity=None)


def compared(**view: object) -> Evaluation:
    of = study(device(), OTHER)
    return evaluate(replace(of, view=replace(of.view, **view)), catalogue())


@pytest.mark.parametrize(("kind", "separator"), [("csv", ","), ("tsv", "\t")])
def test_a_spreadsheet_gets_base_units_and_a_ratio_beside_each_figure(kind: str, separator: str) -> None:
    rows = list(csv.DictReader(io.StringIO(compared_text(compared(), kind)), delimiter=separator))
    assert [(r["Machine"], r["baseline"]) for r in rows] == [("Round", "1"), ("Other", "0")]
    assert [r["bandwidth (B/s)"] for r in rows] == ["2000000000000", "3000000000000"]
    assert [r["bandwidth, ratio to the baseline"] for r in rows] == ["1", "1.5"]
    assert [float(r["at least (s)"]) > 0 for r in rows] == [True, True]
    assert rows[1]["capacity (B)"] == ""  # nobody published it


def test_another_baseline_turns_the_ratios_round() -> None:
    rows = list(csv.DictReader(io.StringIO(compared_text(compared(baseline="other"), "csv"))))
    ratios = {r["Machine"]: r["bandwidth, ratio to the baseline"] for r in rows}
    assert ratios["Other"] == "1"
    assert float(ratios["Round"]) == pytest.approx(2 / 3)


def test_a_page_has_the_figures_as_on_screen_under_the_finding() -> None:
    text = compared_text(compared(), "md")
    lines = text.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 4
    assert "3.00 TB/s, 1.50×" in table[3]
    assert lines[0]
    assert not lines[0].startswith("|")


def test_what_varies_is_what_the_view_says() -> None:
    rows = list(csv.reader(io.StringIO(compared_text(compared(vary="formats"), "csv"))))
    assert rows[0][0] == "Formats"
    assert len(rows) > 4
