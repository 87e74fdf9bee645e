"""Ratios of two machines, worked out by hand, and why there is none where there is none."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.ratios import (
    Ratio,
    fastest_other,
    operators_time,
    ratio_of,
    row_time,
    speed,
    step_s,
    without_room,
)
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import DeviceResult, Evaluation, evaluate
from explorer.api.studies import new_study
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from tests.analysis.ask.made import modelled
from tests.analysis.making import device, own, study

CATALOGUE = load_catalogue(devices=False)
MATMUL = own("up", "matmul", m=4096, n=4096, k=4096)  # 137.4 GFLOP, 100.7 MB: 1,365 FLOP/byte
COPY = own("copy", "copy", values=1e9)  # 2 bytes read, 2 written: 4 GB


def of(
    name: str,
    rate: float = 300e12,
    bandwidth: float = 2e12,
    capacity: float | None = 80e9,
    launch: float | None = None,
) -> Device:
    return device(rate, bandwidth, capacity, ident=name, launch=launch)


def pair(evaluation: Evaluation) -> tuple[DeviceResult, DeviceResult]:
    one, other = evaluation.devices[:2]
    return one, other


def test_one_figure_as_a_multiple_of_another_or_why_not() -> None:
    assert ratio_of(3.0, 2.0) == Ratio(1.5)
    assert ratio_of(None, 2.0) == ratio_of(2.0, None) == Ratio(None, "unknown")
    assert ratio_of(2.0, 0.0) == ratio_of(0.0, 2.0) == Ratio(None, "nothing")


def test_a_step_that_waits_for_memory_is_as_fast_as_the_bandwidths_have_it() -> None:
    evaluation = evaluate(opening_study(), CATALOGUE)
    h100, a100, mi300x = evaluation.devices
    # 19.3 GB on 3.35, 2.039 and 5.3 TB/s
    assert speed(evaluation, a100, h100).value == pytest.approx(2.039 / 3.35, rel=1e-3)
    assert speed(evaluation, mi300x, h100).value == pytest.approx(5.3 / 3.35, rel=1e-3)
    assert speed(evaluation, h100, a100).value == pytest.approx(3.35 / 2.039, rel=1e-3)
    tokens = a100.totals.tokens_per_s / h100.totals.tokens_per_s  # type: ignore[operator]
    assert speed(evaluation, a100, h100).value == pytest.approx(float(tokens), rel=1e-12)


def test_operators_follow_what_each_waits_for() -> None:
    """Half the peak, a quarter of the bandwidth: 458 us and 916 us of compute, 2 and 8 ms of memory."""
    evaluation = evaluate(study(MATMUL, COPY, on=(of("fast"), of("slow", 150e12, 0.5e12))), CATALOGUE)
    fast, slow = pair(evaluation)
    assert [row_time(p, q).value for p, q in zip(slow.points, fast.points, strict=True)] == pytest.approx([2.0, 4.0])
    # (0.916 + 8) / (0.458 + 2) ms
    assert operators_time(slow, fast).value == pytest.approx(8.91626 / 2.45813, rel=1e-4)
    assert step_s(evaluation, slow) == float(slow.totals.time_s)
    assert speed(evaluation, slow, fast).value == pytest.approx(2.45813 / 8.91626, rel=1e-4)


def test_routing_is_in_the_ratio_where_it_matters() -> None:
    moe = new_study("Qwen3-30B-A3B", ["H100 SXM5", "MI300X"], context=1024, batch=8)
    evaluation = evaluate(moe, load_catalogue(devices=False))
    one, other = pair(evaluation)
    assert one.totals.routing_matters
    assert step_s(evaluation, one) == float(one.totals.routed.seconds) > float(one.totals.floor_s)
    rates = float(other.totals.routed.tokens_per_s) / float(one.totals.routed.tokens_per_s)  # type: ignore[arg-type]
    assert speed(evaluation, other, one).value == pytest.approx(rates, rel=1e-12)


def test_a_step_without_room_has_no_speed_and_its_operators_keep_theirs() -> None:
    evaluation = evaluate(
        modelled(on=(of("full", capacity=10e9), of("roomy"), of("unknown", capacity=None))), CATALOGUE
    )
    full, roomy, unknown = evaluation.devices
    assert speed(evaluation, full, roomy) == Ratio(None, "no_room")
    assert speed(evaluation, roomy, full) == operators_time(roomy, full) == Ratio(None, "no_room_before")
    assert operators_time(full, roomy) == Ratio(None, "no_room")
    assert speed(evaluation, unknown, roomy).value == 1.0
    assert row_time(full.points[0], roomy.points[0]).value == 1.0
    assert without_room(evaluation) == (full,)
    assert fastest_other(evaluation, full) is None


def test_times_that_lack_launches_have_no_ratio() -> None:
    both = evaluate(study(COPY, on=(of("told", launch=1e-6), of("untold")), launch="eager"), CATALOGUE)
    told, untold = pair(both)
    assert untold.launches_unknown
    assert row_time(untold.points[0], told.points[0]) == row_time(told.points[0], untold.points[0])
    assert row_time(untold.points[0], told.points[0]) == Ratio(None, "launches")
    assert operators_time(untold, told) == speed(both, untold, told) == Ratio(None, "launches")
    # the bound of a model's step has no launches in it
    steps = evaluate(modelled(on=(of("told", launch=1e-6), of("untold")), launch="eager"), CATALOGUE)
    assert speed(steps, *reversed(pair(steps))).value == 1.0


def test_the_fastest_other_is_visible_and_the_first_of_equals() -> None:
    on = (of("a"), of("b", bandwidth=3e12), of("c", bandwidth=3e12), of("d", bandwidth=4e12))
    base = study(COPY, on=on)
    hidden = replace(base, hardware=tuple(replace(e, visible=e.id != "d") for e in base.hardware))
    for made, name, times in ((base, "d", 2.0), (hidden, "b", 1.5)):
        evaluation = evaluate(made, CATALOGUE)
        found = fastest_other(evaluation, evaluation.devices[0])
        assert found is not None
        assert (found.result.entry.id, found.speed.value) == (name, pytest.approx(times))
    alone = evaluate(study(COPY, on=(of("a"),)), CATALOGUE)
    assert fastest_other(alone, alone.devices[0]) is None
