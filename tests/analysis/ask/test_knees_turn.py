"""Ridge and knee stand where the step's own figures turn, each operator judged by its own peak."""

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.knees import knees
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import MeasuredRate
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, ModelEntry, Study, Workload
from explorer.files.catalogue import load_catalogue
from explorer.files.hardware.find_device import find_device


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return load_catalogue(presets=True)


def made(known: Catalogue, preset: str, device: str, count: int, context: int, skew: float = 0.0) -> Evaluation:
    model = next(p for p in known.presets if p.id == preset)
    entry = ModelEntry(id="m", name=preset, config=model.config)
    return evaluate(
        Study(
            hardware=(HardwareEntry(id="d", device=find_device(known.devices, device), count=count),),
            models=(entry,),
            active_model="m",
            workload=Workload(context=context, skew=skew),
        ),
        known,
    )


def turns(evaluation: Evaluation) -> float | None:
    """The first batch where the step's compute takes as long as its bytes."""
    batches = np.geomspace(1.0, 60_000.0, 30_000)
    evaluator, machine = evaluation.evaluator, evaluation.devices[0].machine
    (totals,) = evaluator.sweep(evaluator.step(batch=batches), [machine])
    moved = totals.floor["memory"] + np.asarray(totals.traffic.beyond.chosen) / machine.floor_bandwidth
    over = np.flatnonzero(totals.floor["compute"] >= moved)
    return float(batches[over[0]]) if over.size else None


@pytest.mark.parametrize(
    ("preset", "device", "count", "context", "skew"),
    [
        ("deepseek-v3", "h200 sxm", 8, 4096, 0.0),
        ("deepseek-v3", "h200 sxm", 8, 1024, 0.5),
        ("llama-3.1-8b", "h100 sxm", 1, 128, 0.0),
        ("llama-3.1-8b", "h100 sxm", 1, 4096, 0.0),
        ("gpt-oss-20b", "rtx 4090", 1, 1024, 0.0),
        ("qwen3-30b-a3b", "a100 sxm 80", 1, 256, 0.0),
    ],
)
def test_the_ridge_is_the_batch_where_the_step_turns(
    preset: str, device: str, count: int, context: int, skew: float, known: Catalogue
) -> None:
    evaluation = made(known, preset, device, count, context, skew)
    found, turn = knees(evaluation, "d"), turns(evaluation)
    assert found is not None
    if turn is None or found.ridge_batch is None:
        assert (turn, found.ridge_batch) == (None, None)
    else:  # the simple line leaves out what a step writes
        assert found.ridge_batch == pytest.approx(turn, rel=0.05)


def test_deepseek_v3_turns_where_its_bf16_attention_and_fp8_experts_do(known: Catalogue) -> None:
    found = knees(made(known, "deepseek-v3", "h200 sxm", 8, 4096), "d")
    assert found is not None
    assert found.ridge_batch == pytest.approx(2871, abs=1)  # all by the fp8 peak it would be 1,657
    assert found.knee_batch == pytest.approx(1166, abs=1)


def test_past_the_knee_a_doubling_of_the_steps_own_rate_gains_too_little(known: Catalogue) -> None:
    evaluation = made(known, "deepseek-v3", "h200 sxm", 8, 4096)
    found = knees(evaluation, "d")
    assert found is not None
    assert found.knee_batch is not None
    batches = found.knee_batch * np.array([1.0, 2.0])
    evaluator = evaluation.evaluator
    (totals,) = evaluator.sweep(evaluator.step(batch=batches), [evaluation.devices[0].machine])
    rates = np.asarray(totals.routed.tokens_per_s)
    assert rates[1] / rates[0] == pytest.approx(1.5, rel=0.01)


def test_a_measured_peak_moves_the_ridge_as_it_moves_the_floor(known: Catalogue) -> None:
    plain = made(known, "llama-3.1-8b", "h100 sxm", 1, 128)
    device = plain.study.hardware[0].device
    faster = tuple(replace(p, measured=MeasuredRate(rate=p.rate * 1.1)) for p in device.peaks)
    entry = replace(plain.study.hardware[0], device=replace(device, peaks=faster))
    moved = evaluate(replace(plain.study, hardware=(entry,)), known)
    found = knees(moved, "d")
    assert found is not None
    assert found.ridge_batch == pytest.approx(turns(moved), rel=0.02)
    assert found.ridge_batch > 1.09 * (knees(plain, "d").ridge_batch or 0.0)  # type: ignore[union-attr, operator]
