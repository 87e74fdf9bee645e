"""Questions to an evaluation: asked once, remembered along, and of figures that the step itself has."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import explorer
from explorer.analysis.ask.batch_trail import STEPS, batch_trail, row_trails
from explorer.analysis.ask.capacity import capacity_fit, fitting_context, largest_batch, left_over
from explorer.analysis.ask.knees import decode_line, knees
from explorer.analysis.ask.main_work import main_demand, met_peaks, ridge_of
from explorer.analysis.ask.notes import notes
from explorer.analysis.ask.shares import own_share, sum_of, vector_share
from explorer.analysis.measured.gap_memory import remembered_gap
from explorer.analysis.measured.predict import Predictor
from explorer.analysis.measured.robust import robust_line
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.check import LARGEST_BATCH
from explorer.analysis.study.study import Measurement, ModelEntry, OwnRow, QuickModel
from tests.presentation.llama import CONFIG, catalogue, device, evaluated, study


def test_a_question_is_asked_once_and_a_view_asks_it_no_second_time() -> None:
    asked = []

    def question(evaluation: Evaluation, number: int) -> int:
        asked.append(number)
        return number + len(evaluation.rows)

    evaluation = evaluated()
    seen = evaluation.viewed(replace(evaluation.study, view=replace(evaluation.study.view, tab="time")))
    assert evaluation.section(question, 1) == seen.section(question, 1) == 1 + len(evaluation.rows)
    assert evaluation.section(question, 2) == 2 + len(evaluation.rows)
    assert asked == [1, 2]
    assert decode_line(evaluation) is decode_line(seen)
    assert notes(evaluation) is notes(seen)


def test_another_state_of_the_study_is_asked_anew() -> None:
    first = evaluated(batch=1)
    second = evaluate(replace(first.study, workload=replace(first.study.workload, batch=64)), catalogue(), first)
    assert decode_line(first) is not decode_line(second)


def test_what_is_remembered_goes_along_with_the_study_and_with_no_other() -> None:
    base = replace(study(), measurements=(Measurement(id="m", name="m", device="round", row="q_proj", time_s=1e-3),))
    first = evaluate(base, catalogue())
    following = evaluate(replace(base, name="renamed"), catalogue(), first)
    elsewhere = evaluate(base, catalogue())
    (measured,) = base.measurements
    gap = remembered_gap(Predictor(first), measured)
    assert remembered_gap(Predictor(following), measured) is gap
    assert remembered_gap(Predictor(elsewhere), measured) is not gap
    slower = replace(base, workload=replace(base.workload, batch=64))
    assert remembered_gap(Predictor(evaluate(slower, catalogue(), following)), measured) is not gap


def test_a_model_is_built_once_for_its_entry() -> None:
    entry = ModelEntry(id="a", name="A", config=CONFIG)
    assert built_model(entry) is built_model(entry)
    twin = replace(entry)
    assert twin == entry
    assert built_model(twin) is not built_model(entry)


@pytest.mark.parametrize("free", [-1.0, 0.0, 7.9, 8.0, 100.0])
def test_the_largest_batch_is_what_the_free_bytes_hold(free: float) -> None:
    found = largest_batch(free, 4.0)
    assert found is not None
    assert 4.0 * found <= max(free, 0.0) < 4.0 * (found + 1)


def test_sequences_that_hold_nothing_fit_in_any_number_or_not_at_all() -> None:
    assert largest_batch(1.0, 0.0) is None
    assert largest_batch(-1.0, 0.0) == 0


@pytest.mark.parametrize("capacity", [1e9, 16.1e9, 20e9, 80e9, 640e9])
@pytest.mark.parametrize("context", [1, 4096, 100_000])
def test_every_place_that_says_what_fits_says_the_same(capacity: float, context: int) -> None:
    evaluation = evaluated(device(capacity=capacity), context=context, reserve=1e8)
    result = evaluation.devices[0]
    found, at = capacity_fit(evaluation, result), knees(evaluation, "round")
    assert found is not None
    assert at is not None
    assert evaluation.memory.total == pytest.approx(float(result.totals.memory_bytes), rel=1e-15)
    assert found.fits == result.totals.fits
    assert found.fits == (left_over(result) >= 0)
    if found.on == 1:
        assert found.largest_batch == (at.fit_batch if at.fit_batch < LARGEST_BATCH else None)
        assert (fitting_context(evaluation, result, 2**27) or 0) == (found.longest_context or 0)
        assert found.fits == (at.fit_batch >= evaluation.study.workload.batch)


def test_a_trail_is_the_steps_own_rows_at_growing_batches() -> None:
    evaluation = evaluated(batch=300)
    trail = batch_trail(evaluation)
    assert len(trail) == STEPS
    (found,) = row_trails(trail, evaluation.devices[0], {"gate_proj"})
    for i, (_, alone) in enumerate(trail):
        assert alone is not None
        point = next(p for p in alone.devices[0].placed if p.row.name == "gate_proj")
        assert found.intensity[i] == pytest.approx(float(point.intensity), rel=1e-12)
        assert found.performance[i] == pytest.approx(point.performance, rel=1e-12)
    assert len(batch_trail(evaluated(batch=1))) == 0
    assert row_trails(batch_trail(evaluated(batch=1)), evaluation.devices[0], {"gate_proj"}) == ()


def test_a_sum_of_all_rows_is_the_step() -> None:
    rows = (OwnRow(id="a", name="own", kind="matmul", dims={"m": 64.0, "n": 4096.0, "k": 4096.0}, count=3.0),)
    evaluation = evaluate(replace(study(), operators=rows), catalogue())
    result = evaluation.devices[0]
    whole, own = sum_of(result, result.points), sum_of(result, result.own.points)
    assert whole.time_s == pytest.approx(float(result.totals.time_s), rel=1e-12)
    assert (whole.time_share, whole.flop_share) == (pytest.approx(1.0), pytest.approx(1.0))
    assert whole.intensity == pytest.approx(whole.flops / whole.bytes)
    assert own_share(result) == pytest.approx(own.time_share, rel=1e-12)
    vector = [p for p in result.points if evaluation.evaluator.kinds[p.row.kind].kind.unit == "vector"]
    assert vector_share(evaluation, result) == (
        pytest.approx(sum_of(result, vector).time_share), pytest.approx(sum_of(result, vector).flop_share)
    )  # fmt: skip


def test_the_main_work_asks_for_the_peak_that_the_roof_shows() -> None:
    evaluation = evaluated()
    result = evaluation.devices[0]
    assert result.machine.peak(*main_demand(evaluation)) == result.main_peak
    assert ridge_of(result.main_peak, result.machine) == result.ridge
    assert met_peaks(result) == ()
    slow = evaluated(device(bandwidth=1e17), phase="prefill").devices[0]
    assert {p.rate for p in met_peaks(slow)} == {5e13}


def test_a_robust_line_passes_by_what_lies_far_off() -> None:
    x = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    times = 3.0 + 2.0 * x
    times[2] *= 5
    columns = np.column_stack([x, np.ones_like(x)]) / times[:, None]
    found = robust_line(columns, fixed=True, least_sigma=1e-3, rounds=50)
    assert (found.slope, found.fixed) == (pytest.approx(2.0, rel=0.02), pytest.approx(3.0, rel=0.02))
    alone = robust_line(columns, fixed=False, least_sigma=1e-3, rounds=50)
    assert alone.fixed == 0.0


def test_quick_models_are_compared_by_the_same_rules() -> None:
    quick = ModelEntry(id="q", name="Q", quick=QuickModel(params=1e9, layers=8, kv_heads=8, head_dim=64))
    evaluation = evaluate(replace(study(), models=(quick,), active_model="q"), catalogue())
    found = capacity_fit(evaluation, evaluation.devices[0])
    assert found is not None
    assert found.largest_batch == knees(evaluation, "round").fit_batch


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_a_step_knows_no_question_that_is_asked_of_it() -> None:
    folder = Path(explorer.__file__).parent / "analysis" / "step"
    asked = {p.name: m for p in folder.rglob("*.py") for m in _imports(p) if m.startswith("explorer.analysis.ask")}
    assert asked == {}
