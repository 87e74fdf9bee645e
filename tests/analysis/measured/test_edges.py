"""What is taken in, matched, compared and diagnosed: each rule at its edges."""

import math
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak
from explorer.analysis.measured.conditions import shares_of_counted
from explorer.analysis.measured.diagnosis import Counters, diagnose
from explorer.analysis.measured.edits import add_measurements, device_of_ceilings, impossible
from explorer.analysis.measured.gap import measured_seconds, verdict_of
from explorer.analysis.measured.groups import add_imported, device_choices, model_choices, model_key
from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint
from explorer.analysis.measured.match import Candidate, device_candidates, model_candidates, runs_on, sure
from explorer.analysis.measured.predict import Prediction, Predictor, TimedOperator
from explorer.analysis.measured.roof_fit import Estimate, RoofFit, judging_format, sheet_ridge
from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.step.machines.peaks import PeakChoice
from explorer.analysis.study.edit_measurements import fitted_device
from explorer.analysis.study.study import HardwareEntry, Measurement, ModelEntry, QuickModel, Study
from tests.analysis.making import device, own, study


def point(**fields: Any) -> MeasuredPoint:
    return MeasuredPoint(**{"name": "p", **fields})


def imported(*points: MeasuredPoint, ceilings: tuple[Ceiling, ...] = (), **fields: Any) -> Imported:
    return Imported(**{"tool": "My Tool!", "kind": "points", "points": points, "ceilings": ceilings, **fields})


def taken(**fields: Any) -> Measurement:
    return add_measurements(Study(), imported(point(**fields))).measurements[0]


# figures of a point


@pytest.mark.parametrize(
    ("name", "kept", "dropped"),
    [
        ("time_s", (5e-324, 1e9), (0.0, -1.0, 1.1e9, None)),
        ("total_s", (5e-324, 1e9), (0.0, 1.1e9)),
        ("tokens_per_s", (5e-324, 1e18), (0.0, 1.1e18)),
        ("size_bytes", (5e-324, 1e18), (0.0, 1.1e18)),
        ("flops", (5e-324, 1e30), (0.0, 1.1e30)),
        ("bytes", (5e-324, 1e30), (0.0, 1.1e30)),
        ("memory_busy", (0.0, 1.0), (-0.1, 1.1)),
        ("compute_busy", (0.0, 1.0), (-0.1, 1.1)),
        ("batch", (1, 2**20), (0, 2**20 + 1, None)),
        ("context", (1, 2**27), (0, 2**27 + 1, None)),
        ("depth", (0, 2**27), (2**27 + 1, None)),
        ("calls", (1.0, 7.0), (0.9, 0.0)),
        ("quartiles_s", ((1.0, 2.0),), ((0.0, 1.0), (1.0, 0.0), None)),
    ],
)
def test_a_figure_out_of_its_bounds_is_left_out(name: str, kept: tuple[Any, ...], dropped: tuple[Any, ...]) -> None:
    assert [getattr(taken(**{name: v}), name) for v in kept] == list(kept)
    assert [getattr(taken(**{name: v}), name) for v in dropped] == [None] * len(dropped)


def test_names_of_points_are_lines_of_two_hundred_characters() -> None:
    assert taken(name="x" * 200).name == "x" * 200
    assert taken(name="x" * 201).name == "x" * 199 + "…"
    assert taken(name=" a\nb ").name == "a b"
    assert taken(name=" ").name == "my-tool-1"
    assert taken(device="d" * 201).source == "d" * 199 + "…"


def test_points_are_numbered_on_from_what_there_is() -> None:
    there = Study(measurements=(Measurement(id="my-tool-2", name="m"), Measurement(id="my-tool-4", name="m")))
    found = add_measurements(there, imported(point(), point())).measurements
    assert [m.id for m in found] == ["my-tool-2", "my-tool-4", "my-tool-3", "my-tool-5"]
    assert add_measurements(Study(), imported(point(), tool="!")).measurements[0].id == "import-1"


def test_formats_belong_to_kernels_and_weights_to_steps() -> None:
    assert (taken(format="fp8").format, taken(format="fp8", phase="decode").format) == ("fp8", "")
    assert taken(model="m Q4_0", phase="decode").weights == "Q4_0"
    assert taken(file="m-F16.gguf", phase="decode").weights == "fp16"
    assert taken(model="m bf16", phase="decode").weights == "bf16"
    assert [taken(model="m Q4_0").weights, taken(model="m Q4_0", phase="decode", size_bytes=1.0).weights] == [
        None,
        None,
    ]


# ceilings


def level(name: str, rate: float, **fields: Any) -> Ceiling:
    return Ceiling(rate=rate, level=name, **fields)


ALL_LEVELS = tuple(level(n, 10.0 + i) for i, n in enumerate(("L1", "LDS", "L3", "HBM", "L2", "MALL", "DRAM", "odd")))


