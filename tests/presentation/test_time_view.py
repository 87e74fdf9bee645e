import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.presentation.views.time import TimeBar, TimeView, time_view
from tests.presentation.llama import catalogue, evaluated, study


def bar(view: TimeView, name: str) -> TimeBar:
    return next(b for b in view.bars if b.name == name)


def test_bars_are_sorted_by_time_and_shares_sum_to_one() -> None:
    view = time_view(evaluated())
    times = [b.time_share for b in view.bars]
    assert times == sorted(times, reverse=True)
    assert sum(times) == pytest.approx(1.0)
    assert sum(b.flop_share for b in view.bars) == pytest.approx(1.0)


def test_execution_order_is_that_of_the_rows() -> None:
    evaluation = evaluated()
    assert [b.name for b in time_view(evaluation, order="execution").bars] == [r.name for r in evaluation.rows]


def test_an_operator_without_flops_is_listed_and_says_so() -> None:
    assert bar(time_view(evaluated()), "embed_tokens").flop_percent == "no FLOPs"


def test_a_norm_whose_time_is_out_of_proportion_to_its_flops_is_seen_at_once() -> None:
    rows = (
        OwnRow(id="1", name="matmul", kind="matmul", dims={"m": 4096, "n": 4096, "k": 4096}),
        OwnRow(id="2", name="norm", kind="layer_norm", dims={"rows": 4096, "channels": 4096}),
    )
    view = time_view(evaluate(Study(hardware=study().hardware, operators=rows), catalogue()))
    norm = bar(view, "norm")
    assert norm.flop_share < 0.001
    assert norm.time_share > 0.1
    assert norm.note.endswith("its FLOP share")
    assert view.finding.startswith("Norms, activations and the like: 0.1 % of the FLOPs, 19.6 % of the time.")


def test_the_selection_travels_with_the_view() -> None:
    chosen = replace(study(), view=replace(study().view, selection=("up_proj",)))
    assert time_view(evaluate(chosen, catalogue())).selection == {"up_proj"}


def test_no_device_asks_for_one() -> None:
    assert "Choose a device" in time_view(evaluate(Study(), catalogue())).empty_text
