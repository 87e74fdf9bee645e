"""Groups of points, verdicts, counters and what is fitted: each rule at its edges."""

import math
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import MemoryLevel, Peak
from explorer.analysis.measured.conditions import shares_of_counted
from explorer.analysis.measured.diagnosis import Counters, diagnose
from explorer.analysis.measured.gap import measured_seconds, verdict_of
from explorer.analysis.measured.groups import add_imported, device_choices, model_choices, model_key
from explorer.analysis.measured.predict import Prediction, Predictor, TimedOperator
from explorer.analysis.measured.roof_fit import Estimate, RoofFit, judging_format, sheet_ridge
from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.step.machines.peaks import PeakChoice
from explorer.analysis.study.edit_measurements import fitted_device
from explorer.analysis.study.study import HardwareEntry, Measurement, Study
from tests.analysis.making import device, own, study
from tests.analysis.measured.made import entry, imported, named, point

# groups of points


def test_points_are_asked_for_by_device_and_by_model() -> None:
    points = (
        point(device="b", model="m1", phase="decode"),
        point(device="a", model="m2", tokens_per_s=1.0),
        point(device="b", model="m1", phase="prefill"),
        point(device="b"),
        point(model="m1", phase="decode", size_bytes=2.0),
    )
    assert [(c.key, c.points) for c in device_choices(imported(*points), ())] == [("b", 3), ("a", 1), ("", 1)]
    keys = [
        (c.key.name, c.key.size_bytes, c.points)
        for c in model_choices(imported(*points), ())
        if not isinstance(c.key, str)
    ]
    assert keys == [("m1", None, 2), ("m2", None, 1), ("m1", 2.0, 1)]
    assert model_key(points[3]) is None
    whole = device_choices(imported(point(), device="h100"), (named("h100"),))
    assert [c.sure is not None for c in whole] == [True]


def test_what_was_chosen_is_added_once_and_found_again() -> None:
    points = (point(device="b", model="m", phase="decode"), point(device="gone"), point(model="named", phase="decode"))
    key = model_key(points[0])
    assert key is not None
    model, card = entry(1e9, "m", "mine"), named("card", "card")
    once = add_imported(Study(), imported(*points), {"b": card}, {key: model})
    assert ([e.id for e in once.hardware], [m.id for m in once.models], once.active_model) == (
        ["card"],
        ["mine"],
        "mine",
    )
    assert sorted((m.device, m.model) for m in once.measurements) == [("", ""), ("", "named"), ("card", "mine")]
    again = add_imported(once, imported(*points), {"b": replace(card, name="renamed")}, {key: model})
    assert ([e.id for e in again.hardware], [m.id for m in again.models]) == (["card"], ["mine"])
    other = replace(model, config={"a": 1}, quick=None)
    third = add_imported(once, imported(*points), {"b": named("other", "two")}, {key: other})
    assert ([e.id for e in third.hardware], [m.id for m in third.models], third.active_model) == (
        ["card", "two"],
        ["mine", "mine-2"],
        "mine",
    )
    second = replace(once, models=(entry(2e9, "z", "z"), *once.models))
    found = add_imported(second, imported(points[0]), {"b": card}, {key: model})
    assert (found.measurements[-1].model, len(found.models)) == ("mine", 2)


# seconds, verdicts and shares


def test_seconds_are_those_taken_or_come_from_tokens() -> None:
    def seconds(tokens: float | None = 6.0, **fields: Any) -> float | None:
        return measured_seconds(Measurement(**{"id": "m", "name": "m", **fields}), tokens)

    assert seconds(time_s=2.0, tokens_per_s=9.0) == 2.0
    assert seconds(tokens_per_s=3.0) == 2.0
    assert [seconds(tokens_per_s=3.0, row="r"), seconds(None, tokens_per_s=3.0), seconds()] == [None, None, None]


@pytest.mark.parametrize(
    ("efficiency", "verdict"),
    [
        (0.4999, "room"),
        (0.5, "between"),
        (0.7999, "between"),
        (0.8, "limit"),
        (1.0005, "limit"),
        (1.0006, "at"),
        (1.0099, "at"),
        (1.0101, "over"),
    ],
)
def test_a_verdict_turns_at_its_bound(efficiency: float, verdict: str) -> None:
    assert verdict_of(efficiency) == verdict


