"""Levers: the edit whose gain is shown is the one that is made, and its quick time is that of the whole evaluation."""

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import GRID, sweep_batches
from explorer.analysis.ask.compare import model_figures
from explorer.analysis.ask.evaluation_set import EvaluationSet
from explorer.analysis.ask.levers import LEVERS, Gain, levers
from explorer.analysis.ask.step_time import step_time
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.apply import applied
from explorer.analysis.study.study import ModelEntry, OwnRow, QuickModel
from explorer.analysis.study.variant import Edit, ScaleDevice, SetBatch, SetCount, SetFormats, SetWorkload, Variant
from explorer.files.catalogue import load_catalogue
from tests.analysis.random_edits import history
from tests.presentation.llama import catalogue, device, evaluated, study

OWN = (
    OwnRow(id="a", name="own matmul", kind="matmul", dims={"m": 64.0, "n": 4096.0, "k": 4096.0}, count=3.0),
    OwnRow(id="b", name="own copy", kind="copy", dims={"values": 1e8}),
)
EDITS: tuple[Edit, ...] = (
    *(ScaleDevice(device="round", figure="bandwidth", factor=f) for f in (0.3, 2.0, 50.0)),
    *(ScaleDevice(device="round", figure="compute", factor=f) for f in (0.01, 2.0)),
    ScaleDevice(device="round", figure="capacity", factor=2.0),
    ScaleDevice(device="round", figure="links", factor=2.0),
    ScaleDevice(device="other", figure="bandwidth", factor=2.0),
    SetFormats(weights="int8"),
    SetFormats(kv="fp8", activations="fp8"),
    SetCount(device="round", count=3),
    SetCount(device="other", count=3),
    SetBatch(batch=300),
    SetWorkload(launch="graph", context=100),
)


def whole(evaluation: Evaluation, entry_id: str, edit: Edit) -> float:
    found = evaluate(applied(evaluation.study, edit), evaluation.catalogue).device(entry_id)
    assert found is not None
    return float(found.totals.time_s)


@pytest.mark.parametrize("launch", ["graph", "eager"])
@pytest.mark.parametrize("phase", ["decode", "prefill"])
@pytest.mark.parametrize("edit", EDITS)
def test_the_quick_time_is_that_of_the_whole_evaluation(edit: Edit, phase: str, launch: str) -> None:
    base = replace(study(device(), device("Other"), phase=phase, launch=launch), operators=OWN)
    evaluation = evaluate(base, catalogue())
    result = evaluation.devices[0]
    assert step_time(evaluation, result, edit) == pytest.approx(whole(evaluation, "round", edit), rel=1e-12, abs=0)


@pytest.fixture(scope="module")
def every() -> Catalogue:
    return load_catalogue()


@pytest.mark.parametrize("seed", range(6))
def test_every_gain_is_that_of_making_the_very_edit(every: Catalogue, seed: int) -> None:
    for made in history(seed, every, rows=12, steps=6):
        evaluation = evaluate(made, every)
        for result in evaluation.devices:
            entry = result.entry.id
            for found in levers(evaluation, entry):
                then = whole(evaluation, entry, found.variant.edit)
                if then > 0 and result.totals.time_s > 0:
                    assert found.gain == pytest.approx(float(result.totals.time_s) / then, rel=1e-12, abs=0)
                else:
                    assert found.gain is None


def test_a_lever_that_does_not_apply_yields_no_variant() -> None:
    wide, narrow = evaluated(), evaluated(weights="int8", kv="fp8")
    rates = ["lever.bandwidth2", "lever.compute2"]
    assert [g.code for g in levers(wide, "round")] == ["lever.weights8", "lever.kv8", *rates]
    assert [g.code for g in levers(narrow, "round")] == ["lever.weights4", "lever.kv4", *rates]
    assert [g.code for g in levers(evaluated(weights="int4", kv="int4"), "round")] == rates
    assert len(LEVERS) == 7
    assert levers(wide, "gone") == ()


def test_a_set_evaluates_each_variant_as_if_it_were_the_study() -> None:
    evaluation = evaluated(device(), device("Other"))
    variants = tuple(Variant(label=str(i), edit=e) for i, e in enumerate(EDITS))
    compared = EvaluationSet(evaluation, variants)
    assert len(compared) == len(variants)
    for i, (variant, found) in enumerate(compared):
        assert found is not None
        assert found is compared.evaluation(i)
        alone = evaluate(applied(evaluation.study, variant.edit), evaluation.catalogue)
        for here, there in zip(found.devices, alone.devices, strict=True):
            assert repr(here.totals) == repr(there.totals)
        assert compared.step_s(i, "round") == whole(evaluation, "round", variant.edit)


def test_models_are_compared_on_the_active_device_without_the_users_rows() -> None:
    quick = ModelEntry(id="quick", name="Q", quick=QuickModel(params=1e9, layers=8, kv_heads=8, head_dim=64))
    base = replace(study(), operators=OWN)
    evaluation = evaluate(replace(base, models=(*base.models, quick)), catalogue())
    found = model_figures(evaluation, quick)
    alone = evaluate(replace(base, models=(quick,), active_model="quick", operators=()), catalogue()).devices[0]
    assert found is not None
    assert found.floor_s == float(alone.totals.floor_s)
    assert model_figures(evaluation, replace(quick, id="gone")) is None


def test_the_sweep_is_a_set_of_batches() -> None:
    evaluation = evaluated()
    (swept,) = sweep_batches(evaluation).devices
    places = [i for i, b in enumerate(GRID) if float(b).is_integer()]
    compared = EvaluationSet(evaluation, [Variant(label="", edit=SetBatch(batch=float(GRID[i]))) for i in places])
    floors = [float(found.devices[0].totals.floor_s) for _, found in compared if found is not None]
    np.testing.assert_allclose(floors, [swept.step_s[i] for i in places], rtol=1e-12)


def test_where_it_does_not_fit_the_fewest_devices_that_hold_it_are_a_lever() -> None:
    """20.4 GB on 8 GB each: three; all that they bring is room and, as one, thrice the rates."""
    small = evaluated(device(capacity=8e9))
    first = levers(small, "round")[0]
    assert (first.code, first.variant.edit) == ("lever.devices", SetCount(device="round", count=3))
    assert first.gain == pytest.approx(3.0, rel=1e-9)
    roomy = evaluate(applied(small.study, first.variant.edit), small.catalogue)
    assert roomy.devices[0].totals.fits
    assert "lever.devices" not in [g.code for g in levers(roomy, "round")]
    assert "lever.devices" not in [g.code for g in levers(evaluated(device(capacity=None)), "round")]


def test_a_change_that_brings_nothing_is_of_no_use_unless_it_brings_room() -> None:
    useful = {g.code: g.useful for g in levers(evaluated(device(capacity=8e9)), "round")}
    assert useful == {
        "lever.devices": True,
        "lever.weights8": True,
        "lever.kv8": True,
        "lever.bandwidth2": True,
        "lever.compute2": False,
    }
    variant = Variant(label="x", edit=SetBatch(batch=1))
    assert [Gain(variant, g).useful for g in (None, 0.5, 1.0, 1.0049, 1.005)] == [False] * 4 + [True]
    assert Gain(variant, 1.0, brings_room=True).useful


def test_more_than_a_thousand_devices_are_no_offer() -> None:
    """20.4 GB: 1,020 devices of 20 MB may be taken, 2,040 of 10 MB are nobody's."""
    found = [[g.code for g in levers(evaluated(device(capacity=c)), "round")] for c in (20.4e6, 10e6)]
    assert ["lever.devices" in codes for codes in found] == [True, False]
