"""Measured figures as diamonds: where they stand, what they say, which are shown."""

import math

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Measurement
from explorer.presentation.look import Look
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Mark, Strip
from explorer.presentation.roofline.hover import describe_mark, describe_strip
from explorer.presentation.roofline.marks import LABELS, MANY
from explorer.presentation.roofline.measured import gap_of
from tests.presentation.llama import catalogue
from tests.presentation.roofline.made import device, placed

A = ("mlp.a_proj", 1e10, 1e9, 2.0)  # 1 ms a call, bound by memory
B = ("b", 1e13, 1e9, 1.0)  # 100 ms, bound by compute


def timed(ident: str = "1", on: str = "dev", **fields: object) -> Measurement:
    return Measurement(id=ident, **{"name": f"timed {ident}", "device": on, **fields})  # type: ignore[arg-type]


def counted(ident: str, **fields: object) -> Measurement:
    return timed(ident, **{"flops": 1e10, "bytes": 1e9, "time_s": 2e-3, **fields})  # type: ignore[arg-type]


def case(*measurements: Measurement, **work: object) -> Evaluation:
    return placed(A, B, measurements=measurements, **work)


def diamonds(found: Evaluation) -> tuple[Mark, ...]:
    return tuple(m for m in build_figure(found).every_mark if m.measured)


@pytest.mark.parametrize(
    ("seconds", "label", "gain", "over"),
    [
        (2e-3, "measured a, 50 % of bound", "up to 2.00×", False),
        (1.04e-3, "measured a, 96 % of bound", "up to 1.04×", False),
        (1.02e-3, "measured a, 98 % of bound", "", False),
        (1e-3, "measured a, 100 % of bound", "", False),
        (0.5e-3, "measured a, 200 % of bound: assumption broken", "", True),
    ],
)
def test_a_timed_row_stands_under_or_over_its_roof(seconds: float, label: str, gain: str, over: bool) -> None:
    (mark,) = diamonds(case(timed(row="mlp.a_proj", time_s=seconds, quartiles_s=(seconds / 2, seconds * 2))))
    assert (mark.x, mark.y) == (pytest.approx(1.0), pytest.approx(math.log10(1e10 / seconds)))
    assert (mark.label, mark.gain_text, mark.over) == (label, gain, over)
    assert (mark.rows, mark.device, mark.measurement, mark.shape) == (("mlp.a_proj",), "dev", "1", "diamond")
    assert (mark.ceiling, mark.bound, mark.active) == (pytest.approx(13.0), "memory", True)
    assert mark.area == pytest.approx(2e-3 / 0.102)
    assert mark.spread == (pytest.approx(mark.y - math.log10(2)), pytest.approx(mark.y + math.log10(2)))


def test_a_step_alone_needs_no_name_and_two_have_theirs() -> None:
    (alone,) = diamonds(case(timed(time_s=0.204)))
    assert (alone.label, alone.area, alone.bound, alone.spread) == ("measured, 49 % of bound", 1.0, "compute", None)
    (over,) = diamonds(case(timed(time_s=0.05)))
    assert over.label == "measured, 200 % of bound: assumption broken"
    both = diamonds(case(timed(time_s=0.2), timed("2", time_s=0.05, name="n" * 41)))
    assert [m.label for m in both] == ["timed 1: 50 % of bound", f"{'n' * 40}: 200 % of bound: assumption broken"]
    beside = diamonds(case(timed(time_s=0.2), timed("2", row="b", time_s=0.2)))
    assert [m.label for m in beside] == ["measured, 50 % of bound", "measured b, 50 % of bound"]


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, True),
        ({"on": "gone"}, False),
        ({"batch": 1}, True),
        ({"batch": 2}, False),
        ({"context": 2048, "phase": "decode"}, True),
        ({"context": 1024}, False),
        ({"phase": "prefill"}, False),
        ({"time_s": None}, False),
    ],
)
def test_a_measurement_of_other_work_or_another_device_waits(fields: dict[str, object], shown: bool) -> None:
    assert bool(diamonds(case(timed(**{"row": "b", "time_s": 0.2, **fields})))) is shown  # type: ignore[arg-type]