def test_shares_are_of_the_time_of_all_calls() -> None:
    made = (
        Measurement(id="a", name="a", total_s=6.0, time_s=9.0),
        Measurement(id="b", name="b", time_s=1.0, calls=3.0),
        Measurement(id="c", name="c", time_s=1.0),
        Measurement(id="d", name="d"),
    )
    assert shares_of_counted(made) == {"a": 0.6, "b": 0.3, "c": 0.1, "d": 0.0}
    assert shares_of_counted(made[3:]) == {"d": 0.0}


# counters


@pytest.mark.parametrize(
    ("memory", "compute", "finding"),
    [
        (0.8, 0.8, "both"),
        (0.8, 0.79, "memory"),
        (0.79, 0.8, "compute"),
        (0.9, 0.0, "memory"),
        (0.0, 0.9, "compute"),
        (0.79, 0.79, "between"),
        (0.5, 0.5, "between"),
        (0.5, 0.49, "mostly_memory"),
        (0.49, 0.5, "mostly_compute"),
        (0.49, 0.49, "latency"),
        (0.1, 0.0, "latency"),
        (0.0, 0.1, "latency"),
        (0.09, 0.09, "overhead"),
    ],
)
def test_a_finding_begins_at_its_share(memory: float, compute: float, finding: str) -> None:
    assert diagnose(Counters(memory, compute)).finding == finding


