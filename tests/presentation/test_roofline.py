import math
import time

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import MeasuredRate
from explorer.analysis.study.study import Measurement, Study, View
from explorer.presentation.look import Look
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Mark
from explorer.presentation.roofline.hover import describe_mark, describe_strip
from tests.plot.drawing import (
    A100,
    H100,
    MI300X,
    decode_study,
    device,
    evaluated,
    matmul_study,
    measured,
    random_study,
)


def _active(marks: tuple[Mark, ...]) -> list[Mark]:
    return [m for m in marks if m.active and not m.measured]


def test_roofs_are_the_visible_devices_in_log_units() -> None:
    study = decode_study()
    hidden = replace(study, hardware=(study.hardware[0], replace(study.hardware[1], visible=False), study.hardware[2]))
    figure = build_figure(evaluated(hidden))
    assert [r.name for r in figure.roofs] == ["H100", "MI300X"]
    h100 = figure.roofs[0]
    assert h100.peak == pytest.approx(math.log10(989.4e12))
    assert h100.bandwidth == pytest.approx(math.log10(3.35e12))
    assert (h100.peak_text, h100.bandwidth_text, h100.ridge_text) == ("989 TFLOP/s", "3.35 TB/s", "ridge 295")
    assert figure.roofs[1].peak_text == "1,307 TFLOP/s"


def test_coincident_operators_are_one_ring_whose_label_lists_the_biggest() -> None:
    figure = build_figure(evaluated(decode_study()))
    ring = max(_active(figure.marks), key=lambda m: m.area)
    assert set(ring.rows) == {
        "gate_proj", "up_proj", "down_proj", "q_proj", "k_proj", "v_proj", "o_proj", "lm_head",
    }  # fmt: skip
    assert ring.label == "gate, up, down + 5 more · 78 % of time"
    assert [m.label for m in _active(figure.marks) if m.rows == ("attention",)] == ["attention · 22 %"]


def test_a_zoom_fans_a_ring_out() -> None:
    evaluation = evaluated(decode_study())
    ring = max(_active(build_figure(evaluation).marks), key=lambda m: m.area)
    near = ((ring.x - 0.02, ring.x + 0.02), (ring.y - 0.02, ring.y + 0.02))
    zoomed = [m for m in _active(build_figure(evaluation, ranges=near).marks) if set(m.rows) & set(ring.rows)]
    assert len(zoomed) > 1
    assert sum(m.area for m in zoomed) == pytest.approx(ring.area)


def test_shares_of_the_marks_and_the_strip_are_the_whole_step() -> None:
    figure = build_figure(evaluated(decode_study()))
    assert sum(m.area for m in _active(figure.marks)) + sum(s.area for s in figure.strips) == pytest.approx(1.0)


def test_every_visible_device_has_points_but_only_the_active_one_has_labels() -> None:
    study = replace(decode_study(), view=View(active_hardware="d1"))
    figure = build_figure(evaluated(study))
    assert {m.device for m in figure.marks} == {"d0", "d1", "d2"}
    assert {m.device for m in figure.marks if m.label} == {"d1"}
    assert {m.device for m in build_figure(evaluated(study), all_devices=False).marks} == {"d1"}


def test_the_default_ranges_hold_every_point_ridge_and_peak() -> None:
    for seed in range(80):
        figure = build_figure(evaluated(random_study(seed)))
        for mark in figure.marks:
            assert figure.x_range[0] < mark.x < figure.x_range[1]
            assert figure.y_range[0] < mark.y < figure.y_range[1]
        for roof in figure.roofs:
            assert roof.ridge is not None
            assert figure.x_range[0] < roof.ridge < figure.x_range[1]
            assert roof.peak is not None
            assert figure.y_range[0] < roof.peak < figure.y_range[1]


def test_per_value_moves_points_and_ridges_by_the_bytes_of_a_value_and_says_so() -> None:
    evaluation = evaluated(decode_study())
    by_byte, by_value = build_figure(evaluation, per_value=False), build_figure(evaluation, per_value=True)
    assert by_byte.x_title == "Arithmetic intensity (FLOP/byte, HBM3 traffic)"
    assert by_value.x_title == "Arithmetic intensity (FLOP per bf16 value, HBM3 traffic)"
    assert by_value.roofs[0].ridge_text == "ridge 591"  # 295 FLOP/byte at two bytes a value
    for one, other in zip(by_byte.marks, by_value.marks, strict=True):
        assert other.x - one.x == pytest.approx(math.log10(2))
        assert other.y == one.y


def test_memory_of_different_kinds_is_called_memory() -> None:
    laptop = device("Laptop", 16e12, 546e9, level="LPDDR5X")
    assert "memory traffic" in build_figure(evaluated(decode_study(H100, laptop))).x_title
    other = device("B200", 2250e12, 8e12, level="HBM3e")
    assert "HBM traffic" in build_figure(evaluated(decode_study(H100, other))).x_title


def test_the_zone_ends_at_the_ridge_of_the_active_device() -> None:
    study = replace(decode_study(), view=View(active_hardware="d1"))
    figure = build_figure(evaluated(study))
    assert figure.zone == pytest.approx(math.log10(312e12 / 2.039e12))


def test_a_measured_point_stands_under_its_bound_with_its_share() -> None:
    bound = 2 * 4096**3 / 989.4e12
    figure = build_figure(evaluated(measured(matmul_study(), "matmul", 0.74, bound)))
    mark = next(m for m in figure.marks if m.measured)
    assert (mark.shape, mark.over) == ("diamond", False)
    assert mark.label == "measured matmul, 74 % of bound"
    assert 10 ** (mark.y - mark.ceiling) == pytest.approx(0.74)
    assert mark.gain_text == "up to 1.35×"