def test_levels_stand_outermost_first() -> None:
    found = device_of_ceilings(imported(ceilings=ALL_LEVELS), "new")
    assert [m.level for m in found.memory] == ["DRAM", "HBM", "MALL", "odd", "L3", "L2", "L1", "LDS"]


def test_a_level_slower_than_one_outside_it_is_doubtful() -> None:
    found = device_of_ceilings(imported(ceilings=(level("DRAM", 5.0), level("L2", 5.0), level("L1", 4.9))), "new")
    assert [m.confidence for m in found.memory] == ["high", "high", "low"]
    slow = impossible((level("DRAM", 5.0), level("L2", 5.0), level("L1", 4.9)))
    assert [(inner.level, outer.level) for inner, outer in slow] == [("L1", "DRAM"), ("L1", "L2")]


def test_the_best_of_each_is_taken_and_a_doubtful_one_only_alone() -> None:
    ceilings = (
        level("dram", 5.0),
        level("DRAM", 6.0, doubtful=True),
        level("DRAM", 5.5),
        level("L2", 9.0, doubtful=True),
        Ceiling(rate=1.0, format="bf16", unit="tensor"),
        Ceiling(rate=2.0, format="bf16", unit="tensor"),
        Ceiling(rate=3.0, format="int8"),
        Ceiling(rate=3.0, format="int32"),
        Ceiling(rate=3.0, format="fp64"),
        Ceiling(rate=7.0, link="NVLink"),
        Ceiling(rate=9.0, link="local copy"),
    )
    found = device_of_ceilings(imported(ceilings=ceilings, device="A card"), "New One", ("new-one",))
    assert [(m.level, m.bandwidth, m.confidence) for m in found.memory] == [("DRAM", 5.5, "high"), ("L2", 9.0, "low")]
    assert [(p.format, p.unit, p.accumulate, p.rate) for p in found.peaks] == [
        ("bf16", "tensor", "fp32", 2.0),
        ("int8", "vector", "int32", 3.0),
        ("fp64", "vector", "fp64", 3.0),
    ]
    assert [(link.name, link.per_direction) for link in found.links] == [("NVLink", 7.0)]
    assert (found.id, found.name, found.vendor, found.class_) == ("new-one-2", "New One", "A card", "gpu")


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "cpu"),
        ({"device": "NVIDIA X"}, "gpu"),
        ({"tool": "gpu bench"}, "gpu"),
        ({"ceilings": (level("DRAM", 1.0), level("LDS", 2.0))}, "gpu"),
        ({"ceilings": (level("hbm", 1.0),)}, "gpu"),
        ({"ceilings": (level("DRAM", 1.0), Ceiling(rate=1.0, format="bf16", unit="tensor"))}, "gpu"),
    ],
)
def test_the_class_of_a_measured_device(fields: dict[str, Any], kind: str) -> None:
    made = device_of_ceilings(imported(**{"ceilings": (level("DRAM", 1.0),), "tool": "t", **fields}), "n")
    assert made.class_ == kind


def test_names_of_a_measured_device_are_short() -> None:
    made = device_of_ceilings(imported(ceilings=(level("DRAM", 1.0),)), "n" * 101)
    assert (made.id, made.name) == ("n" * 100, "n" * 99 + "…")
    assert device_of_ceilings(imported(ceilings=(level("DRAM", 1.0),)), " ").name == "measured"
    assert made.vendor == "My Tool!"
    with pytest.raises(Refused, match=r"import\.no_memory"):
        device_of_ceilings(imported(ceilings=(Ceiling(rate=1.0, format="bf16"),)), "n")


# matching


def entry(params: float, name: str, ident: str = "m") -> ModelEntry:
    return ModelEntry(id=ident, name=name, quick=QuickModel(params=params, layers=2, kv_heads=2, head_dim=2))


@pytest.mark.parametrize(
    ("stated", "score"),
    [(1000, 1.0), (1002, 1.0), (1003, 0.94), (1010, 0.94), (1012, 0.7), (1030, 0.7), (1032, None)],
)
def test_parameters_say_how_well_a_model_fits(stated: float, score: float | None) -> None:
    found = model_candidates(point(model="llama 8b", parameters=stated * 1e6), (entry(1e9, "llama 8b"),))
    assert [c.score for c in found] == ([] if score is None else [pytest.approx(score)])


def test_words_of_the_names_are_two_fifths_of_the_score() -> None:
    one = point(model="llama3 8b", parameters=1e9)
    assert [c.score for c in model_candidates(one, (entry(1e9, "llama3 8b instruct"),))] == [1.0]
    assert [c.score for c in model_candidates(one, (entry(1e9, "llama3.1 8b"),))] == [pytest.approx(0.6 + 0.4 * 0.8)]
    assert [c.score for c in model_candidates(one, (entry(1e9, "llama3 70b"),))] == [pytest.approx(0.6 + 0.4 * 0.5)]
    assert [c.score for c in model_candidates(point(parameters=1e9), (entry(1e9, "x1"),))] == [0.6]


