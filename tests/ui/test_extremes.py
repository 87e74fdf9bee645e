"""Studies at the ends of every range: each text on screen stays a number or a dash."""

import dataclasses
import math
import re
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QWidget

from explorer.analysis.ask.batch_sweep import sweep_batches
from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak
from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT
from explorer.analysis.models.quick import PARAMETER_LIMIT
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT, LARGEST_DIM, study_problems
from explorer.analysis.study.study import HardwareEntry, ModelEntry, OwnRow, QuickModel, Study, Workload
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.files.study.study import study_from_text, study_to_text
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.hover import describe_mark, describe_strip
from explorer.presentation.views.decode import batch_chart
from explorer.report.console import evaluation_text
from explorer.report.tables import table_text
from explorer.ui.settings import Settings

ODD = re.compile(
    r"\b(nan|inf)\b|(?<![\w.–-])-0(?![\d.])|(?<![\w.])-0\.0+(?!\d)|\d[eE][+]?\d{2,}|(?-i:\bNone\b)",
    re.IGNORECASE,
)
LONGEST_FIGURE = re.compile(r"[\d,]{26,}|0\.0{9,}")

FULL = Device(
    id="full", name="Full", vendor="V",
    memory=(MemoryLevel(level="HBM", capacity=80e9, bandwidth=3e12),),
    peaks=(Peak(format="bf16", accumulate="fp32", unit="tensor", rate=1e15),),
)  # fmt: skip
BARE = Device(id="bare", name="Bare", vendor="V", memory=(MemoryLevel(level="RAM", bandwidth=1e11),))
VECTOR = replace(
    BARE, id="vector", name="Vector", peaks=(Peak(format="fp32", accumulate="fp32", unit="vector", rate=1e12),)
)
TINY = Device(
    id="tiny", name="Tiny", vendor="V", memory=(MemoryLevel(level="RAM", capacity=1.0, bandwidth=1.0),),
    peaks=(Peak(format="bf16", accumulate="fp32", unit="tensor", rate=1.0),),
)  # fmt: skip
HUGE = Device(
    id="huge", name="Huge", vendor="V", memory=(MemoryLevel(level="RAM", capacity=1e24, bandwidth=1e24),),
    peaks=(Peak(format="bf16", accumulate="fp32", unit="tensor", rate=1e24),),
)  # fmt: skip
BIG = {"m": LARGEST_DIM, "n": LARGEST_DIM, "k": LARGEST_DIM}


def entries(*devices: Device, count: int = 1) -> tuple[HardwareEntry, ...]:
    return tuple(HardwareEntry(id=d.id, device=d, count=count) for d in devices)


def own(*rows: OwnRow, devices: tuple[Device, ...] = (FULL,), **work: object) -> Study:
    return Study(hardware=entries(*devices), operators=rows, workload=Workload(**work))


def quick(*devices: Device, count: int = 1, work: Workload | None = None, **figures: float) -> Study:
    numbers = {"params": 1e9, "layers": 1, "kv_heads": 1, "head_dim": 1, **figures}
    entry = ModelEntry(id="q", name="q", quick=QuickModel(**numbers))
    hardware = entries(*devices, count=count)
    return Study(hardware=hardware, models=(entry,), active_model="q", workload=work or Workload())


def example(**work: object) -> Study:
    study = opening_study()
    return replace(study, workload=replace(study.workload, **work))


