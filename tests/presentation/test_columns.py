"""Columns: one description for the window, the files and paper."""

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Override, OwnRow, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.look import ENGLISH
from explorer.presentation.tables.model_columns import model_columns, model_rows, parameters
from explorer.presentation.tables.operator_columns import OPERATOR_COLUMNS, operator_columns
from explorer.presentation.tables.operator_rows import operator_rows
from explorer.presentation.words.messages import TEMPLATES, render

CATALOGUE = load_catalogue(devices=False)
BY_KEY = {c.key: c for c in OPERATOR_COLUMNS}
# what an engineer sees first, as the design has it
USUAL = ["name", "kind", "count", "flops", "bytes", "intensity", "bound", "time", "share", "flop_share"]


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    mine = (
        OwnRow(id="a", name="mine", kind="matmul", dims={"m": 8.0}),
        OwnRow(id="b", name="left out", kind="softmax", enabled=False),
        OwnRow(id="c", name="odd", kind="no such kind"),
        OwnRow(id="d", name="last", kind="relu"),
    )
    overrides = (Override(row="q_proj", weights="fp8"),)
    return evaluate(replace(opening_study(), operators=mine, overrides=overrides), CATALOGUE)


def text(evaluation: Evaluation, name: str, key: str) -> str:
    row = next(r for r in operator_rows(evaluation) if r.name == name)
    return BY_KEY[key].text(row)


def test_the_usual_columns_are_those_of_the_design() -> None:
    assert [c.key for c in OPERATOR_COLUMNS if c.shown] == USUAL


def test_keys_are_unique_and_headers_have_words(evaluation: Evaluation) -> None:
    columns = [*operator_columns(evaluation), *model_columns(ENGLISH)]
    keys = [c.key for c in operator_columns(evaluation)]
    assert len(set(keys)) == len(keys)
    assert all(c.header.key in TEMPLATES for c in columns)
    assert all(c.title() for c in columns)


def test_every_column_says_something_of_every_row(evaluation: Evaluation) -> None:
    for row in operator_rows(evaluation):
        for column in operator_columns(evaluation):
            assert isinstance(column.text(row), str)
            value = column.value(row)
            assert value is None or isinstance(value, float | str), column.key
            tip = column.tip(row)
            assert tip is None or "{" not in render(tip)


def test_rows_come_in_execution_order_the_users_last_and_all_of_them(evaluation: Evaluation) -> None:
    names = [r.name for r in operator_rows(evaluation)]
    assert names[0] == "embed_tokens"
    assert names[-4:] == ["mine", "left out", "odd", "last"]


def test_the_users_rows_carry_their_own_figures(evaluation: Evaluation) -> None:
    # 2 x 8 x 4096 x 4096 FLOPs; relu: one FLOP for each of 4194304 values
    assert text(evaluation, "mine", "flops") == "268 MFLOP"
    assert text(evaluation, "last", "flops") == "4.19 MFLOP"


def test_rows_that_do_not_count_have_no_figures_and_the_odd_one_a_reason(evaluation: Evaluation) -> None:
    rows = {r.name: r for r in operator_rows(evaluation)}
    assert text(evaluation, "left out", "time") == "–"
    assert rows["left out"].problem is None
    assert rows["odd"].problem is not None
    assert rows["mine"].problem is None


def test_an_override_is_known_to_its_column_only(evaluation: Evaluation) -> None:
    row = next(r for r in operator_rows(evaluation) if r.name == "q_proj")
    assert [c.key for c in OPERATOR_COLUMNS if c.changed(row)] == ["weights"]
    assert BY_KEY["weights"].text(row) == "fp8"


def test_dims_left_out_stand_at_the_kinds_defaults(evaluation: Evaluation) -> None:
    assert text(evaluation, "mine", "dims") == "m=8 n=4096 k=4096"


def test_times_and_shares_add_up_to_the_step(evaluation: Evaluation) -> None:
    rows = operator_rows(evaluation)
    active = evaluation.active
    assert active is not None
    assert sum(r.share or 0.0 for r in rows) == pytest.approx(1.0)
    assert sum(r.flop_share or 0.0 for r in rows) == pytest.approx(1.0)
    totals = [BY_KEY["total"].value(r) for r in rows]
    assert sum(t for t in totals if isinstance(t, float)) == pytest.approx(float(active.totals.time_s))


def test_each_device_has_a_column_of_times(evaluation: Evaluation) -> None:
    columns = [c for c in operator_columns(evaluation) if c.key.startswith("device_times@time@")]
    row = operator_rows(evaluation)[2]
    assert len(columns) == len(evaluation.devices)
    assert [c.value(row) for c in columns] == [float(d.points[2].time_s) for d in evaluation.devices]


def test_without_a_device_the_work_is_still_listed() -> None:
    rows = operator_rows(evaluate(Study(operators=(OwnRow(id="a", name="a", kind="matmul"),)), CATALOGUE))
    assert BY_KEY["flops"].text(rows[0]) == "33.6 MFLOP"
    assert BY_KEY["time"].text(rows[0]) == "–"
    assert BY_KEY["bound"].text(rows[0]) == "–"


@pytest.mark.parametrize(("value", "said"), [(8.03e9, "8.03B"), (1.04e12, "1.04T"), (4.94e8, "494M"), (12.0, "12")])
def test_parameters_are_said_as_models_are_named(value: float, said: str) -> None:
    assert parameters(value) == said


def test_the_opening_model_shows_its_published_size() -> None:
    rows = model_rows(opening_study(), CATALOGUE.format_by_id)
    texts = {c.key: c.text(rows[0]) for c in model_columns(ENGLISH)}
    # Llama-3.1-8B, model card; 32 layers x 2 x 8 heads x 128 x 2 bytes
    wanted = {"parameters": "8.03B", "kv_per_token": "131 kB", "weights_size": "16.1 GB"}
    assert {key: texts[key] for key in wanted} == wanted
