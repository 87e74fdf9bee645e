"""Questions to an evaluation at their edges: knees, capacity, notes both ways, shares, sweeps, main work."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import GRID, LARGEST_BATCH, rates_where_held, same_curves, sweep_batches
from explorer.analysis.ask.batch_trail import batch_trail
from explorer.analysis.ask.capacity import (
    MOST_DEVICES,
    capacity_fit,
    exceeds,
    fewest,
    fitting_context,
    held_at,
    left_over,
    longest_context,
)
from explorer.analysis.ask.compare import model_figures
from explorer.analysis.ask.knees import _GRID, DecodeLine, decode_line, knees
from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.main_work import main_demand, met_peaks, ridge_of, value_bytes, value_format
from explorer.analysis.ask.notes import notes
from explorer.analysis.ask.row_figures import formula_values, uncounted
from explorer.analysis.ask.shares import (
    dominant_bound,
    over_proportion,
    own_share,
    peak_share,
    reached,
    share_of_row,
    sum_of,
    vector_share,
)
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, Peak
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.ledger import KV, WEIGHTS, Entry, Ledger
from explorer.analysis.step.machines.peaks import PeakChoice
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.study import ModelEntry, Override, OwnRow, QuickModel, Study, View, Workload
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B

QUICK = QuickModel(params=1e9, layers=8, kv_heads=8, head_dim=64)
WIDE = device()


def modelled(
    entry: ModelEntry = LLAMA_8B, on: tuple[Device, ...] = (), rows: tuple[OwnRow, ...] = (), **work: Any
) -> Study:
    return replace(study(*rows, on=on, **work), models=(entry,), active_model=entry.id)


def quick(**figures: Any) -> ModelEntry:
    return ModelEntry(id="q", name="Q", quick=replace(QUICK, **figures))


# knees


def at(weights: float, kv: float, flops: float, **more: float) -> DecodeLine:
    return DecodeLine(
        _GRID, np.full(_GRID.shape, weights), kv, flops, more.get("held", 2.0), more.get("resident", 50.0)
    )


def card(bandwidth: float = 10.0, capacity: float | None = 100.0) -> Machine:
    return Machine(device(bandwidth=bandwidth, capacity=capacity))


def test_knees_of_a_straight_line_follow_the_closed_forms() -> None:
    found = at(1000.0, 4.0, 6.0).knees(card(), 3.0, Workload(reserve=9.0))
    assert found.kv_half_batch == 1000.0 / 4.0
    assert found.ridge_batch == 1000.0 / (10.0 * 6.0 / 3.0 - 4.0)
    assert found.fit_batch == 20  # (100 - 50 - 9) / 2
    # memory (1000 + 4 b) / 10 meets compute 6 b / 3 at b = 62.5; a doubling gains 1.5 where 4 b is the rest of 1.5
    assert found.knee_batch is not None
    assert 2 * at(1000.0, 4.0, 6.0).step_s(10.0, 3.0)[0] > at(1000.0, 4.0, 6.0).step_s(10.0, 3.0)[60]
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
    assert at(1000.0, 40.0, 6.0).knees(card(), 3.0, Workload()).ridge_batch is None  # always waits for memory
    assert at(1000.0, 20.0, 6.0).knees(card(), 3.0, Workload()).ridge_batch is None
    assert at(0.0, 1.0, 6.0).knees(card(), 3.0, Workload()).knee_batch == 1.0  # no doubling gains


def test_weights_that_grow_with_the_batch_are_met_on_the_way() -> None:
    growing = DecodeLine(_GRID, np.minimum(100.0 + 2.0 * _GRID, 500.0), 4.0, 1.0, 1.0, 1.0)
    found = growing.knees(card(), None, Workload()).kv_half_batch
    assert found == pytest.approx(50.0, rel=1e-3)  # 100 + 2 b = 4 b
    steep = DecodeLine(_GRID, np.minimum(100.0 + 2.0 * _GRID, 500.0), 400.0, 1.0, 1.0, 1.0)
    assert steep.knees(card(), None, Workload()).kv_half_batch == pytest.approx(102.0 / 400.0)
    shallow = DecodeLine(_GRID, np.minimum(100.0 + 2.0 * _GRID, 500.0), 1e-6, 1.0, 1.0, 1.0)
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
    ("total", "each", "count"),
    [(10.0, 10.0, 1), (10.1, 10.0, 2), (20.0, 10.0, 2), (1.0, 10.0, 1), (1e6, 1.0, 1_000_000), (1e6 + 1, 1.0, None)],
)
def test_the_fewest_devices_hold_so_much(total: float, each: float, count: int | None) -> None:
    assert fewest(held(total), each) == count
    assert MOST_DEVICES == 1_000_000


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


ROW = own("up", "matmul", m=16, n=1024, k=1024)
COPY = own("copy", "copy", values=1e6)


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
        ("note.no_launch", named),
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


# shares


def test_shares_of_rows_are_of_the_whole_step(catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(rows=(ROW, COPY)), catalogue)
    result = evaluation.devices[0]
    named = {p.row.name: i for i, p in enumerate(result.points)}
    assert share_of_row(result, "up") == result.shares[named["up"]] > 0
    assert share_of_row(result, "gone") == 0.0
    assert own_share(result) == pytest.approx(share_of_row(result, "up") + share_of_row(result, "copy"))
    assert over_proportion(result, named["up"]) == result.shares[named["up"]] / result.flop_shares[named["up"]]
    assert over_proportion(result, named["copy"]) is None
    assert peak_share(result) == pytest.approx(
        float(result.totals.traffic.flops) / float(result.totals.time_s) / 300e12
    )
    assert dominant_bound(result) == max(result.bound_shares, key=lambda b: result.bound_shares[b]) == "memory"
    found = sum_of(result, [result.points[named["up"]], result.points[named["copy"]]])
    assert found.flops == 2 * 16 * 1024 * 1024
    assert found.bytes == 2 * (16 * 1024 * 2 + 1024 * 1024) + 2 * 2e6
    assert found.intensity == found.flops / found.bytes
    assert found.time_share == pytest.approx(own_share(result))
    assert found.flop_share == pytest.approx(found.flops / float(result.totals.traffic.flops))


def test_a_step_of_nothing_has_no_shares(catalogue: Catalogue) -> None:
    empty = evaluate(study(), catalogue)
    result = empty.devices[0]
    assert sum_of(result, ()) == (0, 0, 0, None, 0, 0)
    assert (own_share(result), peak_share(result), vector_share(empty, result)) == (0.0, None, None)
    assert dominant_bound(result) == "memory"


def test_vector_rows_are_told_apart_only_among_others(catalogue: Catalogue) -> None:
    norm = own("norm", "rms_norm", tokens=4.0, hidden=4096.0)
    for made, told in ((study(ROW), False), (study(norm), False), (study(ROW, norm), True)):
        evaluation = evaluate(made, catalogue)
        found = vector_share(evaluation, evaluation.devices[0])
        assert (found is not None) == told
    assert found == (
        pytest.approx(evaluation.devices[0].shares[1]),
        pytest.approx(evaluation.devices[0].flop_shares[1]),
    )


def test_a_row_reaches_a_part_of_its_roof(catalogue: Catalogue) -> None:
    point = evaluate(study(ROW), catalogue).devices[0].points[0]
    assert reached(point) == pytest.approx(1.0)
    slow = evaluate(study(ROW, on=(device(launch=1.0),), launch="eager"), catalogue).devices[0].points[0]
    assert reached(slow) == pytest.approx(2 * 16 * 1024**2 / slow.attainable, rel=1e-6)
    copy = evaluate(study(COPY), catalogue).devices[0].points[0]
    assert reached(copy) == 0.0


# levers


def gains(evaluation: Evaluation) -> dict[str, float | None]:
    return {g.code.removeprefix("lever."): g.gain for g in levers(evaluation, "dev")}


@pytest.mark.parametrize(
    ("work", "codes_"),
    [
        ({}, {"weights8", "kv8"}),
        ({"weights": "fp8"}, {"kv8"}),
        ({"kv": "fp8"}, {"weights8"}),
        ({"weights": "mxfp8", "kv": "int8"}, set()),
        ({"weights": "Q8_0", "kv": "Q8_0"}, set()),
        ({"weights": "fp32", "kv": "fp16"}, {"weights8", "kv8"}),
    ],
)
def test_eight_bits_help_where_there_are_more(work: dict[str, str], codes_: set[str], catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(**work), catalogue)
    assert gains(evaluation).keys() == codes_ | {"bandwidth2", "compute2"}


def test_levers_of_a_step_without_a_model_are_those_of_the_device(catalogue: Catalogue) -> None:
    evaluation = evaluate(study(COPY), catalogue)
    assert gains(evaluation) == {"bandwidth2": pytest.approx(2.0), "compute2": pytest.approx(1.0)}
    assert gains(evaluate(study(), catalogue)) == {"bandwidth2": None, "compute2": None}
    assert levers(evaluation, "gone") == ()


# main work


def test_the_ridge_needs_a_rate_and_a_bandwidth() -> None:
    choice = PeakChoice(30.0, None, "bf16")
    assert ridge_of(choice, card()) == 3.0
    assert ridge_of(choice._replace(rate=None), card()) is None
    bare = Machine(replace(device(), memory=(replace(device().memory[0], bandwidth=None),)))
    assert ridge_of(choice, bare) is None


def test_values_are_counted_in_the_activations_format(catalogue: Catalogue) -> None:
    for made, expected in (
        (modelled(), ("bf16", 2.0)),
        (modelled(activations="fp8"), ("fp8", 1.0)),
        (study(replace(ROW, activations="fp32")), ("fp32", 4.0)),
        (study(), ("bf16", 2.0)),
        (study(ROW, activations="fp16"), ("fp16", 2.0)),
    ):
        evaluation = evaluate(made, catalogue)
        assert (value_format(evaluation), value_bytes(evaluation)) == expected


def point(rate: float | None, flops: float = 1.0, performance: float = 1.0, bound: str = "memory") -> Any:
    peak = PeakChoice(rate, None, str(rate))
    return SimpleNamespace(peak=peak, costs=SimpleNamespace(flops=flops), performance=performance, bound=bound)


@pytest.mark.parametrize(
    ("points", "met"),
    [
        ((point(5.0, bound="compute"),), [5.0]),
        ((point(5.0),), []),
        ((point(5.0, performance=10.011),), [5.0]),
        ((point(5.0, performance=10.009),), []),
        ((point(10.0, bound="compute"),), []),
        ((point(None, performance=99.0),), []),
        ((point(5.0, flops=0.0, bound="compute"),), []),
        ((point(5.0, bound="compute"), point(6.0, bound="compute"), point(5.0, bound="compute")), [5.0, 6.0]),
    ],
)
def test_other_peaks_are_met_where_rows_wait_for_them_or_stand_above_the_main_one(
    points: Any, met: list[float]
) -> None:
    result: Any = SimpleNamespace(
        main_peak=PeakChoice(10.0, None, "bf16"), placed=points, own=SimpleNamespace(beyond=lambda _rate: ())
    )
    assert [p.rate for p in met_peaks(result)] == met


def test_the_main_demand_is_that_of_the_tensor_row_that_computes_most(catalogue: Catalogue) -> None:
    rows = (
        replace(ROW, activations="fp16"),
        replace(ROW, id="b", name="b", count=1.1, activations="fp8", weights="fp8"),
        COPY,
    )
    assert main_demand(evaluate(study(*rows), catalogue))[:2] == ("tensor", "fp8")
    assert main_demand(evaluate(study(rows[0], replace(rows[0], id="c", name="c")), catalogue))[:2] == (
        "tensor",
        "fp16",
    )
    assert main_demand(evaluate(study(COPY), catalogue))[0] == "vector"
    assert main_demand(evaluate(study(activations="fp8"), catalogue)) == ("tensor", "fp8", None)


# figures of a row


def test_formulas_of_a_row_read_its_dims_formats_and_derived_figures(catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(batch=3, context=100, weights="int4"), catalogue)
    found = {p.row.name: p for p in evaluation.devices[0].points}
    kinds = catalogue.kind_by_id
    attention = found["attention"]
    values = formula_values(evaluation, attention, kinds[attention.row.kind])
    assert (values["a"], values["kv"], values["b"]) == (2.0, 2.0, 3.0)
    told = uncounted(evaluation, attention, kinds[attention.row.kind], values)
    assert told == (5.0 * 3 * values["heads"] * values["pairs"], None, None)
    up = found["up_proj"]
    read = formula_values(evaluation, up, kinds[up.row.kind])
    told = uncounted(evaluation, up, kinds[up.row.kind], read)
    assert told.softmax_flops is None
    assert told.dequantised_weights == pytest.approx(4096 * 14336)
    assert told.dequantise_ops == 2 * told.dequantised_weights
    wide = evaluate(modelled(batch=3, context=100), catalogue)
    plain = next(p for p in wide.devices[0].points if p.row.name == "up_proj")
    assert uncounted(wide, plain, kinds[plain.row.kind], read) == (None, None, None)


# sweeps and comparisons


def test_curves_hang_on_all_but_batch_and_view() -> None:
    base = modelled(batch=4)
    twin = modelled(batch=4)
    assert same_curves(base, base)
    assert same_curves(base, twin)
    assert same_curves(base, replace(base, workload=replace(base.workload, batch=9), view=View(tab="x"), name="n"))
    for other in (
        replace(base, workload=replace(base.workload, context=9)),
        replace(base, active_model=""),
        replace(base, operators=(ROW,)),
        replace(base, hardware=()),
        replace(base, models=()),
        replace(base, overrides=(Override(row="r", kv="fp8"),)),
        replace(base, kinds=(SimpleNamespace(id="k"),)),
    ):
        assert not same_curves(base, other)


def test_the_sweep_is_the_step_at_each_batch_on_each_visible_device(catalogue: Catalogue) -> None:
    made = modelled(on=(device(), device(ident="b", bandwidth=1e12), device(ident="c")), rows=(ROW,))
    hidden = replace(made, hardware=(*made.hardware[:2], replace(made.hardware[2], visible=False)))
    found = sweep_batches(evaluate(hidden, catalogue))
    assert [d.key for d in found.devices] == ["dev", "b"]
    alone = evaluate(replace(hidden, workload=replace(hidden.workload, batch=64)), catalogue)
    place = int(np.flatnonzero(GRID == 64.0)[0])
    for swept in found.devices:
        totals = alone.device(swept.key).totals  # type: ignore[union-attr]
        assert swept.step_s[place] == pytest.approx(float(totals.floor_s))
        assert swept.all_per_s[place] == pytest.approx(float(totals.tokens_per_s))
        assert swept.each_per_s[place] == pytest.approx(float(totals.tokens_per_s_per_request))
    assert sweep_batches(evaluate(study(ROW), catalogue)).devices == ()


def test_rates_are_told_only_where_there_is_room(catalogue: Catalogue) -> None:
    evaluation = evaluate(modelled(context=1000), catalogue)
    token, free = 32 * 2 * 8 * 128 * 2, 80e9 - float(evaluation.memory.of(WEIGHTS))
    most = int(free // (1000 * token))
    (found,) = rates_where_held(evaluation, evaluation.devices, (1, most, most + 1), ())
    assert [rate is not None for rate in found] == [True, True, False]
    (long,) = rates_where_held(evaluation, evaluation.devices, (), (int(free // token), int(free // token) + 1))
    assert [rate is not None for rate in long] == [True, False]
    (grid,) = rates_where_held(evaluation, evaluation.devices, (1, most + 1), (1, 1000))
    assert [rate is not None for rate in grid] == [True, True, True, False]
    one = evaluate(modelled(context=1000, batch=most), catalogue)
    assert found[1] == pytest.approx(float(one.devices[0].totals.tokens_per_s))
    blind = evaluate(modelled(on=(device(capacity=None),)), catalogue)
    assert rates_where_held(blind, blind.devices, (10**6,), ())[0][0] is not None


def test_a_trail_begins_at_one_and_ends_at_the_batch(catalogue: Catalogue) -> None:
    trail = batch_trail(evaluate(modelled(batch=64), catalogue))
    batches = [v.edit.batch for v in trail.variants]  # type: ignore[union-attr]
    assert (batches[0], batches[-1], len(batches)) == (1.0, pytest.approx(64.0), 12)
    assert [b / a for a, b in pairwise(batches)] == pytest.approx([64 ** (1 / 11)] * 11)
    assert len(batch_trail(evaluate(modelled(batch=2), catalogue))) == 12
    assert len(batch_trail(evaluate(study(ROW, batch=64), catalogue))) == 0


def test_a_model_is_compared_where_it_can_run(catalogue: Catalogue) -> None:
    other = quick(params=9e12)
    made = replace(modelled(rows=(ROW,)), models=(LLAMA_8B, other))
    evaluation = evaluate(made, catalogue)
    one, rough = model_figures(evaluation, LLAMA_8B), model_figures(evaluation, other)
    assert one is not None
    assert rough is not None
    alone = evaluate(modelled(), catalogue).devices[0].totals
    assert one == (
        float(alone.floor_s),
        alone.tokens_per_s,
        alone.tokens_per_s_per_request,
        float(alone.memory_bytes),
        True,
    )
    assert rough.fits is False
    encoder = ModelEntry(id="e", name="E", config={"model_type": "bert"})
    for bad in (replace(other, id="gone"), encoder):
        assert model_figures(evaluate(replace(made, models=(*made.models, encoder)), catalogue), bad) is None
    hidden = replace(made, hardware=(replace(made.hardware[0], visible=False),))
    assert model_figures(evaluate(hidden, catalogue), LLAMA_8B) is None


def test_a_peak_that_stands_alone_judges_its_own_format(catalogue: Catalogue) -> None:
    both = replace(device(), peaks=(*device().peaks, Peak(format="fp8", accumulate="fp32", unit="tensor", rate=600e12)))
    result = evaluate(study(replace(ROW, activations="fp8", weights="fp8"), on=(both,)), catalogue).devices[0]
    assert (result.points[0].peak.rate, result.main_peak.rate) == (600e12, 600e12)