STUDIES = {
    "nothing": Study(),
    "no hardware": replace(opening_study(), hardware=()),
    "all hidden": replace(
        opening_study(), hardware=tuple(replace(e, visible=False) for e in opening_study().hardware)
    ),
    "largest batch": example(batch=LARGEST_BATCH),
    "largest context": example(context=LARGEST_CONTEXT),
    "largest of both": example(batch=LARGEST_BATCH, context=LARGEST_CONTEXT, launch="eager"),
    "largest prefill": example(batch=LARGEST_BATCH, context=LARGEST_CONTEXT, phase="prefill"),
    "all in four bits": example(weights="nvfp4", activations="nvfp4", kv="nvfp4"),
    "a device without figures": replace(opening_study(), hardware=entries(BARE)),
    "without figures, eager": replace(example(launch="eager"), hardware=entries(BARE, VECTOR, FULL)),
    "only a vector unit": replace(opening_study(), hardware=entries(VECTOR)),
    "1,024 devices": replace(opening_study(), hardware=entries(FULL, BARE, count=1024)),
    "the smallest device": replace(example(batch=1000), hardware=entries(TINY)),
    "the largest device": replace(opening_study(), hardware=entries(HUGE)),
    "smallest and largest": replace(opening_study(), hardware=entries(TINY, HUGE)),
    "a model of one layer": quick(FULL),
    "a model of one value": quick(FULL, params=1.0),
    "the largest model": quick(
        FULL, TINY, params=PARAMETER_LIMIT, layers=LAYER_LIMIT, kv_heads=SIZE_LIMIT, head_dim=SIZE_LIMIT
    ),
    "a quick model at the ends": quick(
        TINY, work=Workload(batch=LARGEST_BATCH, context=LARGEST_CONTEXT), params=PARAMETER_LIMIT, layers=LAYER_LIMIT
    ),
    "a reserve beyond the capacity": example(reserve=1e18),
    "a thin band": example(expected=(1e-9, 1e-9)),
    "no FLOPs at all": own(*(OwnRow(id=f"e{i}", name=f"e{i}", kind="embedding") for i in range(3))),
    "empty rows": own(OwnRow(id="z", name="z", kind="matmul", dims={"m": 0.0, "n": 0.0, "k": 0.0})),
    "one value": own(OwnRow(id="z", name="z", kind="matmul", dims={"m": 1.0, "n": 1.0, "k": 1.0}, count=1e-12)),
    "largest row": own(OwnRow(id="z", name="z", kind="matmul", dims=BIG, count=1e12), devices=(TINY, FULL)),
    "small and largest row": own(
        OwnRow(id="z", name="z", kind="matmul", dims=BIG, count=1e12),
        OwnRow(id="y", name="y", kind="matmul", dims={"m": 1.0, "n": 1.0, "k": 1.0}),
    ),
    "all rows left out": own(OwnRow(id="z", name="z", kind="matmul", enabled=False)),
}  # fmt: skip


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue(devices=False)


def odd(texts: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(place, text) for place, text in texts if ODD.search(text) or LONGEST_FIGURE.search(text)]


def told(evaluation) -> Iterator[tuple[str, str]]:
    """Every text made without a window."""
    yield "answer", plain_text(answer(evaluation))
    yield "console", evaluation_text(evaluation)
    yield "markdown", table_text(evaluation, "md")
    figure = build_figure(evaluation)
    for roof in figure.roofs:
        yield "roof", f"{roof.name} {roof.bandwidth_text} {roof.peak_text} {roof.ridge_text}"
    for mark in figure.marks:
        yield "mark", f"{mark.label} {describe_mark(evaluation, mark)}"
    for strip in figure.strips:
        yield "strip", f"{strip.label} {describe_strip(evaluation, strip)}"
    sweep = sweep_batches(evaluation)
    for metric in ("all", "each", "step"):
        chart = batch_chart(evaluation, sweep, metric)
        yield "chart", " ".join(t for t in strings(chart))


def strings(value: object) -> Iterator[str]:
    """Every text within a description, and the word nan for a figure that is none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, float) and not math.isfinite(value):
        yield "nan"
    elif isinstance(value, tuple):
        for part in value:
            yield from strings(part)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from strings(getattr(value, field.name))
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from strings(getattr(value, name))


@pytest.mark.parametrize("name", STUDIES)
def test_what_is_told_of_an_extreme_study_is_sane(catalogue, name):
    study = STUDIES[name]
    assert study_problems(study, catalogue) == ()
    assert study_from_text(study_to_text(study)) == study
    assert odd(told(evaluate(study, catalogue))) == []


def shown(window: QWidget) -> Iterator[tuple[str, str]]:
    """Every text of a window that a user can read or hear."""
    for widget in window.findChildren(QWidget):
        place = f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            yield place, widget.text()
        if isinstance(widget, QComboBox):
            yield place, widget.currentText()
        for words in (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()):
            yield place, words
    for panel in (window.tables.operators, window.tables.models):
        model = panel.model
        for column in range(model.columnCount()):
            for row in range(min(model.rowCount(), 20)):
                for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                    yield model.columns[column].key, str(model.data(model.index(row, column), role) or "")


@pytest.mark.parametrize("name", STUDIES)
def test_the_window_on_an_extreme_study_is_sane(qapp, qtbot, catalogue, name):
    study = STUDIES[name]
    window = make_window(study, Settings())
    window.take_catalogue(catalogue)
    window.resize(1280, 800)
    window.show()
    qtbot.waitExposed(window)
    chart = window.roofline.go_live()
    assert all(-400 < v < 400 for v in (*chart.visible.x, *chart.visible.y))
    for total in ("", "floor_s", "expected_s", "time_s", "tokens_per_s", "streamed_s", "whole_file_s", "memory_bytes"):
        if total:
            window.inspector.show_total(total)
        else:
            window.session.store.set_view(selection=tuple(r.name for r in window.session.state.evaluation.rows[:1]))
        assert odd(shown(window)) == []
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        window.decode_panel.more.fold.click()
        QTest.qWait(30)  # curves come after the paint
        assert odd(shown(window)) == []
    window.grab()
    QApplication.processEvents()
