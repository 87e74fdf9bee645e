"""The Measurements table: bound beside measured, edits, pasted rows, the gap in words."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester

from explorer.analysis.study.study import Measurement
from explorer.presentation.look import Look
from explorer.ui.forms.measurement_form import MeasurementForm
from explorer.ui.session import Session
from explorer.ui.tables.measurements_table import MeasurementsTable

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
Select = QItemSelectionModel.SelectionFlag


def measured(session: Session, **fields: object) -> Measurement:
    device = session.store.study.hardware[0].id
    return Measurement(**{"id": "m", "name": "run", "device": device, **fields})


@pytest.fixture
def table(qtbot, session: Session, kept) -> Iterator[MeasurementsTable]:
    found = (
        measured(session, id="step", name="engine", tokens_per_s=700.0, batch=8, context=4096, phase="decode"),
        measured(session, id="row", name="kernel", row="lm_head", time_s=1e-3),
    )
    session.store.put(replace(session.store.study, measurements=found))
    panel = MeasurementsTable(session, kept)
    tester = QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal, panel)
    qtbot.addWidget(panel)
    session.attach(panel)
    panel.resize(1264, 300)
    panel.show()
    qtbot.waitExposed(panel)
    panel.later.finish()
    yield panel
    session.shown.disconnect(panel.apply)
    tester.deleteLater()


def cell(table: MeasurementsTable, key: str, column: str) -> str:
    place = table.model.index(table.model.position(key), table.model.column_position(column))
    return str(place.data())


def choose(table: MeasurementsTable, key: str) -> None:
    table.view.selectionModel().setCurrentIndex(
        table.model.index(table.model.position(key), 0), Select.ClearAndSelect | Select.Rows
    )


def set_cell(table: MeasurementsTable, key: str, column: str, value: object) -> bool:
    place = table.model.index(table.model.position(key), table.model.column_position(column))
    return table.model.setData(place, value)


def test_each_measurement_stands_beside_its_bound(table: MeasurementsTable) -> None:
    # the opening study: Llama-3.1-8B, batch 8, context 4096 on an H100: floor 5.76 ms; 8 tokens at 700/s take 11.4 ms
    assert cell(table, "step", "bound_s") == "5.76 ms"
    assert cell(table, "step", "measured_s") == "11.4 ms"
    assert cell(table, "step", "efficiency") == "50.4 %"
    assert cell(table, "step", "verdict") == "some room"
    assert cell(table, "step", "waits") == "memory"
    assert cell(table, "row", "verdict") == "much room"


def test_a_slider_leaves_a_measurement_at_its_own_conditions(table: MeasurementsTable, session: Session) -> None:
    session.store.edit_workload("Batch", batch=64)
    table.later.finish()
    assert cell(table, "step", "bound_s") == "5.76 ms"
    assert cell(table, "row", "bound_s") != "–"


def test_the_selected_measurement_is_told_in_words(table: MeasurementsTable) -> None:
    assert "Select a measurement" in table.words.toPlainText()
    choose(table, "step")
    assert "A step took 11.4 ms on H100 SXM5; its floor is 5.76 ms." in table.words.toPlainText()


def test_an_empty_table_has_the_whole_width(qtbot, table: MeasurementsTable, session: Session) -> None:
    assert table.words.isVisible()
    session.store.put(replace(session.store.study, measurements=()))
    assert not table.words.isVisible()
    qtbot.waitUntil(lambda: table.view.width() == table.split.width())


def test_another_studys_measurements_are_given_the_width_they_need(table: MeasurementsTable, session: Session) -> None:
    verdict = table.model.column_position("verdict")
    session.store.put(replace(session.store.study, measurements=(measured(session, id="bare", name="x"),)))
    table.later.finish()
    narrow = table.view.columnWidth(verdict)
    found = [measured(session, id=f"new {i}", name="y", row="lm_head", time_s=1e-3) for i in range(3)]
    session.store.put(replace(session.store.study, measurements=tuple(found)))
    table.later.finish()
    words = cell(table, "new 0", "verdict")
    assert table.view.columnWidth(verdict) > table.fontMetrics().horizontalAdvance(words)
    assert table.view.columnWidth(verdict) > narrow


def test_a_typed_figure_is_one_undo_step(table: MeasurementsTable, session: Session) -> None:
    assert set_cell(table, "row", "measured_s", "2 ms")
    assert session.store.study.measurements[1].time_s == 2e-3
    assert session.store.undo_stack.count() == 1
    session.store.undo_stack.undo()
    assert session.store.study.measurements[1].time_s == 1e-3


@pytest.mark.parametrize(
    ("column", "value"), [("measured_s", "-1 ms"), ("measured_s", "soon"), ("batch", "0"), ("measurement", " ")]
)
def test_a_figure_that_cannot_be_is_refused_in_one_line(table: MeasurementsTable, session: Session, column, value):
    before = session.store.study
    assert not set_cell(table, "row", column, value)
    assert session.store.study is before
    assert table.remark.text()


def test_a_whole_step_becomes_an_operators_time(table: MeasurementsTable, session: Session) -> None:
    assert set_cell(table, "step", "of", "q_proj")
    found = session.store.study.measurements[0]
    assert (found.row, found.tokens_per_s) == ("q_proj", None)


def test_delete_takes_the_selected_out(table: MeasurementsTable, session: Session) -> None:
    choose(table, "row")
    table.delete()
    assert [m.id for m in session.store.study.measurements] == ["step"]


def test_show_this_work_sets_the_study_to_what_was_measured(table: MeasurementsTable, session: Session) -> None:
    session.store.edit_workload("Look elsewhere", batch=1, context=64, phase="prefill")
    choose(table, "step")
    table.show_work()
    work = session.store.study.workload
    assert (work.batch, work.context, work.phase) == (8, 4096, "decode")


def test_rows_of_a_spreadsheet_are_pasted_in_one_step(table: MeasurementsTable, session: Session) -> None:
    QGuiApplication.clipboard().setText("a\tq_proj\tH100 SXM5\t1 ms\nb\tnone such\tH100 SXM5\t1 ms")
    table.paste()
    assert [m.name for m in session.store.study.measurements] == ["engine", "kernel", "a"]
    assert session.store.undo_stack.count() == 1
    assert table.problem_list.list.count() == 1
    table.problem_list.close()


def test_a_measurement_typed_in_the_form_is_told_before_it_is_taken(table: MeasurementsTable, session: Session) -> None:
    table.add()
    form: MeasurementForm = table.measurement_form
    assert form.measurement() is None
    form.fields["measured_rate"].line.setText("1000")
    assert "8.00 ms" in form.told.text()
    form.accept()
    added = session.store.study.measurements[-1]
    assert (added.tokens_per_s, added.batch, added.context, added.phase) == (1000.0, 8, 4096, "decode")


def test_the_form_takes_no_tokens_of_an_operator(table: MeasurementsTable) -> None:
    table.add()
    form: MeasurementForm = table.measurement_form
    form.fields["measured_rate"].line.setText("1000")
    form.boxes["of"].setCurrentText("q_proj")
    assert not form.fields["measured_rate"].isEnabled()
    assert form.measurement() is None
    form.fields["measured_s"].line.setText("30 us")
    assert form.measurement().tokens_per_s is None
    form.reject()


def test_thousands_of_measurements_leave_the_rows_that_stay_alone(table: MeasurementsTable, session: Session) -> None:
    many = tuple(
        measured(session, id=f"k{i}", name=f"kernel {i}", time_s=1e-3, flops=1e9, bytes=1e6, format="bf16", tool="ncu")
        for i in range(1500)
    )
    session.store.put(replace(session.store.study, measurements=many))
    table.later.finish()
    before = list(table.model.rows)
    session.store.edit_workload("Batch", batch=9)
    table.later.finish()
    assert all(a is b for a, b in zip(before, table.model.rows, strict=True))


def test_a_bare_time_keeps_the_unit_of_its_cell(table: MeasurementsTable, session: Session) -> None:
    assert cell(table, "step", "measured_s") == "11.4 ms"
    assert set_cell(table, "step", "measured_s", "12")
    assert session.store.study.measurements[0].time_s == 12e-3
    assert set_cell(table, "step", "measured_s", "900 us")
    assert set_cell(table, "step", "measured_s", "12")
    assert session.store.study.measurements[0].time_s == 12e-6


def test_a_copied_time_is_pasted_back_as_it_was(table: MeasurementsTable, session: Session) -> None:
    before = session.store.study.measurements
    table.copy()
    table.paste()
    pasted = session.store.study.measurements[len(before) :]
    assert pasted[1].time_s == before[1].time_s == 1e-3


def test_the_form_reads_a_bare_time_in_the_unit_that_stands_there_and_says_so(table: MeasurementsTable) -> None:
    table.add()
    form: MeasurementForm = table.measurement_form
    field = form.fields["measured_s"]
    field.line.setText("3")
    assert field.value == 3e-3
    assert field.note.text() == "= 3 ms"
    form.fields["file_size"].line.setText("4.5")
    assert form.fields["file_size"].value == 4.5e9
    form.reject()


def test_names_that_share_a_beginning_show_what_differs_and_the_whole_in_the_tip(
    table: MeasurementsTable, session: Session
) -> None:
    names = [f"vllm serve meta-llama/Llama-3.1-8B-Instruct batch {n}" for n in (1, 16)]
    session.store.put(
        replace(
            session.store.study,
            measurements=tuple(measured(session, id=f"n{i}", name=n, time_s=1e-3) for i, n in enumerate(names)),
        )
    )
    assert [cell(table, f"n{i}", "measurement") for i in range(2)] == ["vllm … batch 1", "vllm … batch 16"]
    place = table.model.index(0, table.model.column_position("measurement"))
    assert names[0] in place.data(Qt.ItemDataRole.ToolTipRole)
    table.copy()
    assert names[1] in QGuiApplication.clipboard().text()
    assert set_cell(table, "n1", "measurement", "another")
    assert cell(table, "n0", "measurement") == names[0]


def test_the_size_of_a_file_is_in_the_unit_the_user_chose(table: MeasurementsTable, session: Session) -> None:
    first = session.store.study.measurements[0]
    others = session.store.study.measurements[1:]
    session.store.put(replace(session.store.study, measurements=(replace(first, size_bytes=2.0**32), *others)))
    table.choose_column("file_size", show=True)
    assert cell(table, "step", "file_size") == "4.29 GB"
    session.set_look(Look(unit="GiB"))
    assert cell(table, "step", "file_size") == "4.00 GiB"
    assert set_cell(table, "step", "file_size", "5")
    assert session.store.study.measurements[0].size_bytes == 5 * 2.0**30
