"""The menus of a row: what can be done with an entry, and with a device that may become one."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from explorer.presentation.hardware.entries import gibibytes_text
from explorer.presentation.hardware.picker_rows import HardwareRow
from explorer.presentation.palette import Theme, device_colour
from explorer.ui.hardware.commands import HardwareCommands
from explorer.ui.hardware.glyphs import rounded
from explorer.ui.look.text import tr


def fill_menu(menu: QMenu, row: HardwareRow, commands: HardwareCommands, theme: Theme) -> None:
    """Fill the menu of a row."""
    if row.kind == "entry":
        _fill_entry(menu, row, commands, theme)
    else:
        _fill_device(menu, row, commands)
    fill_general(menu, commands)


def fill_general(menu: QMenu, commands: HardwareCommands) -> None:
    """What asks for no row."""
    menu.addSeparator()
    menu.addAction(tr("Ne&w device…"), commands.new)
    menu.addAction(tr("Open the folder of my hardware"), commands.open_folder)


def fill_what_if(menu: QMenu, row: HardwareRow, commands: HardwareCommands) -> None:
    """Fill the menu of changed copies."""
    menu.addAction(tr("Twice the &bandwidth"), lambda: commands.what_if(row, "bandwidth"))
    menu.addAction(tr("Twice the &compute"), lambda: commands.what_if(row, "compute"))
    menu.addAction(tr("Twice the &memory"), lambda: commands.what_if(row, "capacity"))
    menu.addSeparator()
    menu.addAction(tr("Own &figures…"), lambda: commands.what_if(row))


def _fill_entry(menu: QMenu, row: HardwareRow, commands: HardwareCommands, theme: Theme) -> None:
    active = menu.addAction(tr("Make &active"), lambda: commands.make_active(row))
    active.setEnabled(not row.active)
    shown = menu.addAction(tr("&Visible in the chart"), lambda: commands.toggle(row))
    shown.setCheckable(True)
    shown.setChecked(row.visible)
    menu.addAction(tr("&Number of devices"), lambda: commands.count_wanted.emit(row))
    _fill_sizes(menu, row, commands)
    _fill_colours(menu.addMenu(tr("&Colour")), row, commands, theme)
    order = [e.id for e in commands.study.hardware]
    up = menu.addAction(tr("Move &up"), lambda: commands.move(row, -1))
    up.setEnabled(row.id in order[1:])
    down = menu.addAction(tr("Move &down"), lambda: commands.move(row, 1))
    down.setEnabled(row.id in order[:-1])
    menu.addSeparator()
    menu.addAction(tr("&Edit…"), lambda: commands.edit(row))
    fill_what_if(menu.addMenu(tr("&What-if")), row, commands)
    update = menu.addAction(tr("U&pdate figures…"), lambda: commands.update(row))
    update.setEnabled(commands.newer(row) is not None)
    menu.addSeparator()
    _fill_files(menu, row, commands)
    menu.addSeparator()
    menu.addAction(tr("&Remove from the study"), lambda: commands.remove(row))


def _fill_sizes(menu: QMenu, row: HardwareRow, commands: HardwareCommands) -> None:
    """The memory sizes that a device is sold with, where there are several."""
    entry = commands.entry(row)
    sizes = () if entry is None else entry.device.outermost.sizes
    if entry is None or len(sizes) < 2:
        return
    listed = menu.addMenu(tr("&Memory"))
    group = QActionGroup(listed)
    for size in sizes:
        action = listed.addAction(gibibytes_text(size), partial(commands.choose_size, row, size))
        action.setCheckable(True)
        action.setChecked(size == entry.device.capacity)
        group.addAction(action)


def _fill_device(menu: QMenu, row: HardwareRow, commands: HardwareCommands) -> None:
    if row.chosen:
        menu.addAction(tr("&Remove from the study"), lambda: commands.remove(row))
        menu.addAction(tr("Make &active"), lambda: commands.make_active(row))
    else:
        menu.addAction(tr("&Add to the study"), lambda: commands.add(row))
        menu.addAction(tr("Add and make &active"), lambda: commands.make_active(row))
    fill_what_if(menu.addMenu(tr("&What-if")), row, commands)
    menu.addSeparator()
    if row.own:
        menu.addAction(tr("&Edit…"), lambda: commands.edit(row))
    _fill_files(menu, row, commands)


def _fill_files(menu: QMenu, row: HardwareRow, commands: HardwareCommands) -> None:
    menu.addAction(tr("&Save as my hardware…"), lambda: commands.save_as_own(row))
    menu.addAction(tr("E&xport file…"), lambda: commands.export(row))


def _fill_colours(menu: QMenu, row: HardwareRow, commands: HardwareCommands, theme: Theme) -> None:
    entry = commands.entry(row)
    chosen = None if entry is None or not entry.colour.isdecimal() else int(entry.colour)
    group = QActionGroup(menu)
    by_place = menu.addAction(tr("By its place in the list"), lambda: commands.set_colour(row, None))
    by_place.setCheckable(True)
    by_place.setChecked(chosen is None)
    group.addAction(by_place)
    names = colour_names()
    for index in range(len(theme.devices)):
        text = names[index] if index < len(names) else str(index + 1)
        action = QAction(swatch(theme, index, menu), text, menu)
        action.triggered.connect(lambda _on=False, i=index: commands.set_colour(row, i))
        menu.addAction(action)
        action.setCheckable(True)
        action.setChecked(index == chosen)
        action.setIconVisibleInMenu(True)
        group.addAction(action)


def colour_names() -> tuple[str, ...]:
    """The palette's device colours in words, in its order."""
    return (
        tr("Blue"),
        tr("Orange"),
        tr("Green"),
        tr("Pink"),
        tr("Ochre"),
        tr("Violet"),
        tr("Red"),
        tr("Grey"),
    )


def swatch(theme: Theme, index: int, widget: QWidget) -> QIcon:
    """An icon of a device colour."""
    side, ratio = widget.fontMetrics().height(), widget.devicePixelRatioF()
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded(painter, picture.rect().toRectF(), side * 0.2, QColor(device_colour(theme, index)))
    return QIcon(picture)
