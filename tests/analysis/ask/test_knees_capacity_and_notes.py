"""Questions to an evaluation at their edges: knees, capacity, notes both ways."""

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import GRID, LARGEST_BATCH
from explorer.analysis.ask.capacity import (
    capacity_fit,
    exceeds,
    fitting_context,
    held_at,
    left_over,
    longest_context,
)
from explorer.analysis.ask.knees import _GRID, DecodeLine, decode_line, knees
from explorer.analysis.ask.notes import notes
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.ledger import KV, WEIGHTS, Entry, Ledger
from explorer.analysis.step.machines.peaks import WantedPeak
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.study import Override, Study, Workload
from tests.analysis.ask.made import ROW, card, modelled, quick
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B

WIDE = device()


BF16: WantedPeak = ("tensor", "bf16", None)

# knees


def at(weights: float, kv: float, flops: float, **more: float) -> DecodeLine:
    return DecodeLine(
        _GRID, np.full(_GRID.shape, weights), kv, {BF16: flops}, more.get("held", 2.0), more.get("resident", 50.0)
    )


def test_knees_of_a_straight_line_follow_the_closed_forms() -> None:
    found = at(1000.0, 4.0, 6.0).knees(card(), 2.0, Workload(reserve=9.0))
    assert found.kv_half_batch == 1000.0 / 4.0
    assert found.ridge_batch == 1000.0 / (10.0 * 6.0 / 3.0 - 4.0)
    assert found.fit_batch == 20  # (100 - 50 - 9) / 2
    # memory (1000 + 4 b) / 10 meets compute 6 b / 3 at b = 62.5; a doubling gains 1.5 where 4 b is the rest of 1.5
    assert found.knee_batch is not None
    assert 2 * at(1000.0, 4.0, 6.0).step_s(10.0, 2.0)[0] > at(1000.0, 4.0, 6.0).step_s(10.0, 2.0)[60]
    b = found.knee_batch
    step = [max((1000 + 4 * x) / 10, 6 * x / 3) for x in (b, 2 * b)]
    assert 2 * step[0] / step[1] == pytest.approx(1.5, rel=2e-3)


def test_a_step_without_a_peak_never_turns_compute_bound() -> None:
    found = at(1000.0, 4.0, 6.0).knees(card(capacity=None), None, Workload())
    assert (found.ridge_batch, found.fit_batch) == (None, None)
    assert found.knee_batch == pytest.approx(125.0, rel=2e-3)  # 2 (1000 + 4 b) / (1000 + 8 b) = 1.5


def test_what_never_comes_is_none() -> None:
    free = at(1000.0, 0.0, 1e-9).knees(card(), None, Workload())
    assert (free.kv_half_batch, free.knee_batch) == (None, None)
    assert at(1000.0, 40.0, 6.0).knees(card(), 2.0, Workload()).ridge_batch is None  # always waits for memory
    assert at(1000.0, 20.0, 6.0).knees(card(), 2.0, Workload()).ridge_batch is None
    assert at(0.0, 1.0, 6.0).knees(card(), 2.0, Workload()).knee_batch == 1.0  # no doubling gains


def test_weights_that_grow_with_the_batch_are_met_on_the_way() -> None:
    growing = DecodeLine(_GRID, np.minimum(100.0 + 2.0 * _GRID, 500.0), 4.0, {BF16: 1.0}, 1.0, 1.0)
    found = growing.knees(card(), None, Workload()).kv_half_batch
    assert found == pytest.approx(50.0, rel=1e-3)  # 100 + 2 b = 4 b
    steep = DecodeLine(_GRID, np.minimum(100.0 + 2.0 * _GRID, 500.0), 400.0, {BF16: 1.0}, 1.0, 1.0)
    assert steep.knees(card(), None, Workload()).kv_half_batch == pytest.approx(102.0 / 400.0)
    shallow = DecodeLine(_GRID, np.minimum(100.0 + 2.0 * _GRID, 500.0), 1e-6, {BF16: 1.0}, 1.0, 1.0)
    assert shallow.knees(card(), None, Workload()).kv_half_batch == pytest.approx(500.0 / 1e-6)
    assert growing.weights_at(1.0) == pytest.approx(102.0)
    assert growing.weights_at(2.0**21) == 500.0


