"""The painter of a view comes with its module, which is loaded once a figure of that view is painted."""

import sys

import pytest
from PySide6.QtCore import QRectF

from explorer.plot import views
from explorer.plot.views import registered
from explorer.presentation.palette import LIGHT
from tests.plot import hand_made as made
from tests.plot.recorder import Recorder

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("time", made.time_figure()),
        ("memory", made.memory_figure()),
        ("decode", made.decode_figure()),
        ("chart", made.bare_figure()),
    ],
)
def test_a_view_that_nobody_loaded_yet_is_painted_on_paper(
    name: str, figure: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered.paint_view(name, Recorder(), QRectF(0, 0, 900, 600), figure, LIGHT)  # type: ignore[arg-type]
    monkeypatch.setattr(views, name, getattr(views, name))  # loaded again here, and as before for the tests that follow
    monkeypatch.delitem(sys.modules, f"explorer.plot.views.{name}")
    monkeypatch.setattr(registered, "_PAINTERS", {})
    painter = Recorder()
    registered.paint_view(name, painter, QRectF(0, 0, 900, 600), figure, LIGHT)  # type: ignore[arg-type]
    assert painter.drawn
    assert set(registered._PAINTERS) == {type(figure)}
