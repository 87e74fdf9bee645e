"""A cell's tip says how what stands under its figure was reckoned."""

from msgspec.structs import replace

from explorer.analysis.step.evaluate import evaluate
from explorer.presentation.compare.table import ComparedTable, compare_table
from tests.presentation.llama import catalogue, device, study


def table(**view: object) -> ComparedTable:
    of = study(device(), device("Other", bandwidth=3e12))
    return compare_table(evaluate(replace(of, view=replace(of.view, **view)), catalogue()))


def tips(of: ComparedTable, figure: str) -> list[str]:
    place = next(i for i, column in enumerate(of.columns) if column.figure == figure)
    return [line.entries[place].tip for line in of.lines]


def test_a_ratio_names_both_figures_and_the_baseline_nothing() -> None:
    assert tips(table(), "bandwidth") == ["", "3.00 TB/s / 2.00 TB/s = 1.50×"]
    assert tips(table(baseline="other"), "bandwidth")[0] == ""  # the baseline stands first


def test_a_difference_names_them_too() -> None:
    assert tips(table(compare_as="difference"), "bandwidth")[1] == "3.00 TB/s − 2.00 TB/s = +1.00 TB/s"


def test_a_range_says_both_ends() -> None:
    lines = tips(table(), "expected_low")[1].split("\n")
    assert len([line for line in lines if "=" in line]) == 2