def test_a_measurement_of_a_hidden_device_is_not_shown_and_one_of_another_is_pale() -> None:
    found = placed(A, on=(device("Dev"), device("Two")), measurements=(timed(row="mlp.a_proj", time_s=2e-3, on="two"),))
    (mark,) = diamonds(found)
    assert (mark.device, mark.colour, mark.active) == ("two", 1, False)
    hidden = replace(found.study, hardware=(found.study.hardware[0], replace(found.study.hardware[1], visible=False)))
    assert diamonds(evaluate(hidden, catalogue())) == ()


def test_what_a_tool_counted_is_shown_whatever_the_work_is() -> None:
    first, second = diamonds(
        case(
            counted("1", calls=3.0),
            counted("2", flops=1e12, time_s=1e-2, batch=64, phase="prefill"),
            counted("3", on="gone", total_s=0.084),
            counted("4", flops=0.0),
            counted("5", bytes=None),
            counted("6", time_s=None, total_s=0.1),
        )
    )
    assert (first.x, first.y, first.label) == (
        pytest.approx(1.0), pytest.approx(math.log10(5e12)), "timed 1: 50 % of bound",
    )  # fmt: skip
    assert (second.x, second.y, second.label) == (
        pytest.approx(3.0), pytest.approx(14.0), "timed 2: 100 % of bound",
    )  # fmt: skip
    # 6 ms and 10 ms of 204 ms that all took: 6 + 10 + 84 + 2 + 2 + 100
    assert (first.area, second.area) == (pytest.approx(6 / 204), pytest.approx(10 / 204))


def test_the_largest_counted_have_names_and_very_many_small_ones_are_a_crowd() -> None:
    few = diamonds(case(*(counted(f"c{i}", calls=float(i + 1)) for i in range(LABELS + 3))))
    assert {m.measurement for m in few if m.label} == {f"c{i}" for i in range(3, LABELS + 3)}
    assert {m.gain_text for m in few} == {"", "up to 2.00×"}
    edge = build_figure(case(*(counted(f"c{i}", calls=float(i + 1)) for i in range(LABELS + MANY))))
    assert edge.crowds == ()
    many = build_figure(case(*(counted(f"c{i}", calls=float(i + 1)) for i in range(LABELS + MANY + 1))))
    (crowd,) = many.crowds
    assert len(crowd.marks) == MANY + 1
    assert sum(m.measured for m in many.marks) == LABELS
    assert not any(m.label for m in crowd.marks)


def test_the_marks_of_counted_figures_follow_axis_device_and_language() -> None:
    found = case(counted("1"))
    assert diamonds(found) == diamonds(found)
    per_value = [m for m in build_figure(found, per_value=True).marks if m.measured]
    assert per_value[0].x == pytest.approx(1.0 + math.log10(2))
    loud = Look(translate=lambda _context, text: text.replace("of bound", "OF BOUND"))
    assert [m.label for m in build_figure(found, look=loud).marks if m.measured] == ["timed 1: 50 % OF BOUND"]
    assert [m.label for m in build_figure(found).marks if m.measured] == ["timed 1: 50 % of bound"]


def test_the_gap_of_a_measurement_is_found_by_its_id() -> None:
    found = case(timed(row="b", time_s=0.2))
    gap = gap_of(found, "1")
    assert gap is not None
    assert gap.efficiency == pytest.approx(0.5)
    assert gap_of(found, "2") is None


def test_the_card_of_a_measured_row_tells_time_rates_share_and_verdict() -> None:
    found = case(timed(row="mlp.a_proj", time_s=2e-3))
    assert describe_mark(found, diamonds(found)[0]).split("\n") == [
        "measured a, 50 % of bound on Dev",
        "time\t2.00 ms",
        "reached\t5.00 TFLOP/s",
        "attainable\t10.0 TFLOP/s",
        "50 % of the bound",
        "50 % of the bound: some room, up to 2.00× where memory sets the bound.",
    ]


def test_the_card_of_a_point_over_its_roof_tells_no_more_than_three_causes() -> None:
    found = case(counted("1", flops=1e13, time_s=0.05, quartiles_s=(0.04, 0.06), cached=True))
    lines = describe_mark(found, diamonds(found)[0]).split("\n")
    assert lines[4] == "200 % of the bound"
    assert len(lines) <= 5 + 1 + 3
    assert lines[5].startswith("200 % of the bound: an assumption is broken.")
    assert lines[6].startswith("1. ")


