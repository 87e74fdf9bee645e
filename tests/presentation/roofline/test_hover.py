"""What the card over a point says of the same operators on other devices."""

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import View
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.hover import describe_mark, describe_strip
from tests.presentation.roofline.made import Placed, device, placed

CATALOGUE = load_catalogue(devices=False)
ONE: Placed = ("m", 1e9, 1e9, 1.0)  # 1 ms on 1 TB/s


def opened() -> Evaluation:
    study = opening_study()
    return evaluate(replace(study, workload=replace(study.workload, batch=256, context=1024)), CATALOGUE)


def card(evaluation: Evaluation, row: str, on: int = 0) -> dict[str, str]:
    entry = evaluation.study.hardware[on].id
    mark = next(m for m in build_figure(evaluation).every_mark if m.device == entry and row in m.rows)
    lines = [line.partition("\t") for line in describe_mark(evaluation, mark).split("\n")]
    return {label: figure for label, _, figure in lines}


def test_the_card_of_the_baseline_has_the_others_times_with_their_ratios() -> None:
    """862 us and 334 us: 2 x 256 x 128,256 x 4,096 FLOP on 312 TFLOP/s; 1.12 GB on 3.35 TB/s."""
    found = card(opened(), "lm_head")
    assert found["on A100 SXM4 80GB"] == "compute, 862 µs, 2.58×"
    assert found["on MI300X"] == "211 µs, 0.63×"
    assert not any(label.startswith("beside") for label in found)


def test_the_card_of_another_device_has_its_own_ratio_to_the_baseline() -> None:
    found = card(opened(), "lm_head", on=1)
    assert found["beside H100 SXM5"] == "2.58× the time"
    assert found["on H100 SXM5"] == "memory, 334 µs, 1×"
    assert found["on MI300X"] == "memory, 211 µs, 0.63×"


def test_a_ring_is_compared_by_all_its_calls_and_names_their_sum() -> None:
    found = card(opened(), "k_proj", on=1)
    # 32 calls of two matmuls of 6.88 us and of 3.29 us
    assert found["together"] == "441 µs operator by operator, 1.5 % of the step"
    assert found["beside H100 SXM5"] == "2.09× the time"
    assert found["on H100 SXM5"] == "memory, 210 µs, 1×"
    assert {"k_proj", "v_proj"} <= found.keys()


def test_an_operator_without_flops_is_compared_too() -> None:
    evaluation = opened()
    strip = next(s for s in build_figure(evaluation).strips if s.device == evaluation.study.hardware[0].id)
    lines = describe_strip(evaluation, strip).split("\n")
    assert "on A100 SXM4 80GB\t2.06 µs, 1.64×" in lines  # 4.19 MB on 2.039 and 3.35 TB/s


def test_many_devices_are_counted_and_none_is_told_beside_one() -> None:
    many = placed(ONE, on=tuple(device(f"D{i}") for i in range(10)), view=View(active_hardware="d0"))
    found = card(many, "m")
    assert [label for label in found if label.startswith("on D")] == [f"on D{i}" for i in range(1, 7)]
    assert "on 3 more devices, see the table" in found
    assert not any(label.startswith("on ") for label in card(placed(ONE), "m"))


def test_a_time_that_lacks_its_launches_has_no_ratio() -> None:
    case = placed(ONE, on=(device(launch=1e-6), device("Two")), launch="eager", view=View(active_hardware="dev"))
    assert card(case, "m")["on Two"] == "≥ 1.00 ms"
    long = placed(ONE, on=(device(), device("Long " * 20)))
    assert any(
        label.startswith("on Long Long") and figure == "1.00 ms, 1.00×" for label, figure in card(long, "m").items()
    )