def test_the_grid_of_the_line_has_sixty_places_a_doubling() -> None:
    assert (_GRID[0], _GRID[-1], len(_GRID)) == (1.0, pytest.approx(2.0**21), 21 * 60 + 1)
    assert _GRID[60:] == pytest.approx(2 * _GRID[:-60])
    assert (GRID[0], GRID[-1], len(GRID), LARGEST_BATCH) == (1.0, 4096.0, 49, 4096)
    assert GRID[4:] == pytest.approx(2 * GRID[:-4])
    assert not GRID.flags.writeable


def test_the_line_of_a_model_has_its_bytes_and_flops(catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(batch=7, context=100), catalogue)
    line, one = decode_line(evaluation), evaluate(modelled(batch=1, context=100), catalogue)
    assert line is not None
    assert line.flops == pytest.approx(float(one.traffic.flops), rel=1e-12)
    assert line.kv == line.held == 100 * 32 * 2 * 8 * 128 * 2
    assert line.resident == float(one.memory.of(WEIGHTS))
    assert line.weights_at(1.0) == float(one.traffic.weights_streamed)
    assert decode_line(evaluate(modelled(phase="prefill"), catalogue)) is None
    assert decode_line(evaluate(study(), catalogue)) is None
    assert knees(evaluation, "gone") is None


# capacity


def held(total: float) -> Ledger:
    return Ledger((Entry(WEIGHTS, total - 1.0), Entry(KV, 1.0)))


@pytest.mark.parametrize(
    ("total", "each", "count"), [(10.0, 10.0, 1), (10.1, 10.0, 2), (20.0, 10.0, 2), (1.0, 10.0, 1)]
)
def test_the_fewest_devices_hold_so_much(total: float, each: float, count: int) -> None:
    assert Machine(device(capacity=each)).fewest(total) == count


@pytest.mark.parametrize(("more", "count"), [(0.0, 1_000_000), (1.0, None)])
def test_more_than_a_million_devices_are_none(catalogue: Catalogue, more: float, count: int | None) -> None:
    total = float(evaluate(modelled(), catalogue).memory.total)
    evaluation = evaluate(modelled(on=(device(capacity=total / (1e6 + more)),)), catalogue)
    found = capacity_fit(evaluation, evaluation.devices[0])
    assert found is not None
    assert found.devices == count


def test_what_is_held_exceeds_a_capacity_only_beyond_it() -> None:
    assert [exceeds(held(10.0), c) for c in (10.0, 9.9, None)] == [False, True, False]


def test_too_many_devices_are_told_as_none(catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(on=(device(capacity=1.0),)), catalogue)
    found = capacity_fit(evaluation, evaluation.devices[0])
    assert found is not None
    assert (found.devices, found.on, found.fits, found.longest_context, found.largest_batch) == (None, 1, False, 0, 0)
    assert (found.model_context, found.at_model_context, found.devices_there) == (None, None, None)


