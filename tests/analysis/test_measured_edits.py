"""Measured points in a study, measured ceilings as a device, and guesses at what a point is of."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, MemoryLevel
from explorer.analysis.catalogue.device_check import device_problems
from explorer.analysis.measured.edits import add_measurements, device_of_ceilings, impossible
from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint
from explorer.analysis.measured.match import device_candidates, model_candidates, runs_on, sure
from explorer.analysis.problem import Refused
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.edits import add_hardware
from explorer.analysis.study.study import ModelEntry, QuickModel, Study


def device(name: str, ident: str) -> Device:
    return Device(id=ident, name=name, vendor="NVIDIA", memory=(MemoryLevel(level="HBM", bandwidth=1e12),))


A100_80, A100_40 = device("NVIDIA A100 SXM4 80GB", "a100-80"), device("NVIDIA A100 SXM4 40GB", "a100-40")
DECODE = MeasuredPoint(
    name="m tg128", calls=128, time_s=0.01, tokens_per_s=100.0, phase="decode", batch=1, context=64, depth=0,
    device="NVIDIA A100-SXM4-80GB", model="qwen2 7B Q4_0", parameters=7.6e9, size_bytes=4.4e9,
)  # fmt: skip
KERNEL = MeasuredPoint(name="kernel\n" + "x" * 500, time_s=1e-5, flops=1e9, bytes=1e6, quartiles_s=(9e-6, 11e-6))


def points(*found: MeasuredPoint) -> Imported:
    return Imported(tool="some-bench", kind="points", points=found)


def test_points_become_measurements_that_a_study_may_hold():
    study = add_measurements(add_hardware(Study(), A100_80), points(DECODE, KERNEL))
    decode, kernel = study.measurements
    assert study_problems(study) == ()
    assert (decode.device, decode.phase, decode.context, decode.tool) == ("a100-80", "decode", 64, "some-bench")
    assert (kernel.device, kernel.flops, kernel.bytes, kernel.quartiles_s) == ("", 1e9, 1e6, (9e-6, 11e-6))
    assert len({m.id for m in study.measurements}) == 2


def test_a_step_and_a_kernel_are_told_apart():
    decode, kernel = add_measurements(Study(), points(DECODE, KERNEL)).measurements
    assert decode.of_step
    assert not kernel.of_step


def test_importing_twice_keeps_ids_apart():
    study = add_measurements(add_measurements(Study(), points(DECODE)), points(DECODE, DECODE))
    assert len({m.id for m in study.measurements}) == 3


def test_a_confirmed_device_and_model_win_over_guesses():
    study = add_measurements(add_hardware(Study(), A100_80), points(DECODE), device="mine", model="my-model")
    assert (study.measurements[0].device, study.measurements[0].model) == ("mine", "my-model")


def test_figures_out_of_bounds_are_left_out():
    odd = replace(DECODE, context=2**40, batch=2**30, time_s=1e12, memory_busy=3.0)
    study = add_measurements(Study(), points(odd))
    assert study_problems(study) == ()
    assert (study.measurements[0].context, study.measurements[0].time_s) == (None, None)


CEILINGS = (
    Ceiling(level="L1", rate=9e11),
    Ceiling(level="DRAM", rate=5e10, name="copy"),
    Ceiling(level="DRAM", rate=6e10, name="triad"),
    Ceiling(level="DRAM", rate=9e10, name="odd", doubtful=True),
    Ceiling(level="L2", rate=4e10),
    Ceiling(format="fp32", rate=1e12),
    Ceiling(format="fp16", rate=9e12, unit="tensor"),
    Ceiling(format="int32", rate=1e12),
    Ceiling(link="host_to_device", rate=2e10),
)


def test_ceilings_become_a_device_outermost_memory_first_with_the_best_of_each():
    made = device_of_ceilings(Imported(tool="T", kind="ceilings", ceilings=CEILINGS), "My box!", taken=["my-box"])
    assert device_problems(made) == ()
    assert made.id == "my-box-2"
    assert [(m.level, m.bandwidth, m.confidence) for m in made.memory] == [
        ("DRAM", 6e10, "high"),
        ("L2", 4e10, "low"),  # slower than memory outside it
        ("L1", 9e11, "high"),
    ]
    assert [(p.format, p.unit, p.rate) for p in made.peaks] == [("fp32", "vector", 1e12), ("fp16", "tensor", 9e12)]
    assert made.links[0].per_direction == 2e10
    assert {s.kind for s in made.sources.values()} == {"measured"}


def test_a_cache_slower_than_what_lies_outside_it_is_named():
    assert [(inner.level, outer.level) for inner, outer in impossible(CEILINGS)] == [("L2", "DRAM")]


def test_ceilings_without_a_memory_make_no_device():
    with pytest.raises(Refused) as refused:
        device_of_ceilings(Imported(tool="T", kind="ceilings", ceilings=CEILINGS[-1:]), "x")
    assert refused.value.problems[0].code == "import.no_memory"


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("NVIDIA A100-SXM4-80GB", "a100-80"),
        ("NVIDIA A100-SXM4-40GB", "a100-40"),
        ("NVIDIA GeForce RTX 4090", None),
        ("", None),
    ],
)
def test_a_device_name_means_a_device_only_where_it_is_sure(told, meant):
    found = sure(device_candidates(told, (A100_80, A100_40)))
    assert (found.id if found else None) == meant


def quick(name: str, parameters: float) -> ModelEntry:
    return ModelEntry(
        id=name.lower(), name=name, quick=QuickModel(params=parameters, layers=32, kv_heads=8, head_dim=128)
    )


QWEN, LLAMA, MISTRAL = quick("Qwen2.5-7B", 7.6156e9), quick("Llama-3.1-8B", 8.03e9), quick("Mistral-7B", 7.62e9)


def test_parameters_and_names_find_the_model_and_the_best_comes_first():
    found = model_candidates(DECODE, (MISTRAL, LLAMA, QWEN))
    assert [c.name for c in found] == ["Qwen2.5-7B", "Mistral-7B"]
    assert sure(found) == found[0]


def test_other_parameters_rule_a_model_out_whatever_its_name():
    assert model_candidates(replace(DECODE, model="llama 8B"), (LLAMA,)) == ()


def test_without_parameters_the_file_size_rules_out_and_the_name_is_no_proof():
    named = replace(DECODE, parameters=None, model="Qwen2.5-7B")
    assert [c.name for c in model_candidates(named, (QWEN,))] == ["Qwen2.5-7B"]
    assert sure(model_candidates(named, (QWEN,))) is None
    assert model_candidates(replace(named, size_bytes=4e8), (QWEN,)) == ()


@pytest.mark.parametrize(
    ("told", "parameters", "known"),
    [
        ("gemma-3-4b-it-qat", None, quick("gemma-3-27b-it", 27.0e9)),  # the size in the name
        ("deepseek2 30B.A3B Q8_0", 29.94e9, quick("Qwen3-30B-A3B", 30.53e9)),  # GLM-4.7-Flash, as llama.cpp names it
        ("llama 8B F16", 8.03e9, quick("Qwen3-8B", 8.19e9)),
    ],
)
def test_another_size_or_family_in_the_name_is_another_model(told, parameters, known):
    point = replace(DECODE, model=told, parameters=parameters, size_bytes=None)
    assert model_candidates(point, (known,)) == ()


def test_a_relative_of_the_same_parameters_stays_a_candidate():
    point = replace(DECODE, model="llama 7B Q4_0", parameters=7.25e9)
    assert [c.name for c in model_candidates(point, (quick("Mistral-7B", 7.2482e9),))] == ["Mistral-7B"]


@pytest.mark.parametrize(
    ("backend", "runs"),
    [("CUDA", True), ("CUDA+BLAS", True), ("Vulkan", True), ("", True), ("CPU (AVX2)", False), ("Metal", False)],
)
def test_a_backend_rules_out_devices_it_cannot_run_on(backend, runs):
    assert runs_on(backend, A100_80) is runs


@pytest.mark.parametrize(
    ("model", "size", "weights"),
    [
        ("Qwen2.5-Coder-7B-Q8_0-GGUF", None, "Q8_0"),
        ("llama 1B F16", None, "fp16"),
        ("llama 1B BF16", None, "bf16"),
        ("llama 8B Q4_K - Medium", None, None),  # a mix: its bytes come from its file
        ("llama 8B IQ4_0_R4", None, None),
        ("llama 8B Q8_0", 8.5e9, None),
        ("gpt-oss-20b-GGUF", None, None),
    ],
)
def test_a_format_in_the_models_name_tells_the_weights_where_no_size_does(model, size, weights):
    point = replace(DECODE, model=model, size_bytes=size)
    (measured,) = add_measurements(Study(), Imported(tool="llama-bench", kind="points", points=(point,))).measurements
    assert measured.weights == weights
