"""Bars of bound and measured time below the table of measurements, a chart for work that is alike."""

from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from explorer.presentation.compare.table import table_of
from explorer.presentation.views.compare import compare_page
from explorer.presentation.views.compared.measured_bars import measured_bars
from explorer.presentation.views.compared.paired import PairedFigure


def measured(name: str) -> Evaluation:
    study = read_study(example_path(name))
    return evaluate(replace(study, view=replace(study.view, vary="measurements")), load_catalogue())


def figures(evaluation: Evaluation) -> tuple[PairedFigure, ...]:
    found = compare(evaluation)
    return measured_bars(found, table_of(evaluation, found))


def test_each_measurement_has_its_bound_and_its_time_in_the_words_of_the_table() -> None:
    decode, prefill = figures(measured("qwen3-4b-apple"))
    assert (decode.title, prefill.title) == ("Bound and measured time, decode", "Bound and measured time, prefill")
    assert [s.name for s in decode.subjects] == ["bound", "measured"]
    assert [(g.name, *(b.time_text for b in g.bars)) for g in decode.groups] == [
        ("BF16 tg128", "29.5 ms", "33.4 ms"),
        ("Q8_0 tg128", "15.7 ms", "19.0 ms"),
        ("Q4_K_M tg128", "9.16 ms", "12.5 ms"),
    ]
    rows = compare(measured("qwen3-4b-apple")).rows
    for row, group in zip(rows, (*decode.groups, *prefill.groups), strict=True):
        assert group.rows == (row.subject.key,)
        assert [b.seconds for b in group.bars] == [row.cells[f].value for f in ("bound", "measured")]


def test_measurements_of_several_devices_name_theirs() -> None:
    (found,) = figures(measured("qwen3-30b-home"))
    assert [g.name for g in found.groups] == ["MLX, 4 bit · M4 Max 40c", "4 bit · Strix Halo"]


def test_what_a_chart_has_no_room_for_is_counted_and_never_summed() -> None:
    decode, _ = figures(measured("qwen3-4b-apple"))
    assert [r.name for r in decode.rests] == [f"{n} more in the table" for n in (3, 2, 1)] + [""]
    assert {bar.seconds for rest in decode.rests for bar in rest.bars} == {None}
    assert [len(r.rows) for r in decode.rests] == [3, 2, 1, 0]


def test_the_page_of_measurements_has_these_charts() -> None:
    page = compare_page(measured("qwen3-4b-apple"))
    assert [chart.figure for chart in page.charts] == list(figures(measured("qwen3-4b-apple")))
