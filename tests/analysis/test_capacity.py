"""What fits where: bytes held against capacity, devices, longest context, largest batch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.ask.capacity import CapacityFit, capacity_fit, held_at, longest_context
from explorer.analysis.catalogue.device import Device, MemoryLevel
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, ModelEntry, QuickModel, Study, Workload
from explorer.files.catalogue import load_catalogue

CATALOGUE = load_catalogue(devices=False, presets=True)
LLAMA_70B = next(p for p in CATALOGUE.presets if p.id == "llama-3.1-70b")
GIB = 2**30


def evaluation(model: ModelEntry, capacity: float | None, count: int = 1, **work) -> Evaluation:
    device = Device(
        id="d", name="D", vendor="Test", memory=(MemoryLevel(level="HBM", capacity=capacity, bandwidth=1e12),)
    )
    hardware = (HardwareEntry(id="d", device=device, count=count),)
    study = Study(models=(model,), active_model=model.id, hardware=hardware, workload=Workload(**work))
    return evaluate(study, CATALOGUE)


def found(model: ModelEntry, capacity: float, count: int = 1, **work) -> CapacityFit:
    evaluated = evaluation(model, capacity, count, **work)
    result = capacity_fit(evaluated, evaluated.devices[0])
    assert result is not None
    return result


def test_llama_70b_in_16_bit_needs_two_devices_of_80_gib():
    one = found(LLAMA_70B, 80 * GIB, context=2048)
    assert not one.fits
    assert one.devices == 2
    assert one.held.of("weights") == 141_107_412_992
    assert one.held.of("kv") == 2048 * 327_680
    assert one.on == 2
    assert one.longest_context == (160 * GIB - 141_107_412_992) // 327_680
    assert one.largest_batch == (160 * GIB - 141_107_412_992) // (2048 * 327_680)


def test_the_models_own_longest_context_is_told_apart():
    two = found(LLAMA_70B, 80 * GIB, count=2)
    assert two.fits
    assert two.model_context == 131_072
    assert two.at_model_context is not None
    assert two.at_model_context.of("kv") == 131_072 * 327_680
    assert two.devices_there == 3


def test_nothing_is_said_without_a_model_or_a_capacity():
    no_capacity = evaluation(LLAMA_70B, None)
    assert capacity_fit(no_capacity, no_capacity.devices[0]) is None
    no_model = evaluate(Study(hardware=no_capacity.study.hardware), CATALOGUE)
    assert capacity_fit(no_model, no_model.devices[0]) is None


def test_a_cache_that_stops_growing_has_no_longest_context():
    config = {**(LLAMA_70B.config or {}), "model_type": "mistral", "sliding_window": 1024}
    windowed = ModelEntry(id="w", name="W", config=config)
    assert found(windowed, 200 * GIB).longest_context is None


QUICK = st.builds(
    QuickModel,
    params=st.floats(1e8, 1e11),
    layers=st.integers(1, 99),
    kv_heads=st.integers(1, 64),
    head_dim=st.just(128),
)


@given(QUICK, st.floats(1e9, 1e12), st.integers(1, 64), st.integers(1, 9), st.integers(1, 100_000))
def test_limits_hold_and_one_more_does_not(quick, capacity, count, batch, context):
    entry = ModelEntry(id="q", name="Q", quick=quick)
    evaluated = evaluation(entry, capacity, count, batch=batch, context=context)
    result = capacity_fit(evaluated, evaluated.devices[0])
    assert result is not None
    assert result.devices is not None
    assert result.held.total <= result.devices * capacity
    assert result.devices == 1 or result.held.total > (result.devices - 1) * capacity
    assert result.fits == (result.devices <= count)
    room = capacity * result.on
    if result.longest_context is not None:
        assert result.longest_context == 0 or held_at(evaluated, batch, result.longest_context).total <= room
        assert held_at(evaluated, batch, result.longest_context + 1).total > room
    if result.largest_batch is not None:
        assert held_at(evaluated, result.largest_batch + 1, context).total > room


def test_a_reserve_counts_as_held_and_shortens_the_context():
    without, reserved = found(LLAMA_70B, 80 * GIB, count=2), found(LLAMA_70B, 80 * GIB, count=2, reserve=4e9)
    assert reserved.held.total == without.held.total + 4e9
    assert without.longest_context is not None
    assert reserved.longest_context is not None
    assert without.longest_context - reserved.longest_context == pytest.approx(4e9 / 327_680, abs=1)


def test_the_longest_context_follows_the_format_that_the_cache_is_held_in():
    whole, half = (longest_context(evaluation(LLAMA_70B, 200e9, kv=kv), 200e9) for kv in ("bf16", "fp8"))
    assert half == pytest.approx(2 * whole, rel=1e-3)