def notes(memory: float, compute: float, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    found = diagnose(Counters(memory, compute, **more)).notes
    return [(n.code.removeprefix("diagnosis."), dict(n.values)) for n in found]


def test_remarks_limit_what_counters_say() -> None:
    assert notes(1.0, 0.0) == [("cache_hits", {"share": 1.0})]
    assert notes(1.01, 0.0) == [("over_peak", {"share": 1.01})]
    for memory, compute in ((0.9, 0.9), (0.6, 0.4), (0.6, 0.6)):
        assert notes(memory, compute) == [("cache_hits", {"share": memory})]
    assert notes(0.4, 0.9) == []
    assert notes(0.4, 0.6) == []
    assert notes(0.3, 0.3) == [("no_latency", {})]
    assert notes(0.0, 0.0) == []
    assert notes(0.0, 0.9, time_share=0.05, rank=3) == [("gain", {"share": 0.05, "gain": pytest.approx(1 / 0.95)})]
    assert notes(0.0, 0.9, time_share=0.04, rank=4) == [
        ("small", {"share": 0.04, "gain": pytest.approx(1 / 0.96)}),
        ("rank", {"rank": 4}),
    ]
    assert notes(0.0, 0.9, time_share=2.0)[0][1]["gain"] == pytest.approx(1e9)


@pytest.mark.parametrize(
    ("memory", "compute", "told"),
    [(0.3, 0.3, True), (0.0, 0.0, True), (0.6, 0.6, True), (0.9, 0.1, False), (0.6, 0.3, False)],
)
def test_bytes_in_flight_are_told_where_latency_is_the_matter(memory: float, compute: float, told: bool) -> None:
    level = MemoryLevel(level="HBM", bandwidth=1e12, latency=5e-7)
    found = diagnose(Counters(memory, compute), device().with_outermost(level)).in_flight
    assert (found is not None) == told
    if found is not None:
        assert (found.needed, found.achieved) == (1e12 * 5e-7, memory * 1e12 * 5e-7)
    assert diagnose(Counters(memory, compute), device()).in_flight is None


@pytest.mark.parametrize(("field", "name"), [("memory", "memory"), ("compute", "compute"), ("time_share", "time")])
def test_shares_end_at_twice_the_peak(field: str, name: str) -> None:
    for sound in (0.0, 2.0):
        diagnose(Counters(**{"memory": 0.5, "compute": 0.5, field: sound}))
    for odd in (-0.01, 2.01, math.nan):
        with pytest.raises(Refused) as refusal:
            diagnose(Counters(**{"memory": 0.5, "compute": 0.5, field: odd}))
        assert refusal.value.problems[0].path == name


# predictions and what is fitted


def predicted(fmt: str, rate: float | None, memory: float | None = 1.0, compute: float | None = 2.0) -> Prediction:
    times = (("memory", memory), ("compute", compute))
    return Prediction(1.0, 1.0, times, PeakChoice(rate, None, fmt), (TimedOperator(1.0, 1.0, 1.0, 1.0),))  # type: ignore[arg-type]


def test_the_bound_is_the_longer_time_and_memory_where_both_are_as_long() -> None:
    for memory, compute, seconds, bound in (
        (1.0, 2.0, 2.0, "compute"),
        (2.0, 1.0, 2.0, "memory"),
        (2.0, 2.0, 2.0, "memory"),
        (1.0, None, 1.0, "memory"),
        (None, 1.0, 1.0, "compute"),
    ):
        found = predicted("bf16", 1.0, memory, compute)
        assert (found.bound_s, found.bound) == (seconds, bound)


def test_the_format_that_judges_most_rows_is_the_fits() -> None:
    assert judging_format([predicted(f, 1.0) for f in ("fp8", "bf16", "bf16")]) == "bf16"
    assert judging_format([]) == "bf16"
    made = HardwareEntry(id="d", device=device(bandwidth=4.0), count=2)
    assert sheet_ridge([predicted("bf16", 80.0), predicted("fp8", 1.0)], made) == 10.0
    assert sheet_ridge([], made) is None
    assert sheet_ridge([predicted("bf16", None)], made) is None


def test_a_device_as_measured_has_the_fitted_figures_in_place_of_the_sheets() -> None:
    vector = Peak(format="bf16", accumulate="fp32", unit="vector", rate=1.0)
    half = Peak(format="bf16", accumulate="fp16", unit="tensor", rate=9.0)
    plain = device(launch=1e-6)
    made = replace(plain, peaks=(half, *plain.peaks, vector), memory=(*plain.memory, MemoryLevel(level="L2")))
    held = HardwareEntry(id="d", device=made, count=2)

    def fit(*figures: float | None) -> RoofFit:
        return RoofFit(*(None if f is None else Estimate(f, f, f) for f in figures), sigma=0.1, residuals=(), notes=())  # type: ignore[arg-type]

    found = fitted_device(held, fit(8.0, 6.0, 3.0), "bf16", "A fit", "name")
    assert [(p.format, p.accumulate, p.unit, p.rate) for p in found.peaks] == [
        ("bf16", "fp16", "tensor", 3.0),
        ("fp32", "fp32", "vector", 20e12),
        ("bf16", "fp32", "vector", 1.0),
    ]
    assert (found.bandwidth, found.capacity, [m.level for m in found.memory]) == (4.0, 80e9, ["HBM", "L2"])
    assert found.launch_overhead is not None
    assert (found.launch_overhead.seconds, found.id, found.name, found.short) == (3.0, "dev-fitted", "name", "name")
    same = fitted_device(held, fit(None, None, None), "bf16", "A fit", "name")
    assert (same.peaks, same.memory, same.launch_overhead) == (made.peaks, made.memory, made.launch_overhead)
    other = fitted_device(held, fit(None, 6.0, None), "int4", "A fit", "name")
    assert (other.peaks[0].format, other.peaks[0].accumulate, len(other.peaks)) == ("int4", "int32", 5)


def test_counts_without_a_format_are_judged_by_the_peak_of_the_study(catalogue: Catalogue) -> None:
    rows = own("up", "matmul", m=64.0, n=64.0, k=64.0)
    base = study(rows, on=(device(), device(ident="b")))
    predictor = Predictor(evaluate(base, catalogue))

    def peak(**fields: Any) -> str:
        found = predictor.predict(Measurement(**{"id": "m", "name": "m", "device": "b", "flops": 1.0, **fields}))
        assert isinstance(found, Prediction)
        return found.peak.format

    assert [peak(), peak(format="fp16"), peak(format="fp32")] == ["bf16", "bf16", "fp32"]