def test_a_measurement_above_its_bound_is_flagged_with_likely_causes() -> None:
    bound = 2 * 4096**3 / 989.4e12
    evaluation = evaluated(measured(matmul_study(), "matmul", 1.12, bound))
    mark = next(m for m in build_figure(evaluation).marks if m.measured)
    assert mark.over
    assert mark.label == "measured matmul, 112 % of bound: assumption broken"
    text = describe_mark(evaluation, mark)
    assert "1. A clock above the sheet" in text
    assert "cache" not in text  # it waits for compute


def test_a_measurement_of_other_work_waits_for_that_work() -> None:
    def with_batch(batch: int | None) -> Study:
        one = Measurement(id="1", name="t", device="d0", tokens_per_s=1000.0, batch=batch)
        return replace(decode_study(), measurements=(one,))

    assert [m.measured for m in build_figure(evaluated(with_batch(4))).marks].count(True) == 0
    mark = next(m for m in build_figure(evaluated(with_batch(8))).marks if m.measured)
    floor = evaluated(decode_study()).devices[0].totals.floor_s
    assert 10 ** (mark.y - mark.ceiling) == pytest.approx(floor / (8 / 1000.0))


def test_launch_bound_points_hang_under_the_roof_with_the_way_up() -> None:
    from explorer.analysis.catalogue.device import LaunchOverhead

    slow = replace(H100, launch_overhead=LaunchOverhead(seconds=10e-6))
    study = replace(matmul_study(16, 16, 16, slow), workload=replace(decode_study().workload, launch="eager"))
    mark = build_figure(evaluated(study)).marks[0]
    assert mark.bound == "overhead"
    assert mark.ceiling is not None
    assert mark.y < mark.ceiling
    assert mark.gain_text.startswith("up to ")


def test_a_second_peak_is_a_roof_only_where_a_row_meets_it() -> None:
    assert build_figure(evaluated(decode_study())).roofs[0].lower_peaks == ()
    weak = device("Weak vectors", 989e12, 3.35e12, vector=0.5e12)
    lower = build_figure(evaluated(decode_study(weak))).roofs[0].lower_peaks
    assert [text for _, text in lower] == ["500 GFLOP/s, fp32 on vector units"]


@pytest.mark.parametrize(
    ("reached", "told"),
    [
        (242e12, "210 TFLOP/s, measured 242 TFLOP/s"),
        (209.5e12, "210 TFLOP/s"),
        (150e12, "210 TFLOP/s"),
        (None, "210 TFLOP/s"),
    ],
)
def test_a_measured_peak_is_a_line_of_its_own_only_above_the_sheets(reached: float | None, told: str) -> None:
    plain = device("Card", 209.5e12, 1.79e12, vector=105e12)
    peak = replace(plain.peaks[0], measured=None if reached is None else MeasuredRate(rate=reached))
    (roof,) = build_figure(evaluated(decode_study(replace(plain, peaks=(peak, *plain.peaks[1:]))))).roofs
    assert (roof.peak, roof.peak_text) == (pytest.approx(math.log10(209.5e12)), told)
    assert [y for y, _ in roof.lower_peaks] == ([pytest.approx(math.log10(242e12))] if reached == 242e12 else [])


def test_hover_tells_intensity_attainable_limiter_and_share() -> None:
    evaluation = evaluated(decode_study())
    attention = next(m for m in build_figure(evaluation).marks if m.rows == ("attention",) and m.active)
    lines = dict(line.split("\t") for line in describe_mark(evaluation, attention).splitlines()[1:])
    assert lines["intensity"] == "4.00 FLOP/byte"
    assert lines["attainable"] == "13.4 TFLOP/s"
    assert lines["waits for"] == "memory"
    assert "22 % of the step" in lines["time"]


def test_hover_on_a_ring_lists_its_rows() -> None:
    evaluation = evaluated(decode_study())
    ring = max(build_figure(evaluation).marks, key=lambda m: len(m.rows))
    text = describe_mark(evaluation, ring)
    assert all(f"{name}\t" in text for name in ring.rows)
    strip = build_figure(evaluation).strips[0]
    assert "no FLOPs" in describe_strip(evaluation, strip)


def test_texts_go_through_the_translation() -> None:
    seen: list[str] = []

    def translate(context: str, text: str) -> str:
        seen.append(text)
        return text.upper() if "{" not in text else text

    figure = build_figure(evaluated(decode_study()), look=Look(translate=translate))
    assert figure.memory_zone_text == "WAITS FOR MEMORY"
    assert "ridge {ridge}" in seen


def test_a_hopeless_range_in_a_file_is_not_used() -> None:
    study = replace(decode_study(), view=View(x_range=(math.nan, 1.0), y_range=(0.0, math.inf)))
    assert build_figure(evaluated(study)).fitted


def test_a_figure_of_six_devices_is_built_within_a_slice_of_a_frame() -> None:
    evaluation = evaluated(decode_study(H100, A100, MI300X, *(device(f"D{i}", 1e15, 1e12 * i) for i in (1, 2, 3))))
    build_figure(evaluation)
    best = min(_timed(evaluation) for _ in range(20))
    assert best < 0.004  # 0.5 ms on a free core


def _timed(evaluation: object) -> float:
    start = time.perf_counter()
    build_figure(evaluation)  # type: ignore[arg-type]
    return time.perf_counter() - start
