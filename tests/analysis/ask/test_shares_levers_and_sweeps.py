"""Questions to an evaluation at their edges: shares, levers, main work, sweeps."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import GRID, rates_where_held, same_curves, sweep_batches
from explorer.analysis.ask.batch_trail import batch_trail
from explorer.analysis.ask.compare import model_figures
from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.main_work import main_demand, met_peaks, ridge_of, value_bytes, value_format
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
from explorer.analysis.catalogue.device import Peak
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.ledger import WEIGHTS
from explorer.analysis.step.machines.peaks import PeakChoice
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.study import ModelEntry, Override, View
from tests.analysis.ask.made import COPY, ROW, card, modelled, quick
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B

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
        ({"weights": "fp8"}, {"weights4", "kv8"}),
        ({"kv": "fp8"}, {"weights8", "kv4"}),
        ({"weights": "mxfp8", "kv": "int8"}, {"weights4", "kv4"}),
        ({"weights": "Q8_0", "kv": "Q5_1"}, {"weights4", "kv4"}),
        ({"weights": "Q4_1", "kv": "Q4_0"}, set()),
        ({"weights": "fp32", "kv": "fp16"}, {"weights8", "kv8"}),
    ],
)
def test_fewer_bits_help_where_there_are_more(work: dict[str, str], codes_: set[str], catalogue: Catalogue) -> None:
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
        None,
        None,
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
