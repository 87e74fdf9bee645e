"""Fusion with flat controls: one thin border, round corners and chevrons, in the palette's colours alone."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import (
    QDialog,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComplex,
    QStyleOptionToolButton,
    QWidget,
)

STYLE = "flat-fusion"
RADIUS = 5.0
SCROLL_BAR = 11  # logical pixels
_CHEVRON = 3.5  # half its width
_Role = QPalette.ColorRole
_State = QStyle.StateFlag
_Primitive = QStyle.PrimitiveElement
_Control = QStyle.ControlElement
_Complex = QStyle.ComplexControl
_Sub = QStyle.SubControl
_Metric = QStyle.PixelMetric
_SPACINGS = {_Metric.PM_LayoutHorizontalSpacing: 9, _Metric.PM_LayoutVerticalSpacing: 9}
_ROOM = _SPACINGS | dict.fromkeys(
    (
        _Metric.PM_LayoutLeftMargin,
        _Metric.PM_LayoutTopMargin,
        _Metric.PM_LayoutRightMargin,
        _Metric.PM_LayoutBottomMargin,
    ),
    16,
)
_Content = QStyle.ContentsType
_TARGETS = {
    _Content.CT_ToolButton,
    _Content.CT_PushButton,
    _Content.CT_LineEdit,
    _Content.CT_ComboBox,
    _Content.CT_SpinBox,
    _Content.CT_CheckBox,
    _Content.CT_RadioButton,
}
_LEAST = QSize(24, 24)  # what a finger or a shaking hand needs
_DEFAULT = QStyleOptionButton.ButtonFeature.DefaultButton
_MENU = QStyleOptionToolButton.ToolButtonFeature.HasMenu


class FlatStyle(QProxyStyle):
    """Paints what Fusion draws with gradients and dark outlines; sizes and behaviour stay Fusion's."""

    def __init__(self) -> None:
        super().__init__("Fusion")
        self.setObjectName(STYLE)
        self._primitives: dict[QStyle.PrimitiveElement, Callable[[Any, QPainter, QWidget | None], None]] = {
            _Primitive.PE_FrameTabBarBase: _nothing,
            _Primitive.PE_PanelScrollAreaCorner: _nothing,
            _Primitive.PE_PanelLineEdit: _line_edit,
            _Primitive.PE_FrameFocusRect: _focus,
            _Primitive.PE_PanelButtonCommand: _button,
            _Primitive.PE_PanelButtonTool: _tool_button,
            _Primitive.PE_IndicatorCheckBox: _check_box,
            _Primitive.PE_Frame: _frame,
            _Primitive.PE_IndicatorArrowDown: _arrow(0.0),
            _Primitive.PE_IndicatorArrowLeft: _arrow(90.0),
            _Primitive.PE_IndicatorArrowUp: _arrow(180.0),
            _Primitive.PE_IndicatorArrowRight: _arrow(270.0),
        }
        self._controls: dict[QStyle.ControlElement, Callable[[Any, QPainter, QWidget | None], None]] = {
            _Control.CE_MenuBarItem: _menu_bar_item,
            _Control.CE_MenuBarEmptyArea: _menu_bar_ground,
            _Control.CE_HeaderEmptyArea: _header_section,
            _Control.CE_Splitter: _splitter,
            _Control.CE_HeaderSection: _header_section,
        }

    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        paint = self._primitives.get(element)
        if paint is None:
            super().drawPrimitive(element, option, painter, widget)
            return
        _apart(paint, option, painter, widget)

    def drawControl(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        paint = self._controls.get(element)
        if element == _Control.CE_PushButtonLabel and _is_default(option) and option.state & _State.State_Enabled:
            palette = QPalette(option.palette)
            palette.setColor(_Role.ButtonText, palette.color(_Role.HighlightedText))
            option.palette = palette
        if paint is None:
            super().drawControl(element, option, painter, widget)
            return
        _apart(paint, option, painter, widget)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if control == _Complex.CC_ComboBox:
            _apart(_panel, option, painter, widget)
            self._chevrons(control, option, painter, widget, (_Sub.SC_ComboBoxArrow, 0.0))
        elif control == _Complex.CC_SpinBox:
            _apart(_panel, option, painter, widget)
            both = ((_Sub.SC_SpinBoxUp, 180.0), (_Sub.SC_SpinBoxDown, 0.0))
            self._chevrons(control, option, painter, widget, *both)
        elif control == _Complex.CC_ScrollBar:
            handle = self.subControlRect(control, option, _Sub.SC_ScrollBarSlider, widget)
            _apart(lambda o, p, _w: _scroll_handle(o, p, handle), option, painter, widget)
        elif control == _Complex.CC_ToolButton and option.features & _MENU == _MENU:  # type: ignore[attr-defined]
            self._menu_button(option, painter, widget)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def _menu_button(self, option: Any, painter: QPainter, widget: QWidget | None) -> None:
        """Fusion puts the sign of a menu into a corner; here it stands behind the words."""
        whole, features = QRect(option.rect), option.features
        self.drawPrimitive(_Primitive.PE_PanelButtonTool, option, painter, widget)
        option.features = QStyleOptionToolButton.ToolButtonFeature.None_
        width = option.fontMetrics.horizontalAdvance(option.text)
        shift = round(2 * _CHEVRON)
        option.rect = whole.adjusted(-shift, 0, -shift, 0)
        self.drawControl(_Control.CE_ToolButtonLabel, option, painter, widget)
        option.rect, option.features = whole, features
        centre = QRectF(whole).center() + QPointF(width / 2 + _CHEVRON, 1.0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _chevron(painter, centre, 0.0, _ink(option))
        painter.restore()

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        wanted = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]  # None is allowed
        if kind == QStyle.ContentsType.CT_MenuBarItem:  # as high as the controls beside the menus
            return QSize(wanted.width(), option.fontMetrics.height() + 15)
        return wanted.expandedTo(_LEAST) if kind in _TARGETS else wanted

    def _chevrons(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None,
        *parts: tuple[QStyle.SubControl, float],
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for part, turn in parts:
            place = QRectF(self.subControlRect(control, option, part, widget))
            _chevron(painter, place.center(), turn, _ink(option))
        painter.restore()

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        part: QStyle.SubControl,
        widget: QWidget | None = None,
    ) -> QRect:
        if control == _Complex.CC_ScrollBar and part in {_Sub.SC_ScrollBarAddLine, _Sub.SC_ScrollBarSubLine}:
            return QRect()
        return super().subControlRect(control, option, part, widget)  # type: ignore[arg-type]  # None is allowed

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_ScrollBarExtent:
            return SCROLL_BAR
        if metric in _ROOM and widget is not None and isinstance(widget.window(), QDialog):
            return (
                _ROOM[metric]
                if metric in _SPACINGS or widget.isWindow()
                else super().pixelMetric(metric, option, widget)
            )
        return super().pixelMetric(metric, option, widget)


class FlatStyleWithoutIcons(FlatStyle):
    """On a desktop that puts icons on the buttons of dialogs: words say it, in every dialog alike."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:
        if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 0
        return super().styleHint(hint, option, widget, data)


def flat_style() -> FlatStyle:
    """The style of this desktop; thousands of hints are asked for at the start, through Python only at need."""
    style = FlatStyle()
    return FlatStyleWithoutIcons() if style.styleHint(QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons) else style


def _apart(
    paint: Callable[[Any, QPainter, QWidget | None], None], option: Any, painter: QPainter, widget: QWidget | None
) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(option, painter, widget)
    painter.restore()


def _nothing(_option: Any, _painter: QPainter, _widget: QWidget | None) -> None:
    pass


def _colour(option: Any, role: QPalette.ColorRole) -> QColor:
    return option.palette.color(role)  # type: ignore[no-any-return]


def _ink(option: Any) -> QColor:
    enabled = bool(option.state & _State.State_Enabled)
    return _colour(option, _Role.PlaceholderText if enabled else _Role.Mid)


def _edge(option: Any, *, strong: bool) -> QPen:
    return QPen(_colour(option, _Role.Highlight if strong else _Role.Mid), 1.0)


def _rounded(option: Any, painter: QPainter, pen: QPen, fill: QColor, radius: float = RADIUS) -> None:
    painter.setPen(pen)
    painter.setBrush(fill)
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


def _panel(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    """The ground of a combo box or spin box."""
    enabled = bool(option.state & _State.State_Enabled)
    focused = enabled and bool(option.state & _State.State_HasFocus)
    _rounded(option, painter, _edge(option, strong=focused), _colour(option, _Role.Base if enabled else _Role.Window))


def _line_edit(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    if option.lineWidth <= 0:  # inside another control, or a cell
        painter.fillRect(option.rect, option.palette.brush(_Role.Base))
        return
    enabled, read_only = bool(option.state & _State.State_Enabled), bool(option.state & _State.State_ReadOnly)
    focused = enabled and not read_only and bool(option.state & _State.State_HasFocus)
    _rounded(option, painter, _edge(option, strong=focused), _colour(option, _Role.Base if enabled else _Role.Window))


def _focus(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    """The ring shows where the keyboard led, not where a window opened."""
    if option.state & _State.State_KeyboardFocusChange:
        _rounded(option, painter, QPen(_colour(option, _Role.Highlight), 1.5), QColor(Qt.GlobalColor.transparent), 4.0)


def _button(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    down = bool(option.state & (_State.State_Sunken | _State.State_On))
    hovered = bool(option.state & _State.State_MouseOver) and bool(option.state & _State.State_Enabled)
    default = bool(option.state & _State.State_Enabled) and _is_default(option)
    fill = _colour(option, _Role.Highlight if default else _Role.AlternateBase if down or hovered else _Role.Button)
    if default and (down or hovered):
        fill = fill.darker(112)
    _rounded(option, painter, _edge(option, strong=default), fill)


def _is_default(option: Any) -> bool:
    return isinstance(option, QStyleOptionButton) and bool(option.features & _DEFAULT)


def _tool_button(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    raised = bool(option.state & _State.State_AutoRaise)
    down = bool(option.state & (_State.State_Sunken | _State.State_On))
    hovered = bool(option.state & _State.State_MouseOver) and bool(option.state & _State.State_Enabled)
    fill = _colour(option, _Role.AlternateBase if down or hovered else _Role.Button)
    if raised and not (down or hovered):
        return
    _rounded(option, painter, QPen(Qt.PenStyle.NoPen) if raised else _edge(option, strong=False), fill)


def _check_box(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    enabled, on = bool(option.state & _State.State_Enabled), bool(option.state & _State.State_On)
    accent = _colour(option, _Role.Highlight if enabled else _Role.Mid)
    pen = QPen(accent, 1.0) if on else QPen(_colour(option, _Role.PlaceholderText), 1.0)
    _rounded(option, painter, pen, accent if on else _colour(option, _Role.Base), 3.0)
    box = QRectF(option.rect)
    if on:
        tick = ((0.24, 0.52), (0.43, 0.71), (0.77, 0.31))
        painter.setPen(QPen(_colour(option, _Role.HighlightedText), 1.7, c=Qt.PenCapStyle.RoundCap))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points = [QPointF(box.left() + x * box.width(), box.top() + y * box.height()) for x, y in tick]
        painter.drawPolyline(QPolygonF(points))
    elif option.state & _State.State_NoChange:
        painter.fillRect(box.adjusted(4, box.height() / 2 - 1, -4, 1 - box.height() / 2), accent)


def _frame(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    _rounded(option, painter, _edge(option, strong=False), QColor(Qt.GlobalColor.transparent), 2.0)


def _chevron(painter: QPainter, centre: QPointF, turn: float, colour: QColor) -> None:
    pen = QPen(colour, 1.4)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.save()
    painter.translate(centre)
    painter.rotate(turn)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(
        QPolygonF([QPointF(-_CHEVRON, -_CHEVRON / 2), QPointF(0.0, _CHEVRON / 2), QPointF(_CHEVRON, -_CHEVRON / 2)])
    )
    painter.restore()


def _arrow(turn: float) -> Callable[[Any, QPainter, QWidget | None], None]:
    def paint(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
        _chevron(painter, QRectF(option.rect).center(), turn, _ink(option))

    return paint


def _menu_bar_ground(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    painter.fillRect(option.rect, option.palette.brush(_Role.Window))


def _menu_bar_item(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    painter.fillRect(option.rect, option.palette.brush(_Role.Window))
    if option.state & (_State.State_Selected | _State.State_Sunken):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_colour(option, _Role.Mid))
        painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 3, -1, -3), RADIUS, RADIUS)
    enabled = bool(option.state & _State.State_Enabled)
    painter.setPen(_colour(option, _Role.WindowText if enabled else _Role.PlaceholderText))
    flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextHideMnemonic) | int(Qt.TextFlag.TextSingleLine)
    painter.drawText(option.rect, flags, option.text)


def _splitter(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    """A short pill, stronger under the mouse."""
    upright = bool(option.state & _State.State_Horizontal)
    length, thick = 22.0, 3.0
    size = (thick, length) if upright else (length, thick)
    pill = QRectF(0, 0, *size)
    pill.moveCenter(QRectF(option.rect).center())
    hovered = bool(option.state & _State.State_MouseOver)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_colour(option, _Role.PlaceholderText if hovered else _Role.Mid))
    painter.drawRoundedRect(pill, thick / 2, thick / 2)


def _header_section(option: Any, painter: QPainter, _widget: QWidget | None) -> None:
    painter.fillRect(option.rect, option.palette.brush(_Role.Base))
    rect = QRectF(option.rect)
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), _colour(option, _Role.Mid))


def _scroll_handle(option: Any, painter: QPainter, handle: QRect) -> None:
    painter.fillRect(option.rect, option.palette.brush(_Role.Base))
    if not option.state & _State.State_Enabled or option.minimum == option.maximum:
        return
    busy = bool(option.state & (_State.State_MouseOver | _State.State_Sunken))
    colour = _colour(option, _Role.PlaceholderText)
    colour.setAlphaF(0.75 if busy else 0.4)
    upright = option.orientation == Qt.Orientation.Vertical
    bar = QRectF(handle).adjusted(3, 1, -2, -1) if upright else QRectF(handle).adjusted(1, 3, -1, -2)
    radius = min(bar.width(), bar.height()) / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(bar, radius, radius)
