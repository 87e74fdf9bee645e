from PySide6.QtGui import QImage

from explorer.ui.grid.ghost_line import GhostLine


def painted(line: GhostLine) -> QImage:
    return line.grab().toImage()


def test_what_is_stored_is_painted_behind_the_text_where_there_is_room(qtbot) -> None:
    line = GhostLine("256")
    qtbot.addWidget(line)
    line.resize(300, 30)
    bare = painted(line)
    line.set_ghost("= 256 GB/s")
    assert painted(line) != bare
    assert line.accessibleDescription() == "= 256 GB/s"
    line.resize(line.ghost_width() - 1, 30)
    narrow = painted(line)
    line.set_ghost("")
    assert painted(line) == narrow  # half a figure would be a wrong one
