"""Ledgers of bytes: totals are sums over them, and every place must have room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.step.ledger import GROWING, PER_SEQUENCE, Entry, Ledger, fits
from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import ModelEntry, Override, QuickModel, Study
from tests.analysis.making import device, own, study
from tests.analysis.test_decode import LLAMA_2_13B

BYTES = st.floats(0.0, 1e12)


def llama(**workload: object) -> Study:
    entry = ModelEntry(id="m", name="m", config=LLAMA_2_13B)
    return add_model(study(own("q", "matmul", m=8), on=(device(),), **workload), entry)


@given(weights=BYTES, kv=BYTES, other=BYTES)
def test_a_ledger_adds_up_by_part_by_place_and_in_all(weights: float, kv: float, other: float) -> None:
    ledger = Ledger((Entry("weights", weights), Entry("kv", kv), Entry("kv", other, "host")))
    assert ledger.of("kv") == kv + other
    assert ledger.at("device") == weights + kv
    assert ledger.total == pytest.approx(weights + kv + other)
    assert ledger.without("kv") == weights
    assert (ledger.parts, ledger.places) == (("weights", "kv"), ("device", "host"))
    assert ledger.with_others(ledger).of("kv") == pytest.approx(2 * (kv + other))


def test_a_step_fits_where_every_place_has_room() -> None:
    held = Ledger((Entry("weights", 60.0), Entry("kv", 30.0, "host")))
    assert fits(held, {"device": 80.0, "host": 40.0}) is True
    assert fits(held, {"device": 80.0, "host": 20.0}) is False
    assert fits(held, {"device": 80.0, "host": None}) is None
    assert fits(held, {"device": 50.0, "host": None}) is False
    assert fits(held, {"device": 80.0}) is None


@pytest.mark.parametrize("phase", ["prefill", "decode"])
@pytest.mark.parametrize("fused", [False, True])
def test_a_steps_totals_are_the_sums_over_its_ledgers(catalogue, phase: str, fused: bool) -> None:
    made = llama(phase=phase, batch=4, context=512, reserve=1e9)
    if fused:
        names = [r.name for r in evaluate(made, catalogue).model_rows]
        made = replace(made, overrides=tuple(Override(row=name, fused=True) for name in names))
    evaluation = evaluate(made, catalogue)
    (result,) = evaluation.devices
    totals, moved = result.totals, evaluation.traffic
    rows = [(p.row.count, p.costs) for p in result.points]
    assert moved.bytes == pytest.approx(sum(n * (c.bytes_read + c.bytes_written) for n, c in rows), rel=1e-12)
    assert moved.weights_streamed == pytest.approx(sum(n * c.weight_bytes for n, c in rows), rel=1e-12)
    assert moved.moved.of("kv_read") == pytest.approx(sum(n * c.kv_bytes for n, c in rows), rel=1e-12)
    assert all(e.bytes >= 0 for e in (*moved.moved.entries, *moved.compulsory.entries))
    assert totals.floor["memory"] == pytest.approx(moved.compulsory.total / result.machine.bandwidth, rel=1e-12)
    assert totals.floor_s == max(totals.floor.values())
    assert totals.memory_bytes == evaluation.memory.total == sum(e.bytes for e in evaluation.memory.entries)
    assert totals.fits == (totals.memory_bytes <= totals.capacity)


def test_what_is_compulsory_is_weights_kv_outputs_and_the_users_rows(catalogue) -> None:
    evaluation = evaluate(llama(batch=4, context=512), catalogue)
    (own_costs,) = evaluation.own.costs
    head = next(c for r, c in zip(evaluation.model_rows, evaluation.model_costs, strict=True) if r.group == "head")
    found = {e.part: e.bytes for e in evaluation.traffic.compulsory.entries}
    assert found["outputs"] == head.bytes_written
    assert found["kv_written"] == 4 * 40 * 2 * 5120 * 2
    assert found["own"] == own_costs.bytes_read + own_costs.bytes_written - own_costs.weight_bytes
    assert found["weights"] == evaluation.traffic.weights_streamed


def test_what_is_held_grows_with_sequences_and_context_where_the_ledger_says_so(catalogue) -> None:
    def held(batch: int, context: int) -> dict[str, float]:
        memory = evaluate(llama(batch=batch, context=context, reserve=5.0), catalogue).memory
        return {e.part: float(e.bytes) for e in memory.entries}

    one, two, long = held(1, 512), held(2, 512), held(1, 1024)
    assert {part for part in one if two[part] > one[part]} <= set(PER_SEQUENCE)
    assert {part for part in one if long[part] > one[part]} == set(GROWING)
    assert one["reserve"] == 5.0


def test_a_quick_model_writes_no_cache(catalogue) -> None:
    quick = QuickModel(params=13e9, layers=32, kv_heads=32, head_dim=128)
    made = add_model(study(on=(device(),)), ModelEntry(id="q", name="13B", quick=quick))
    assert evaluate(made, catalogue).traffic.compulsory.of("kv_written") == 0
