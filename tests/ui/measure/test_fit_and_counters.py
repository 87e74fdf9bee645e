"""Fitting and diagnosing from the window."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from explorer.analysis.study.study import Measurement
from explorer.ui.measure.counters_dialog import CountersDialog
from explorer.ui.measure.roof_fit_dialog import RoofFitDialog

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def measured(window):
    """Kernels that reach 2 TB/s and take 5 µs each, on the first device; one was cached."""
    store = window.session.store
    device = store.study.hardware[0].id
    found = tuple(
        Measurement(
            id=f"k{i}", name=f"kernel {i}", device=device, time_s=b / 2e12 + 5e-6, flops=b / 100, bytes=b,
            format="bf16", tool="test", memory_busy=0.35, compute_busy=0.05,
        )
        for i, b in enumerate((1e6, 1e7, 1e8, 1e9, 4e9))
    )  # fmt: skip
    hot = Measurement(
        id="hot", name="hot", device=device, time_s=1e-6, flops=1.0, bytes=1e8, format="bf16", cached=True, tool="test"
    )
    store.put(replace(store.study, measurements=(*found, hot)))
    return window


def test_a_fit_tells_bandwidth_and_time_per_kernel_and_leaves_cached_rows_out(measured):
    dialog = RoofFitDialog(measured.session, measured)
    assert len(dialog.chosen()) == 5
    assert dialog.fit.bandwidth.value == pytest.approx(2e12, rel=0.01)
    assert dialog.fit.per_kernel_s.value == pytest.approx(5e-6, rel=0.05)
    assert "effective bandwidth: 2.00 TB/s" in dialog.told.text()
    assert "60 % of the sheet" in dialog.told.text()


def test_too_few_rows_are_refused_and_nothing_can_be_made_of_them(measured):
    dialog = RoofFitDialog(measured.session, measured)
    for i in range(4):
        dialog.list.item(i).setCheckState(Qt.CheckState.Unchecked)
    assert "needs 3 measurements" in dialog.told.text()
    assert not dialog.draw_button.isEnabled()


def test_the_fitted_roof_is_drawn_and_used_for_what_is_expected(measured):
    dialog = RoofFitDialog(measured.session, measured)
    before = measured.session.state.evaluation.devices[0].totals.expected_s
    dialog.expect_button.click()
    after = measured.session.state.evaluation.devices[0].totals.expected_s
    assert after != before
    assert "fitted" in measured.inspector.text.toPlainText().lower() or after[0] > 0
    dialog.draw_button.click()
    assert measured.session.store.study.hardware[-1].device.bandwidth == pytest.approx(2e12, rel=0.01)
    dialog.forget_button.click()
    assert measured.session.state.evaluation.devices[0].totals.expected_s == before


def test_a_study_without_measurements_says_so(window):
    dialog = RoofFitDialog(window.session, window)
    assert "Add hardware and measurements" in dialog.told.text()


def test_typed_counters_are_diagnosed_while_typing(window):
    dialog = CountersDialog(window.session, window)
    assert dialog.words.text().startswith("Latency or concurrency")
    dialog.memory.line.setText("91 %")
    assert dialog.words.text().startswith("Memory-bound: memory runs at 91 %")
    dialog.memory.line.setText("9000")
    assert "is no share" in dialog.words.text()
    dialog.memory.line.setText("")
    assert dialog.words.text().startswith("Type the memory throughput")


def test_imported_counters_fill_the_fields(measured):
    dialog = CountersDialog(measured.session, measured)
    assert dialog.of.currentText() == "kernel 4"
    assert dialog.memory.line.text() == "35"
    assert dialog.rank.line.text() == "1"


def test_of_twins_each_can_be_chosen_and_the_active_one_is(measured):
    store = measured.session.store
    first, *others = store.study.hardware
    twin = replace(first, id="twin", device=replace(first.device, memory=first.device.memory[:1]))
    both = tuple(replace(m, id=f"{m.id}{d}", device=d) for m in store.study.measurements for d in (first.id, "twin"))
    study = replace(store.study, hardware=(first, *others, twin), measurements=both)
    store.put(replace(study, view=replace(study.view, active_hardware="twin")))
    counters, fit = CountersDialog(measured.session, measured), RoofFitDialog(measured.session, measured)
    name = first.device.name
    assert counters.device.currentText() == f"{name} (2)"
    assert [fit.device.itemText(i) for i in range(fit.device.count())] == [name, f"{name} (2)"]
    fit.device.setCurrentIndex(1)
    fit.draw()
    assert "(2)" in store.study.hardware[-1].device.name
