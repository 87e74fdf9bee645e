"""What stands side by side, in which order, and what it is compared with."""

from msgspec.structs import replace

from explorer.analysis.ask.comparison.subjects import baseline_key, subjects
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.choices import Vary
from explorer.analysis.study.study import Study
from explorer.analysis.study.variant import ScaleDevice, SetBatch, Variant
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study

CATALOGUE = load_catalogue(devices=False)


def opened(vary: Vary = "machines", **view: object) -> Evaluation:
    study = opening_study()
    return evaluate(replace(study, view=replace(study.view, vary=vary, **view)), CATALOGUE)


def hiding(study: Study, entry_id: str) -> Study:
    hidden = (replace(e, visible=e.id != entry_id) for e in study.hardware)
    return replace(study, hardware=tuple(hidden))


def test_machines_are_the_visible_entries_in_the_order_of_the_study() -> None:
    evaluation = opened()
    entries = evaluation.study.hardware
    assert [s.key for s in subjects(evaluation)] == [e.id for e in entries]
    fewer = evaluate(hiding(evaluation.study, entries[1].id), CATALOGUE)
    assert [s.key for s in subjects(fewer)] == [entries[0].id, entries[2].id]


def test_ratios_are_to_the_active_device_until_another_is_chosen() -> None:
    evaluation = opened()
    first, second = (e.id for e in evaluation.study.hardware[:2])
    assert baseline_key(evaluation, subjects(evaluation)) == first
    chosen = opened(baseline=second)
    assert baseline_key(chosen, subjects(chosen)) == second
    hidden = evaluate(hiding(chosen.study, second), CATALOGUE)
    assert baseline_key(hidden, subjects(hidden)) == first


def test_a_baseline_chosen_later_is_not_that_of_the_evaluation_before() -> None:
    evaluation = opened("what_ifs")
    second = evaluation.study.hardware[1].id
    assert subjects(evaluation)[0].entry.id != second
    later = evaluation.viewed(replace(evaluation.study, view=replace(evaluation.study.view, baseline=second)))
    assert [s.entry.id for s in subjects(later)] == [second]


def test_models_are_compared_with_the_active_one_until_another_of_them_is_chosen() -> None:
    study = opened("models").study
    other = replace(study.models[0], id="other", name="Another")
    study = replace(study, models=(*study.models, other))
    for chosen, against in (("", study.active_model), ("other", "other"), ("gone", study.active_model)):
        evaluation = evaluate(replace(study, view=replace(study.view, baseline_model=chosen)), CATALOGUE)
        assert baseline_key(evaluation, subjects(evaluation)) == against


def test_a_baseline_among_models_leaves_the_device_that_ratios_are_to() -> None:
    evaluation = opened("models")
    second, model = evaluation.study.hardware[1].id, evaluation.study.models[0].id
    view = replace(evaluation.study.view, baseline=second, baseline_model=model)
    later = evaluation.viewed(replace(evaluation.study, view=view))
    found = subjects(later)
    assert later.baseline is not None
    assert (later.baseline.entry.id, baseline_key(later, found)) == (second, model)
    assert {s.entry.id for s in found} == {second}


def test_formats_stand_behind_the_step_as_it_is_and_leave_out_what_it_has() -> None:
    found = subjects(opened("formats"))
    assert found[0].edit is None
    pairs = [(s.edit.weights, s.edit.kv) for s in found[1:]]  # type: ignore[union-attr]
    assert len(set(pairs)) == len(pairs) > 3
    assert all(s.result is not None and s.result.totals.floor_s < found[0].result.totals.floor_s for s in found[1:])  # type: ignore[union-attr]


def test_what_ifs_that_cannot_be_evaluated_stay_rows_without_a_result() -> None:
    study = opened("what_ifs").study
    active = study.hardware[0].id
    edits = (SetBatch(batch=16), ScaleDevice(device=active, figure="bandwidth", factor=2.0))
    variants = tuple(Variant(label=f"number {i}", edit=e) for i, e in enumerate(edits))
    found = subjects(evaluate(replace(study, what_ifs=variants), CATALOGUE))
    assert [s.name for s in found] == ["", "number 0", "number 1"]
    assert found[2].result.machine.bandwidth == 2 * found[0].result.machine.bandwidth  # type: ignore[union-attr,operator]


def test_without_a_device_nothing_stands_side_by_side() -> None:
    study = replace(opening_study(), hardware=())
    for vary in ("machines", "models", "formats", "what_ifs", "measurements"):
        evaluation = evaluate(study, CATALOGUE)
        assert subjects(evaluation, vary) == ()
        assert baseline_key(evaluation, (), vary) == ""
