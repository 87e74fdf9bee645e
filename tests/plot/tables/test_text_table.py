"""The painter of small tables: figures whole at any width, names cut."""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont

from explorer.plot.paint.fonts import fonts
from explorer.plot.tables.text_table import least_width, paint_text_table, table_height, table_layout
from explorer.presentation.palette import LIGHT
from explorer.presentation.views.held.tables import TextRow, TextTable
from tests.plot.recorder import Recorder, fixed_fonts

TABLE = TextTable(
    "By device",
    ("Device", "Held", "Largest batch"),
    (
        TextRow(("A device with a very long name, 中文名称", "20.4 GB", "130"), strong=True),
        TextRow(("B", "152 GB", "none"), fault=True),
    ),
    "A note.",
)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("room", [120.0, 260.0, 900.0])
def test_figures_stand_right_aligned_and_never_run_into_each_other(room: float) -> None:
    faces = fonts()
    layout = table_layout(TABLE, room, faces)
    left = layout.name_width
    for i, edge in enumerate(layout.edges, start=1):
        widest = max(faces.tick.width(row.cells[i]) for row in TABLE.rows)
        assert edge - widest > left
        left = edge
    assert room < 200 or layout.width <= room + 0.5


@pytest.mark.usefixtures("qapp")
def test_a_wide_table_has_its_whole_names_and_stays_together() -> None:
    faces = fonts()
    wide, wider = table_layout(TABLE, 900.0, faces), table_layout(TABLE, 2000.0, faces)
    assert wide.name_width >= faces.name.width(TABLE.rows[0].cells[0])
    assert wider.width == wide.width
    assert least_width(TABLE, faces) <= wide.width
    assert table_height(TABLE, 900.0, faces) > 4 * faces.tick.height


@pytest.mark.usefixtures("qapp")
def test_texts_are_drawn_whole_at_the_right_edges_of_their_columns_faults_in_their_colour() -> None:
    painter = Recorder()
    with fixed_fonts():
        faces = fonts(QFont())
        layout = table_layout(TABLE, 420.0, faces)
        paint_text_table(painter, QPointF(10, 20), 420.0, TABLE, faces, LIGHT)
    texts = {d.text: d for d in painter.drawn if d.kind == "text"}
    for row in TABLE.rows:
        for text, edge in zip(row.cells[1:], layout.edges, strict=True):
            assert texts[text].right == pytest.approx(10 + edge)
            assert texts[text].pen == (LIGHT.warning if row.fault else LIGHT.text)
    lines = [line for header in layout.headers for line in header]
    assert all(line in texts for line in lines)
    baselines = [texts[t].at[1] for t in ("By device", "Held", "20.4 GB", "152 GB", "A note.")]
    assert baselines == sorted(baselines)
    assert baselines[-1] <= 20 + table_height(TABLE, 420.0, faces)