def test_the_longest_context_leaves_room_and_one_more_does_not(catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(batch=3, reserve=5.0), catalogue)
    token, weights = 3 * 32 * 2 * 8 * 128 * 2, float(evaluation.memory.of(WEIGHTS))
    for tokens in (1, 2, 1000):
        assert longest_context(evaluation, weights + 5.0 + tokens * token) == tokens
        assert longest_context(evaluation, weights + 5.0 + tokens * token - 1) == tokens - 1
        assert longest_context(evaluation, weights + 5.0 + tokens * token, most=tokens) is None
    result = evaluation.devices[0]
    assert fitting_context(evaluation, result, 100) is None
    assert fitting_context(evaluation, result, 2**27) == (int(80e9 - weights - 5.0) // token)
    small = evaluate(modelled(on=(device(capacity=1e9),)), catalogue)
    assert fitting_context(small, small.devices[0], 100) is None
    blind = evaluate(modelled(on=(device(capacity=None),)), catalogue)
    assert (fitting_context(blind, blind.devices[0], 100), left_over(blind.devices[0])) == (None, None)
    assert longest_context(evaluate(study(), catalogue), 1e9) is None
    assert left_over(result) == 80e9 - float(held_at(evaluation, 3, 2048).total)


def test_a_batch_is_told_up_to_the_largest_that_the_program_takes(catalogue: Catalogue) -> None:
    entry = quick(params=1.0, layers=1, kv_heads=1, head_dim=1)
    each = 4  # two values of 16 bits
    for room, batch in ((2**20 - 1, 2**20 - 1), (2**20, None)):
        evaluation = evaluate(modelled(entry, (device(capacity=2.0 + room * each),), context=1), catalogue)
        found = capacity_fit(evaluation, evaluation.devices[0])
        assert found is not None
        assert found.largest_batch == batch


# notes


def codes(evaluation: Evaluation) -> list[str]:
    return [n.code.removeprefix("note.") for n in notes(evaluation) if n.code.startswith("note.")]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (study(ROW), []),
        (study(ROW, launch="eager"), ["no_launch"]),
        (study(ROW, launch="eager", on=(device(launch=1e-6),)), []),
        (study(ROW, count=2), ["ideal_devices"]),
        (study(ROW, on=(device(capacity=None),)), ["no_capacity"]),
        (study(ROW, on=(device(fmt="fp16"),)), ["peak_stands_in"]),
        (study(ROW, on=(device(fmt="fp8", vector=None),)), ["compute_not_judged"]),
        (study(own("n", "rms_norm"), on=(device(vector=None),)), ["vector_not_judged"]),
        (study(replace(ROW, fused=True)), ["fused"]),
        (replace(study(ROW), overrides=(Override(row="x", fused=True),)), ["fused"]),
        (replace(study(ROW), overrides=(Override(row="x", kv="fp8"),)), []),
        (study(ROW, replace(ROW, id="b", name="b"), on=(device(fmt="fp16"),)), ["peak_stands_in"]),
        (study(ROW, on=(device(fmt="fp16"), device(fmt="fp16", ident="b"))), ["peak_stands_in", "peak_stands_in"]),
    ],
)
def test_a_remark_is_made_where_it_holds_and_nowhere_else(
    made: Study, expected: list[str], catalogue: Catalogue
) -> None:
    assert codes(evaluate(made, catalogue)) == expected


def test_remarks_carry_the_names_of_their_device(catalogue: Catalogue) -> None:
    named = {"device": "DEV", "entry": "dev"}
    found = notes(evaluate(study(ROW, on=(device(fmt="fp16", capacity=None),), count=3, launch="eager"), catalogue))
    assert [(n.code, dict(n.values)) for n in found] == [
        ("note.peak_stands_in", {**named, "format": "bf16", "stand_in": "fp16"}),
        ("note.no_launch", {**named, "field": "launch_overhead: {seconds: ...}"}),
        ("note.ideal_devices", {**named, "count": 3}),
        ("note.no_capacity", named),
    ]


@pytest.mark.parametrize(("context", "beyond"), [(4096, False), (4097, True)])
def test_a_context_beyond_the_models_longest_is_remarked(context: int, beyond: bool, catalogue: Catalogue) -> None:
    config = {**(LLAMA_8B.config or {}), "max_position_embeddings": 4096}
    evaluation = evaluate(modelled(replace(LLAMA_8B, config=config), context=context), catalogue)
    found = [n.values for n in notes(evaluation) if n.code == "note.beyond_max_context"]
    assert found == ([{"context": 4097, "most": 4096}] if beyond else [])
    assert "beyond_max_context" not in codes(evaluate(modelled(context=10**6), catalogue))
