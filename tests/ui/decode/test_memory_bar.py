"""The memory bar's line: what fits is said whole in any width."""

import pytest
from pytestqt.qtbot import QtBot

from explorer.presentation.palette import LIGHT
from explorer.presentation.views.memory_bar import fit_batch, memory_view
from explorer.ui.decode.memory_bar import MemoryBar
from tests.plot.recorder import Recorder
from tests.presentation.llama import evaluated


@pytest.mark.parametrize("wide", [190, 240, 420])
def test_what_fits_is_said_whole_beside_what_is_held(qtbot: QtBot, wide: int) -> None:
    case = evaluated()
    view = memory_view(case, case.devices[0], fit_batch(case, case.devices[0]))
    bar = MemoryBar()
    qtbot.addWidget(bar)
    bar.show_memory(view, LIGHT)
    bar.resize(wide, 60)
    face = bar._faces.of(bar.font()).first
    painter = Recorder()
    painter.setFont(face.font)
    bar._head(painter, view, face)  # type: ignore[arg-type]  # it records what is painted
    held, fits = (d for d in painter.drawn if d.kind == "text")
    assert (held.text, fits.text) == (view.title, view.fit_text)
    assert fits.at[0] >= face.width(view.title) + 5
