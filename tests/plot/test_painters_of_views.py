"""The painter of a view comes with its module, which is loaded once a figure of that view is painted."""

import sys

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from explorer.plot import views
from explorer.plot.paint.fonts import fonts, sans
from explorer.plot.views import registered
from explorer.plot.views.page import paint_empty
from explorer.plot.views.slide import paint_view
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
    paint_view(name, Recorder(), QRectF(0, 0, 900, 600), figure, LIGHT)  # type: ignore[arg-type]
    monkeypatch.setattr(views, name, getattr(views, name))  # loaded again here, and as before for the tests that follow
    monkeypatch.delitem(sys.modules, f"explorer.plot.views.{name}")
    monkeypatch.setattr(registered, "_PAINTERS", {})
    painter = Recorder()
    paint_view(name, painter, QRectF(0, 0, 900, 600), figure, LIGHT)  # type: ignore[arg-type]
    assert painter.drawn
    assert set(registered._PAINTERS) == {type(figure)}


def test_a_long_reason_why_there_is_nothing_is_broken_into_lines_that_fit(qapp):
    text = "This cannot be evaluated. The model type is not supported; supported are: " + ", ".join(["llama"] * 60)
    for centred in (False, True):
        image = QImage(500, 300, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.panel))
        painter = QPainter(image)
        paint_empty(painter, QRectF(20, 20, 460, 260), text, fonts(sans()), LIGHT, centred=centred)
        painter.end()
        inked = [(x, y) for x in range(500) for y in range(300) if image.pixelColor(x, y) != QColor(LIGHT.panel)]
        assert min(x for x, _ in inked) >= 15
        assert max(x for x, _ in inked) <= 482
        assert max(y for _, y in inked) - min(y for _, y in inked) > 40
