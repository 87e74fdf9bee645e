"""What stands on the screen after any edits is what a table made anew would paint, to the pixel."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QImage

from explorer.analysis.study.edits import add_hardware
from explorer.analysis.study.study import Measurement, ModelEntry, OwnRow, QuickModel
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.look import Look
from explorer.presentation.palette import DARK, LIGHT
from explorer.ui.session import Session
from explorer.ui.tables.measurements_table import MeasurementsTable
from explorer.ui.tables.models_table import ModelsTable
from explorer.ui.tables.operators_table import OperatorsTable
from explorer.ui.tables.panel import TablePanel
from tests.ui.tables.conftest import Kept

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

EDITS = 200
Select = QItemSelectionModel.SelectionFlag
Act = Callable[[random.Random, Session, TablePanel], object]


def _study() -> Session:
    catalogue = load_catalogue()
    study = opening_study()
    for wanted in ("nvidia-a100-sxm4-80gb", "nvidia-l4"):
        study = add_hardware(study, catalogue.device_by_id[wanted])
    quick = ModelEntry(id="q", name="quick", quick=QuickModel(params=7e9, layers=32, kv_heads=8, head_dim=128))
    on = study.hardware[0].id
    study = replace(
        study,
        models=(*study.models, quick),
        operators=(OwnRow(id="a", name="first", kind="matmul", dims={"m": 8.0, "n": 64.0, "k": 32.0}, count=2.0),),
        measurements=(
            Measurement(id="s", name="engine", device=on, tokens_per_s=700.0, batch=8, context=4096, phase="decode"),
            Measurement(id="r", name="kernel", device=on, row="lm_head", time_s=1e-3),
        ),
    )
    return Session(StudyStore(study), catalogue)


def _work(**choices: tuple[object, ...]) -> Act:
    def act(chance: random.Random, session: Session, _panel: TablePanel) -> None:
        session.store.edit_workload("Change", **{k: chance.choice(v) for k, v in choices.items()})

    return act


def _own_row(chance: random.Random, session: Session, _panel: TablePanel) -> None:
    rows = session.store.study.operators
    ops = (
        *(replace(r, count=float(chance.choice([1, 2, 32])), enabled=chance.random() < 0.7) for r in rows[:3]),
        *([OwnRow(id=f"n{chance.random()}", name=f"own {chance.random():.3f}", kind="softmax")] * chance.randint(0, 1)),
    )
    session.store.edit("Change", operators=ops)


def _measurements(chance: random.Random, session: Session, _panel: TablePanel) -> None:
    found = [
        replace(m, time_s=chance.choice([1e-3, 2e-3, 3e-6]), tokens_per_s=None)
        for m in session.store.study.measurements
    ]
    session.store.edit("Change", measurements=tuple(found))


def _device(chance: random.Random, session: Session, _panel: TablePanel) -> None:
    entries = session.store.study.hardware
    if chance.random() < 0.5:
        session.store.set_view(active_hardware=chance.choice(entries).id)
    else:
        shown = chance.choice(entries).id
        changed = tuple(replace(e, visible=not e.visible) if e.id == shown else e for e in entries)
        session.store.edit("Change", hardware=changed)


def _model(chance: random.Random, session: Session, _panel: TablePanel) -> None:
    session.store.edit("Change", active_model=chance.choice([m.id for m in session.store.study.models]))


def _sort(chance: random.Random, _session: Session, panel: TablePanel) -> None:
    order = chance.choice([Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
    panel.view.sortByColumn(chance.randint(-1, len(panel.model.columns) - 1), order)


def _columns(chance: random.Random, _session: Session, panel: TablePanel) -> None:
    key = chance.choice([c.key for c in panel.every_column if "@" not in c.key])
    shown = panel.chosen_columns()
    if key not in {"name", "model", "measurement"}:
        panel.choose_column(key, show=key not in shown)


def _undo(chance: random.Random, session: Session, _panel: TablePanel) -> None:
    stack = session.store.undo_stack
    (stack.undo if chance.random() < 0.7 else stack.redo)()


def _look(chance: random.Random, session: Session, _panel: TablePanel) -> None:
    session.set_look(Look(theme=chance.choice([LIGHT, DARK]), unit=chance.choice(["GB", "GiB"])))


def _find(chance: random.Random, _session: Session, panel: TablePanel) -> None:
    panel.find_field.setText(chance.choice(["", "", "proj", "e", "zz"]))


def _select(chance: random.Random, session: Session, panel: TablePanel) -> None:
    if panel.model.rows:
        panel.view.selectRow(chance.randrange(len(panel.model.rows)))


BATCHES, CONTEXTS = (1, 2, 4, 8, 16, 64, 1024), (128, 4096, 32768)
ACTS: tuple[Act, ...] = (
    _work(batch=BATCHES), _work(batch=BATCHES), _work(context=CONTEXTS), _work(phase=("decode", "prefill")),
    _work(weights=("bf16", "fp8", None)), _work(kv=("fp8", None)), _own_row, _measurements, _device, _model, _sort,
    _columns, _undo, _look, _find, _select,
)  # fmt: skip


def settle(panel: TablePanel) -> None:
    """Everything that was put off is done and painted."""
    later = getattr(panel, "later", None)
    for _ in range(3):
        if later is not None:
            later.finish()
        QCoreApplication.sendPostedEvents(None, 0)
        QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


def assert_alike(one: np.ndarray, other: np.ndarray, when: object) -> None:
    """Fail where pixels differ, and say in which box."""
    assert one.shape == other.shape
    rows, columns = np.nonzero(one != other)
    if len(rows):
        box = (columns.min(), rows.min(), columns.max(), rows.max())
        pytest.fail(f"after {when} pixels of {box} differ")


def on_screen(panel: TablePanel) -> np.ndarray:
    """The pixels that stand there: nothing is painted for the question."""
    window = panel.window()
    corner = panel.view.mapTo(window, panel.view.rect().topLeft())
    seen = window.screen().grabWindow(window.winId()).toImage()
    ratio = window.devicePixelRatio()
    size = panel.view.size() * ratio
    return pixels(seen.copy(round(corner.x() * ratio), round(corner.y() * ratio), size.width(), size.height()))


def made_anew(make: type[TablePanel], panel: TablePanel, session: Session, kept: Kept, qtbot) -> np.ndarray:
    fresh = make(session, kept)
    fresh.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    qtbot.addWidget(fresh)
    fresh.apply(None, session.state)
    fresh.resize(panel.size())
    fresh.find_field.setText(panel.find_field.text())
    header = panel.view.horizontalHeader()
    fresh.view.sortByColumn(header.sortIndicatorSection(), header.sortIndicatorOrder())
    fresh.show()
    qtbot.waitExposed(fresh)
    settle(fresh)
    if make is not OperatorsTable:  # there the study says what is selected
        selection = fresh.view.selectionModel()
        selection.clear()
        for place in panel.view.selected_places():
            selection.select(fresh.model.index(place, 0), Select.Select | Select.Rows)
    fresh.view.verticalScrollBar().setValue(panel.view.verticalScrollBar().value())
    fresh.view.horizontalScrollBar().setValue(panel.view.horizontalScrollBar().value())
    settle(fresh)
    settle(fresh)
    found = on_screen(fresh)
    fresh.hide()
    return found


@pytest.mark.parametrize("make", [OperatorsTable, ModelsTable, MeasurementsTable])
def test_after_any_edit_the_screen_shows_what_a_new_table_would(qtbot, make: type[TablePanel]) -> None:
    session, kept = _study(), Kept()
    chance = random.Random(1)  # noqa: S311 - edits, no secrets
    panel = make(session, kept)
    panel.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # whose outline is no matter of rows
    qtbot.addWidget(panel)
    session.attach(panel)
    panel.resize(1264, 420)
    panel.show()
    qtbot.waitExposed(panel)
    settle(panel)
    for i in range(EDITS):
        act = chance.choice(ACTS)
        act(chance, session, panel)
        settle(panel)
        assert_alike(on_screen(panel), pixels(panel.view.grab().toImage()), (i, act))
        if i % 10 == 0:
            panel.view.widths.renew()
            settle(panel)
            assert_alike(on_screen(panel), made_anew(make, panel, session, kept, qtbot), (i, act))
    session.shown.disconnect(panel.apply)


def test_a_share_that_stays_as_it_was_gets_the_new_scale_of_the_bars(qtbot) -> None:
    session = _study()
    panel = OperatorsTable(session, Kept())
    qtbot.addWidget(panel)
    session.attach(panel)
    panel.resize(1264, 420)
    panel.show()
    qtbot.waitExposed(panel)
    for batch in (2, 4, 8, 16, 64):
        session.store.edit_workload("Batch", batch=batch)
        settle(panel)
        stands = on_screen(panel)
        panel.view.viewport().update()
        settle(panel)
        assert_alike(stands, on_screen(panel), batch)
    session.shown.disconnect(panel.apply)
