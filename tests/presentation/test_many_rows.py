"""Very many rows of the user's own: nothing is lost in the crowd, and a step of a slider leaves it alone."""

from collections import Counter

import pytest
from msgspec.structs import asdict, replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.quantities.numbers import percent
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure
from explorer.presentation.roofline.hover import describe_mark
from explorer.presentation.roofline.marks import FRONT, MANY, STRIPS
from explorer.presentation.tables.operator_rows import operator_rows

CATALOGUE = load_catalogue(devices=False)


def many(count: int = MANY + 200) -> Study:
    rows = [
        OwnRow(id=f"r{i}", name=f"row {i}", kind="matmul", dims={"m": 1.0 + i % 97, "n": 64.0 * (1 + i), "k": 512.0})
        for i in range(count)
    ]
    copies = [OwnRow(id=f"c{i}", name=f"copy {i}", kind="copy", dims={"values": 1e4 * (1 + i)}) for i in range(250)]
    return replace(opening_study(), operators=(*rows, *copies))


def moved(study: Study, batch: int) -> Study:
    return replace(study, workload=replace(study.workload, batch=batch))


def told(figure: Figure) -> object:
    return asdict(figure) | {"crowds": [(c.marks, c.x, c.y) for c in figure.crowds]}


@pytest.fixture
def evaluation() -> Evaluation:
    return evaluate(many(), CATALOGUE)


def test_every_row_with_flops_has_its_place_in_one_mark_of_every_device(evaluation: Evaluation) -> None:
    figure = build_figure(evaluation)
    on_chart = {r.name for r, c in zip(evaluation.rows, evaluation.costs, strict=True) if c.flops}
    for device in evaluation.devices:
        counted = Counter(name for m in figure.every_mark if m.device == device.entry.id for name in m.rows)
        assert set(counted) == on_chart
        assert set(counted.values()) == {1}


def test_the_shares_of_marks_and_strips_add_up_to_the_whole_step(evaluation: Evaluation) -> None:
    figure, active = build_figure(evaluation), evaluation.active
    assert active is not None
    part = active.own.sum_s / active.totals.time_s
    crowd = sum(m.area for c in figure.crowds for m in c.marks if m.device == active.entry.id) * part
    front = sum(m.area for m in figure.marks if m.device == active.entry.id)
    off_chart = sum(s for p, s in zip(active.points, active.shares, strict=True) if not p.costs.flops)
    assert crowd + front + off_chart == pytest.approx(1.0)


def test_a_step_of_a_slider_leaves_the_crowd_the_same_and_the_figure_right() -> None:
    study = many()
    first = evaluate(study, CATALOGUE)
    before = build_figure(first)
    for batch in (1, 9, 100):
        second = evaluate(moved(study, batch), CATALOGUE, first)
        after = build_figure(second)
        assert all(a is b for a, b in zip(before.crowds, after.crowds, strict=True))
        fresh = build_figure(evaluate(moved(study, batch), CATALOGUE))
        assert told(after) == told(fresh)


def test_the_biggest_marks_stay_marks_with_a_label_and_a_true_share(evaluation: Evaluation) -> None:
    figure, active = build_figure(evaluation), evaluation.active
    assert active is not None
    mine = [m for m in figure.marks if m.device == active.entry.id and m.rows[0].startswith("row")]
    assert len(mine) == FRONT
    shares = {p.row.name: s for p, s in zip(active.points, active.shares, strict=True)}
    for mark in mine:
        assert mark.area == pytest.approx(sum(shares[name] for name in mark.rows))
    assert max(m.area for c in figure.crowds for m in c.marks) <= 1 / FRONT


def test_the_card_of_a_mark_in_the_crowd_tells_its_share_of_the_step(evaluation: Evaluation) -> None:
    figure, active = build_figure(evaluation), evaluation.active
    assert active is not None
    mark = next(m for c in figure.crowds for m in c.marks if m.device == active.entry.id and len(m.rows) > 1)
    shares = {p.row.name: s for p, s in zip(active.points, active.shares, strict=True)}
    assert percent(sum(shares[name] for name in mark.rows)) in describe_mark(evaluation, mark)


def test_of_very_many_operators_without_flops_all_are_counted_and_the_biggest_listed(evaluation: Evaluation) -> None:
    figure = build_figure(evaluation)
    assert len(figure.strips) == STRIPS
    assert "251" in figure.strip_text or "250" in figure.strip_text
    assert figure.strips[0].area >= figure.strips[-1].area


def test_rows_of_the_table_are_those_of_an_evaluation_from_scratch() -> None:
    study = many()
    first = evaluate(study, CATALOGUE)
    operator_rows(first)
    faulty = replace(study, operators=(replace(study.operators[0], kind="unknown"), *study.operators[1:]))
    left_out = replace(study, operators=(*study.operators[:-1], replace(study.operators[-1], enabled=False)))
    for changed in (moved(study, 50), faulty, left_out):
        kept, fresh = operator_rows(evaluate(changed, CATALOGUE, first)), operator_rows(evaluate(changed, CATALOGUE))
        for one, other in zip(kept, fresh, strict=True):
            assert (one.key, one.share, one.flop_share, one.costs, one.own, one.problem, one.about) == (
                (other.key, other.share, other.flop_share, other.costs, other.own, other.problem, other.about)
            )
            assert [p.time_s for p in one.others] == [p.time_s for p in other.others]
            assert (one.point is None) == (other.point is None)
