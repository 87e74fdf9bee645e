"""Figures of a step that has no room are muted, and their tips say what they hold under."""

import pytest
from PySide6.QtGui import QImage, QPalette
from pytestqt.qtbot import QtBot

from explorer.ui.decode.panel import DecodePanel
from explorer.ui.decode.value_tile import ValueTile
from tests.ui.decode_hands import session, shown

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
SUPPOSED = "if there were room: it does not fit"


def inked(tile: ValueTile) -> QImage:
    return tile.grab().toImage()


def test_tiles_of_a_step_without_room_are_muted_and_say_why(qtbot: QtBot) -> None:
    of = session()
    of.store.edit_workload("Batch", batch=1)
    made = DecodePanel(of)
    shown(qtbot, of, made)
    assert not any(SUPPOSED in tile.toolTip() for tile in made.tiles.values())
    of.store.edit_workload("Batch", batch=1_000_000)
    for key in ("floor_s", "tokens_per_s", "tokens_per_s_per_request", "streamed_s"):
        tile = made.tiles[key]
        assert tile.toolTip().endswith(SUPPOSED)
        assert SUPPOSED in tile.accessibleDescription()
        assert tile.ink == tile.palette().color(QPalette.ColorRole.PlaceholderText)
    assert "click to see how it comes about" in made.tiles["floor_s"].toolTip()
    of.store.edit_workload("Batch", batch=1)
    for tile in made.tiles.values():
        assert SUPPOSED not in tile.toolTip() + tile.accessibleDescription()
        assert tile.ink == tile.palette().color(QPalette.ColorRole.WindowText)


@pytest.mark.parametrize("line", [False, True])
def test_a_tile_draws_its_figure_in_that_colour(qtbot: QtBot, *, line: bool) -> None:
    tile = ValueTile("per request", "Tokens", line=line)
    qtbot.addWidget(tile)
    palette = tile.palette()
    palette.setColor(QPalette.ColorRole.WindowText, "#ff0000")
    palette.setColor(QPalette.ColorRole.PlaceholderText, "#0000ff")
    tile.setPalette(palette)
    tile.resize(200, 60)
    tile.show_figure("5.76 ms")

    def red() -> int:
        image = inked(tile)
        places = ((x, y) for x in range(image.width()) for y in range(image.height()))
        return sum(image.pixelColor(x, y).red() > image.pixelColor(x, y).green() + 100 for x, y in places)

    assert red() > 0
    tile.suppose(SUPPOSED)
    assert red() == 0
