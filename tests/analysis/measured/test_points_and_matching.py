"""What is taken in and matched: each rule at its edges."""

from typing import Any

import pytest

from explorer.analysis.measured.edits import add_measurements, device_of_ceilings, impossible
from explorer.analysis.measured.imported import Ceiling
from explorer.analysis.measured.match import Candidate, device_candidates, model_candidates, runs_on, sure
from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Measurement, ModelEntry, Study
from tests.analysis.measured.made import entry, imported, level, named, point


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


def test_a_measured_device_of_an_odd_name_has_an_id_all_the_same() -> None:
    found = device_of_ceilings(imported(ceilings=(level("HBM", 1e12),)), "...")
    assert found.id
    assert found.id.strip("-._") == found.id