def test_the_card_of_an_unnamed_one_is_headed_by_what_was_timed() -> None:
    found = case(*(counted(f"c{i}", calls=float(i + 1)) for i in range(LABELS + 1)))
    unnamed = next(m for m in diamonds(found) if not m.label)
    assert describe_mark(found, unnamed).split("\n")[0] == "timed c0 on Dev"


def test_the_card_of_a_row_tells_calls_only_where_there_are_several() -> None:
    found = case()
    cards = {m.rows: describe_mark(found, m).split("\n") for m in build_figure(found).marks}
    assert cards[("mlp.a_proj",)] == [
        "mlp.a_proj on Dev",
        "intensity\t10.0 FLOP/byte",
        "attainable\t10.0 TFLOP/s",
        "waits for\tmemory",
        "time\t2 calls of 1.00 ms, 2.0 % of the step",
    ]
    assert cards[("b",)][-1] == "time\t100 ms a step, 98 % of it"


@pytest.mark.parametrize(
    ("overhead", "lines"), [(1.004e-6, []), (1.006e-6, ["reached\t9.94 TFLOP/s, 99 % of the roof"])]
)
def test_what_is_reached_is_told_under_the_roof_only(overhead: float, lines: list[str]) -> None:
    found = placed(("near", 1e7, 1e6, 1.0), on=(device(launch=overhead),), launch="eager")
    card = describe_mark(found, build_figure(found).marks[0]).split("\n")
    assert [line for line in card if line.startswith("reached")] == lines


def test_the_card_of_a_ring_lists_eight_rows_and_the_whole() -> None:
    rows = [(f"r{i}", 1e9, 1e9, float(i + 1)) for i in range(10)]
    found = placed(*rows)
    card = describe_mark(found, build_figure(found).marks[0]).split("\n")
    assert card[0] == "r9, r8, r7 + 7 more · 100 % of time on Dev"
    assert card[1:5] == [
        "intensity\t1.00 FLOP/byte",
        "attainable\t1.00 TFLOP/s",
        "waits for\tmemory",
        "together\t55.0 ms operator by operator, 100 % of the step",
    ]
    assert card[5:] == [
        f"r{i}\t{share}"
        for i, share in zip(
            range(9, 1, -1), ("18 %", "16 %", "15 %", "13 %", "11 %", "9.1 %", "7.3 %", "5.5 %"), strict=True
        )
    ]


def test_a_ring_of_another_device_is_headed_by_three_of_its_rows() -> None:
    rows = [(f"mlp.r{i}_proj", 1e9, 1e9, 1.0) for i in range(4)]
    found = placed(*rows, on=(device("Dev"), device("Two")))
    pale = next(m for m in build_figure(found).marks if not m.active)
    assert describe_mark(found, pale).split("\n")[0] == "r0, r1, r2 on Two"


def test_marks_of_what_is_gone_say_what_they_can() -> None:
    found = case()
    nowhere = Mark(1.0, 12.0, ("x",), "gone", 0, "label", 0.1)
    assert describe_mark(found, nowhere) == "label"
    no_row = Mark(1.0, 12.0, ("x",), "dev", 0, "label", 0.1, ceiling=13.0)
    assert describe_mark(found, no_row).split("\n") == [
        "label on Dev", "reached\t1.00 TFLOP/s", "attainable\t10.0 TFLOP/s", "10 % of the bound",
    ]  # fmt: skip
    assert describe_mark(found, replace(no_row, ceiling=None)).split("\n") == ["label on Dev", "reached\t1.00 TFLOP/s"]


def test_the_card_of_the_strip_says_why_it_stands_there() -> None:
    found = placed(("moves", 0, 1e9, 1.0), ("b", 1e9, 3e9, 1.0))
    (strip,) = build_figure(found).strips
    assert describe_strip(found, strip).split("\n") == [
        "moves on Dev", "no FLOPs: it only moves bytes", "time\t25 %",
    ]  # fmt: skip
    gone = Strip(("moves",), "gone", 0, "", 0.5)
    assert describe_strip(found, gone).split("\n")[0] == "moves on "