def test_another_family_is_ruled_out_unless_the_parameters_are_the_very_same() -> None:
    names = point(model="mistral 7b", parameters=1e9)
    assert model_candidates(names, (entry(1.004e9, "llama 7b"),))
    assert not model_candidates(names, (entry(1.006e9, "llama 7b"),))
    assert model_candidates(names, (entry(1.006e9, "mistral 7b"),))


@pytest.mark.parametrize(("bits", "fits"), [(1.39, False), (1.41, True), (33.9, True), (34.1, False)])
def test_a_file_has_between_one_and_thirty_four_bits_a_weight(bits: float, fits: bool) -> None:
    found = model_candidates(point(model="llama 8b", size_bytes=bits / 8 * 1e9), (entry(1e9, "llama 8b"),))
    assert [c.score for c in found] == ([0.7] if fits else [])


def test_a_name_alone_must_be_half_alike_and_of_the_same_size() -> None:
    known = (entry(1e9, "llama 8b"),)
    assert [c.score for c in model_candidates(point(model="llama"), known)] == [0.35]
    assert not model_candidates(point(model="llama 70b"), known)
    assert not model_candidates(point(model="8b"), (entry(1e9, "llama 8b red"),))
    assert not model_candidates(point(), known)
    assert not model_candidates(point(model="x"), (ModelEntry(id="m", name="x", config={}),))


def test_the_five_best_are_told_the_best_first() -> None:
    known = tuple(entry(1e9 * (1 + i / 1000), "llama 8b", f"m{i}") for i in (30, 9, 0, 8, 7, 1))
    found = model_candidates(point(model="llama 8b", parameters=1e9), known)
    assert [c.id for c in found] == ["m0", "m1", "m9", "m8", "m7"]


def named(name: str, ident: str = "x", short: str = "", vendor: str = "NVIDIA", kind: str = "gpu") -> Device:
    memory = (MemoryLevel(level="HBM", bandwidth=1.0),)
    return Device(id=ident, name=name, short=short, vendor=vendor, class_=kind, memory=memory)  # type: ignore[arg-type]


def test_words_of_makers_and_capacities_count_a_tenth() -> None:
    found = device_candidates("NVIDIA H100 80GB", (named("H100 SXM5"), named("H200"), named("H100 80GB")))
    assert [(c.name, c.score) for c in found] == [("H100 80GB", round(1.1 / 1.2, 3))]
    assert [c.score for c in device_candidates("NVIDIA H100", (named("H100"),))] == [round(1 / 1.1, 3)]
    assert [c.score for c in device_candidates("h100", (named("other", short="H100"),))] == [1.0]
    assert [c.score for c in device_candidates("h100 pcie", (named("other", ident="h100-pcie"),))] == [1.0]
    assert device_candidates("h100 pcie", (named("h100 sxm"),)) == ()
    assert device_candidates("", (named("h100"),)) == ()
    assert [c.score for c in device_candidates("a100 pcie", (named("a100 pcie sxm"),))] == [0.667]
    assert device_candidates("a100 pcie", (named("a100"),)) == ()  # half is too little


def guess(*scores: float) -> list[Candidate]:
    return [Candidate(str(i), str(i), score) for i, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("scores", "is_sure"),
    [
        ((), False),
        ((0.75,), True),
        ((0.74,), False),
        ((0.9, 0.89), True),
        ((0.9, 0.9), False),
        ((0.9, 0.9, 0.1), False),
    ],
)
def test_a_guess_is_sure_where_it_fits_and_no_other_fits_as_well(scores: tuple[float, ...], is_sure: bool) -> None:
    assert (sure(guess(*scores)) is not None) == is_sure


@pytest.mark.parametrize(
    ("backend", "vendor", "kind", "runs"),
    [
        ("CUDA", "NVIDIA", "gpu", True),
        ("CUDA", "AMD", "gpu", False),
        ("ROCm", "AMD", "gpu", True),
        ("hip", "NVIDIA", "gpu", False),
        ("Metal", "Apple", "apu", True),
        ("mtl0", "AMD", "gpu", False),
        ("SYCL", "Intel", "gpu", True),
        ("CPU", "Any", "cpu", True),
        ("BLAS", "Any", "apu", True),
        ("avx2", "Any", "gpu", False),
        ("vulkan", "Any", "npu", True),
        ("", "Any", "gpu", True),
    ],
)
def test_a_backend_runs_on_its_makers_devices(backend: str, vendor: str, kind: str, runs: bool) -> None:
    assert runs_on(backend, named("x", vendor=vendor, kind=kind)) == runs


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
    [(0.4999, "room"), (0.5, "between"), (0.7999, "between"), (0.8, "limit"), (1.0005, "limit"), (1.0006, "over")],
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
