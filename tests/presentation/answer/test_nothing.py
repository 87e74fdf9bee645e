"""Work that was refused has unknown figures, never zeros, and every surface says why."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.ask.batch_sweep import sweep_batches
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Group
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.answer.nothing import is_refused
from explorer.presentation.explain.explain import explain
from explorer.presentation.slide.finding import finding, subtitle
from explorer.presentation.slide.table import deciding_table
from explorer.presentation.views.decode import decode_view
from explorer.presentation.views.memory import memory_chart
from explorer.presentation.views.time import time_view
from tests.presentation.llama import evaluated

WHY = "This cannot be evaluated. The model type 'nosuch' is not supported"


@pytest.fixture(scope="module")
def refused() -> Evaluation:
    study = opening_study()
    model = replace(study.models[0], config={"model_type": "nosuch"})
    return evaluate(replace(study, models=(model,)), load_catalogue())


@pytest.mark.parametrize(
    "empty",
    [
        lambda e: time_view(e).empty_text,
        lambda e: memory_chart(e).empty_text,
        lambda e: decode_view(e, sweep_batches(e)).empty_text,
        subtitle,
    ],
)
def test_a_view_of_refused_work_says_why(empty: Callable[[Evaluation], str], refused: Evaluation) -> None:
    assert empty(refused).startswith(WHY)


def test_its_figure_is_titled_so_and_has_no_times(refused: Evaluation) -> None:
    assert finding(refused) == "The work of “Llama-3.1-8B decode” cannot be evaluated"
    assert {row.cells[3:] for row in deciding_table(refused).rows} == {("–", "–")}


def test_no_arithmetic_of_nothing_is_explained(refused: Evaluation) -> None:
    labels = [line.label for line in explain(refused).lines]
    assert "step, at least" not in labels
    assert "bandwidth" in labels


def test_groups_are_refused_work_too() -> None:
    study = opening_study()
    work = replace(study.workload, groups=(Group(context=100),))
    assert is_refused(evaluate(replace(study, workload=work), load_catalogue()))
    assert not is_refused(evaluated())
