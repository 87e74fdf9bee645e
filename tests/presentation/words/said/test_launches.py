"""A device whose launches nobody published has none in eager mode: its times read "at least, launches unknown"."""

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.answer.json_result import evaluation_json
from explorer.presentation.explain.explain import explain
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.hover import describe_mark
from explorer.presentation.slide.footer import footer
from explorer.presentation.slide.table import deciding_table
from explorer.presentation.tables.device_columns import comparison_columns, device_rows
from explorer.presentation.tables.operator_columns import columns_on, operator_columns
from explorer.presentation.views.time import time_view
from explorer.report.console import evaluation_text
from explorer.report.tables import rows_on, table_text
from tests.presentation.llama import catalogue, device, study

NORM = OwnRow(id="n", name="norm", kind="rms_norm", dims={"rows": 1.0, "width": 4096.0})
BARE = replace(device("Bare"), launch_overhead=None)
SAID = "launches unknown"


def norms(launch: str = "eager", *, known: bool = False) -> Evaluation:
    base: Study = study(device() if known else BARE, model=False, launch=launch)
    return evaluate(replace(base, operators=(NORM,)), catalogue())


def llama(launch: str = "eager") -> Evaluation:
    return evaluate(study(BARE, device("Known"), batch=1, launch=launch), catalogue())


def test_the_answer_the_table_and_the_terminal_say_it() -> None:
    assert SAID in plain_text(answer(norms()))
    cells = {c.key: c.text(r) for c in comparison_columns(norms()) for r in device_rows(norms())}
    assert cells["step"].startswith("at least ")
    assert cells["step"].endswith(SAID)
    assert cells["expected"].endswith(SAID)
    two = {
        r.result.entry.id: c.text(r)
        for c in comparison_columns(llama())
        if c.key == "step"
        for r in device_rows(llama())
    }
    assert SAID in two["bare"]
    assert SAID not in two["known"]
    assert SAID in " ".join(evaluation_text(llama()).split())


def test_the_json_has_no_time_and_a_reason_and_never_a_zero() -> None:
    (on,) = evaluation_json(norms())["hardware"]
    assert on["launch_overhead_s"] is None
    assert on["times_unknown_because"] == "at least, launches unknown"
    assert on["totals"]["time_s"] is None
    assert on["totals"]["expected_s"] == [None, None]
    assert on["operators"][0]["time_s"] is None
    assert 0 < on["operators"][0]["time_at_least_s"] == on["totals"]["time_at_least_s"] < 1e-6
    (known,) = evaluation_json(norms(known=True))["hardware"]
    assert (known["launch_overhead_s"], known["times_unknown_because"]) == (2e-6, None)
    assert known["operators"][0]["time_s"] == 2e-6


def test_inspector_operators_table_and_time_view_say_it() -> None:
    lines = explain(norms(), rows=("norm",)).lines
    assert any(line.label == "time" and line.source == "At least: launches are unknown." for line in lines)
    assert not any(line.label == "launch" for line in lines)
    assert not any("0 s" in line.substituted for line in lines)
    active = norms().active
    assert active is not None
    (row,) = rows_on(norms(), active)
    cells = {c.key: c for c in columns_on(active)}
    assert cells["launch"].value(row) is None
    assert SAID in cells["time"].title()
    assert SAID in cells["total"].title()
    assert any(SAID in c.title() for c in operator_columns(llama()) if c.key == "device_times@time@bare")
    assert not any(SAID in c.title() for c in operator_columns(llama()) if c.key == "device_times@time@known")
    view = time_view(norms())
    assert view.title.startswith("Operator by operator: where at least ")
    assert view.title.endswith(f", {SAID}")
    assert view.time_text.startswith("≥ ")  # the place beside the bar takes no more
    assert time_view(norms(known=True)).title.startswith("Operator by operator: where 2.00 µs go on ")
    assert view.bars[0].time_text.startswith("≥ ")


def test_exports_slides_and_points_say_it() -> None:
    assert SAID in table_text(norms(), "csv")
    assert SAID in table_text(norms(), "md")
    assert SAID in footer(norms())
    assert "≥ " in " ".join(deciding_table(norms()).rows[0].cells)
    figure = build_figure(norms())
    assert SAID in describe_mark(norms(), figure.marks[0])


def test_under_graphs_and_with_a_figure_nothing_is_said() -> None:
    for found in (norms("graph"), norms(known=True)):
        assert SAID not in plain_text(answer(found))
        assert SAID not in table_text(found, "csv")
        assert SAID not in footer(found)
        assert SAID not in time_view(found).title
        (row,) = rows_on(found, found.devices[0])
        launch = next(c for c in columns_on(found.active) if c.key == "launch")
        assert launch.value(row) == (0.0 if found.study.workload.launch == "graph" else 2e-6)
