"""A step at growing batches: the same figures as an evaluation at that batch, up to the largest that fits."""

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.frontier import Frontier, frontier, throughput_ratios
from explorer.analysis.ask.comparison.subjects import subjects
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation
from tests.plot.drawing import A100, H100, decode_study, evaluated, matmul_study


def curves(evaluation: Evaluation) -> list[Frontier]:
    return [f for f in map(frontier, subjects(evaluation)) if f is not None]


def sized(device: Device, capacity: float | None) -> Device:
    return replace(device, memory=(replace(device.memory[0], capacity=capacity),))


@pytest.mark.parametrize("phase", ["decode", "prefill"])
@pytest.mark.parametrize("batch", [1, 8, 24, 64])
def test_every_batch_has_the_figures_of_an_evaluation_at_it(phase: str, batch: int) -> None:
    found = curves(evaluated(decode_study(H100, A100, batch=24, phase=phase)))
    for curve, device in zip(found, evaluated(decode_study(H100, A100, batch=batch, phase=phase)).devices, strict=True):
        place = curve.at(batch)
        assert place is not None
        totals = device.totals
        assert curve.all_per_s[place] == pytest.approx(totals.tokens_per_s)
        assert curve.each_per_s[place] == pytest.approx(totals.tokens_per_s_per_request)
        assert curve.step_s[place] == pytest.approx(totals.floor_s)
        assert curve.held[place] == pytest.approx(totals.memory_bytes)


def test_a_curve_ends_at_the_largest_batch_that_fits() -> None:
    (curve,) = curves(evaluated(decode_study(H100)))
    # 80e9 bytes less 16.06e9 of weights, in caches of 4,096 tokens of 131,072 bytes
    assert curve.full == int((80e9 - 16_060_522_496) // (4096 * 131072)) == 119
    assert curve.batches[-1] == 119
    assert curve.held[-1] <= 80e9 < curve.held[-1] + 4096 * 131072
    assert set(curve.batches) >= {1.0, 8.0, 64.0}
    assert np.all(np.diff(curve.batches) > 0)
    assert np.all(curve.batches == np.floor(curve.batches))


def test_without_room_for_one_request_there_is_no_curve_and_without_a_capacity_no_end() -> None:
    none, endless = curves(evaluated(decode_study(sized(H100, 10e9), sized(A100, None), batch=5000)))
    assert (none.full, none.batches.size, none.at(1)) == (0, 0, None)
    assert (endless.full, endless.capacity) == (None, None)
    assert endless.at(5000) is not None


def test_throughput_is_compared_where_both_have_room() -> None:
    found = curves(evaluated(decode_study(H100, A100, sized(H100, 20e9), batch=64)))
    ratios = throughput_ratios(found, "d0")
    assert ratios["d0"] == 1.0
    assert ratios["d1"] == pytest.approx(2.039 / 3.35)  # both wait for memory
    assert ratios["d2"] is None
    assert found[2].full == 7
    assert throughput_ratios(found, "d2") == {"d0": None, "d1": None, "d2": None}


def test_what_decides_the_bound_turns_along_the_curve() -> None:
    (curve,) = curves(evaluated(decode_study(sized(A100, 1e15), context=16, batch=1)))
    assert curve.bounds[0] == "memory"
    assert curve.bounds[-1] == "compute"


def test_own_operators_have_no_curve() -> None:
    assert curves(evaluated(matmul_study(64, 64, 64, H100, A100))) == []


def test_an_expert_model_runs_at_the_pace_of_its_routing() -> None:
    study = decode_study(H100, batch=8)
    mixture = {
        **(study.models[0].config or {}), "model_type": "mixtral", "architectures": ["MixtralForCausalLM"],
        "num_local_experts": 8, "num_experts_per_tok": 2, "intermediate_size": 2048,
    }  # fmt: skip
    evaluation = evaluated(replace(study, models=(replace(study.models[0], config=mixture),)))
    (curve,) = curves(evaluation)
    (device,) = evaluation.devices
    place = curve.at(8)
    assert place is not None
    assert curve.all_per_s[place] == pytest.approx(device.totals.routed.tokens_per_s)
    assert curve.all_per_s[place] < device.totals.tokens_per_s
