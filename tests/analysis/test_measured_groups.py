"""Imported points by device and model, and what becomes of them in a study."""

import pytest

from explorer.analysis.measured.gap import gaps
from explorer.analysis.measured.groups import add_imported, device_choices, model_choices
from explorer.analysis.measured.imported import Imported, MeasuredPoint
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Study
from explorer.files.catalogue import load_catalogue

CATALOGUE = load_catalogue(presets=True)
A100 = CATALOGUE.device_by_id["nvidia-a100-sxm4-80gb"]
LLAMA = next(p for p in CATALOGUE.presets if p.name == "Llama-3.1-8B")
# XiongjieDai/GPU-Benchmarks-on-LLM-Inference, A100 SXM notebook: Llama-3-8B Q4_K_M tg512 and pp512
LLAMA_BENCH = {
    "model": "llama 8B Q4_K - Medium",
    "size_bytes": 4_917_737_553.0,
    "parameters": 8_030_000_000.0,
    "device": "NVIDIA A100-SXM4-80GB",
    "batch": 1,
}
POINTS = (
    MeasuredPoint(name="tg512", tokens_per_s=135.04, phase="decode", context=256, **LLAMA_BENCH),
    MeasuredPoint(name="pp512", tokens_per_s=5947.64, phase="prefill", context=512, **LLAMA_BENCH),
)
IMPORTED = Imported(tool="llama-bench", kind="points", points=POINTS)


def test_a_device_and_a_model_are_asked_for_once_and_proposed():
    (device,) = device_choices(IMPORTED, CATALOGUE.devices)
    (model,) = model_choices(IMPORTED, CATALOGUE.presets)
    assert (device.points, model.points) == (2, 2)
    assert device.candidates[0].id == A100.id
    assert model.candidates[0].name == "Llama-3.1-8B"


def test_kernels_are_asked_for_no_model():
    kernel = MeasuredPoint(name="gemm", time_s=1e-3, flops=1e9, bytes=1e6)
    assert model_choices(Imported(tool="ncu", kind="points", points=(kernel,)), CATALOGUE.presets) == ()


def test_confirmed_points_bring_device_and_model_and_are_judged():
    (model,) = model_choices(IMPORTED, CATALOGUE.presets)
    study = add_imported(Study(), IMPORTED, {"NVIDIA A100-SXM4-80GB": A100}, {model.key: LLAMA})
    assert [e.device.id for e in study.hardware] == [A100.id]
    assert [m.name for m in study.models] == ["Llama-3.1-8B"]
    decode, prefill = gaps(evaluate(study, CATALOGUE))
    # 4.6 GB of the 4.92 GB file are streamed at 2.039 TB/s: 2.27 ms of 7.41 ms
    assert decode.efficiency == pytest.approx(0.306, abs=0.01)
    assert prefill.efficiency == pytest.approx(0.27, abs=0.02)
    assert {decode.verdict, prefill.verdict} == {"room"}


def test_what_is_there_already_is_not_added_again():
    (model,) = model_choices(IMPORTED, CATALOGUE.presets)
    once = add_imported(Study(), IMPORTED, {"NVIDIA A100-SXM4-80GB": A100}, {model.key: LLAMA})
    twice = add_imported(once, IMPORTED, {"NVIDIA A100-SXM4-80GB": A100}, {model.key: LLAMA})
    assert twice.hardware == once.hardware
    assert twice.models == once.models
    assert len({m.id for m in twice.measurements}) == 4


def test_points_of_no_device_are_kept_and_say_what_is_missing():
    study = add_imported(Study(), IMPORTED, {}, {})
    assert [g.why.code for g in gaps(evaluate(study, CATALOGUE))] == ["gap.no_device", "gap.no_device"]


def test_steps_of_a_named_model_that_none_was_chosen_for_are_not_judged_by_the_active_one():
    (model,) = model_choices(IMPORTED, [LLAMA])
    devices = {"NVIDIA A100-SXM4-80GB": A100}
    study = add_imported(Study(models=(LLAMA,), active_model=LLAMA.id), IMPORTED, devices, {})
    assert {m.model for m in study.measurements} == {model.key.name}
    assert {g.why.code for g in gaps(evaluate(study, CATALOGUE))} == {"gap.model_gone"}
