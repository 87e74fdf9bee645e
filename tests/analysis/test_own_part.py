"""What an evaluation takes over from an earlier one changes no figure."""

from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import astuple, replace

from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.notes import notes
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.problem import Problem
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.placement import place
from explorer.analysis.study.check import edit_problems, study_problems
from explorer.analysis.study.study import OwnRow
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from tests.analysis.random_edits import history, some_rows


@pytest.fixture(scope="module")
def every() -> Catalogue:
    return load_catalogue()


def figures(evaluation: Evaluation) -> object:
    """All that an evaluation says, for comparing figure by figure."""
    return (
        [astuple(r) for r in evaluation.rows],
        evaluation.costs,
        evaluation.problems,
        notes(evaluation),
        [
            (
                [(astuple(p.row), *astuple(p)[1:]) for p in d.points],
                repr(d.totals),
                d.main_peak,
                d.shares,
                d.flop_shares,
                levers(evaluation, d.entry.id),
            )
            for d in evaluation.devices
        ],
    )


@pytest.mark.parametrize("seed", range(12))
def test_after_any_edits_it_says_what_an_evaluation_from_scratch_says(every: Catalogue, seed: int) -> None:
    evaluation = None
    for study in history(seed, every, rows=25, steps=20):
        evaluation = evaluate(study, every, evaluation)
        assert figures(evaluation) == figures(evaluate(study, every))


@pytest.mark.parametrize("seed", range(4))
def test_rows_placed_all_at_once_stand_where_each_stands_alone(every: Catalogue, seed: int) -> None:
    for study in history(seed, every, rows=25, steps=6):
        evaluation = evaluate(study, every)
        evaluator = evaluation.evaluator
        for result in evaluation.devices:
            for point in result.own.points:
                alone = place([point.row], [point.costs], evaluator.asking.peak, result.machine, eager=evaluator.eager)[
                    0
                ]
                assert astuple(point)[1:] == astuple(alone)[1:]
                assert point.peak == evaluator.place([point.row], [point.costs], result.machine)[0].peak
        for row, costs in zip(evaluation.own.rows, evaluation.own.costs, strict=True):
            written = next(o for o in study.operators if o.name == row.name)
            plain = evaluator.kinds[row.kind].costs(row, evaluator.formats)
            assert costs == (plain if not written.fused else _fused(plain))


def _fused(costs: Costs) -> Costs:
    return costs._replace(bytes_read=costs.weight_bytes + costs.kv_bytes, bytes_written=0.0, kernels=0.0)


def test_a_step_of_a_slider_leaves_the_users_rows_alone(every: Catalogue) -> None:
    study = replace(opening_study(), operators=some_rows_that_work())
    before = evaluate(study, every)
    points = [d.own.points for d in before.devices]
    after = evaluate(replace(study, workload=replace(study.workload, batch=77)), every, before)
    assert after.own is before.own
    assert all(d.own.points is known for d, known in zip(after.devices, points, strict=True))


def test_an_edit_of_one_row_places_that_row_alone(every: Catalogue) -> None:
    study = replace(opening_study(), operators=some_rows_that_work())
    before = evaluate(study, every)
    known = {id(p) for d in before.devices for p in d.own.points}
    changed = (replace(study.operators[0], count=7.0), *study.operators[1:])
    after = evaluate(replace(study, operators=changed), every, before)
    fresh = [p.row.name for d in after.devices for p in d.own.points if id(p) not in known]
    assert fresh == [study.operators[0].name] * len(after.devices)


@pytest.mark.parametrize("seed", range(6))
def test_an_edit_is_refused_for_faults_that_it_brings_wherever_the_known_ones_move(every: Catalogue, seed: int) -> None:
    studies = list(history(seed, every, rows=12, steps=15))
    for old, new in pairwise(studies):
        found, known = edit_problems(old, new, every), study_problems(old, every)
        brought = [p for p in study_problems(new, every) if _placeless(p) not in map(_placeless, known)]
        assert set(map(repr, brought)) <= set(map(repr, found))
        assert not found or set(map(repr, found)) <= set(map(repr, study_problems(new, every)))


def _placeless(problem: Problem) -> object:
    return problem.code, problem.values


def test_a_second_row_of_one_id_is_refused_though_neither_row_is_new(every: Catalogue) -> None:
    study = replace(opening_study(), operators=some_rows_that_work())
    twice = replace(study, operators=(*study.operators, study.operators[0]))
    assert [p.code for p in edit_problems(study, twice, every)] == ["study.twice"]


def some_rows_that_work() -> tuple[OwnRow, ...]:
    rows = some_rows(Random(5), 40)  # noqa: S311 - no secret
    return tuple(replace(o, weights=None, enabled=True) for o in rows if o.kind in {"matmul", "copy"})
