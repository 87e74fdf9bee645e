"""What the window says of a refused edit: words and figures to read, no paths of a file."""

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.problem import Problem
from explorer.presentation.words.said.noticed import noticed


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("workload.batch", "Batch"),
        ("workload.context", "Context"),
        ("hardware[0].count", "Number of device 1"),
        ("hardware[11].device.peaks[0].rate", "Device 12"),
        ("operators[2].dims.m", "Operator 3"),
    ],
)
def test_a_part_is_named_by_its_word_and_its_limits_have_separators(path: str, part: str) -> None:
    values = {"low": 1, "high": 1048576, "got": 2000000}
    assert noticed(Problem("study.range", path, values)) == f"{part}: 1 to 1,048,576, not 2,000,000."


def test_other_faults_are_led_by_the_word_or_by_nothing() -> None:
    said = noticed(Problem("study.id", "hardware[0].device.name", {"limit": 2000}))
    assert said == "Name of device 1: One line of 1 to 2,000 printable characters is expected."
    assert (
        noticed(Problem("study.no_models", "active_model", {"id": "a"})) == "The study has no model “a”, nor any other."
    )
