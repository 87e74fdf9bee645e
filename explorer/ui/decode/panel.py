"""The decode panel: batch and context, formats, the step's figures, memory, throughput against batch."""

import math

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from explorer.analysis.ask.batch_sweep import LARGEST_BATCH, Sweep, same_curves, sweep_batches
from explorer.analysis.ask.capacity import fitting_context
from explorer.analysis.step.phases.registry import phase_of
from explorer.analysis.study.check import LARGEST_BATCH as MOST_BATCH
from explorer.analysis.study.study import Study
from explorer.presentation.quantities.log_scale import LogScale
from explorer.presentation.quantities.numbers import NOTHING, seconds
from explorer.presentation.views.capacity import capacity_sentences
from explorer.presentation.views.decode import (
    batch_chart,
    context_mark,
    knee_list,
    pace_text,
    shown_batch,
    spots_of,
)
from explorer.presentation.views.memory_bar import fit_batch, memory_view
from explorer.presentation.words.phases import phase_word
from explorer.presentation.words.said.launches import least_text
from explorer.presentation.words.said.routing import routes, routing_text
from explorer.presentation.words.said.step_name import floor_name
from explorer.ui.decode.batch_plot import BatchPlot
from explorer.ui.decode.memory_bar import MemoryBar
from explorer.ui.decode.options import FormatRow, MoreOptions
from explorer.ui.decode.skew import SkewControl
from explorer.ui.decode.value_tile import ValueTile
from explorer.ui.hardware.scroll_bar import SlimScrollBar
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.count_control import CountControl
from explorer.ui.widgets.log_slider import SliderMark
from explorer.ui.widgets.plain_text import PlainLabel

LARGEST_CONTEXT = 1 << 20
_SIMPLE = ("streamed_s", "whole_file_s")
_EXPLAINED = {"whole_s": "time_s"}  # totals that a tile shows under another key
_MARK_ORDER = ("fit", "kv_half", "knee", "ridge")  # where names collide the first wins
# lines of tiles, of halves or thirds; without a model the sum comes first, as in the answer, and the bound of all
# together below it
_RATES = ("tokens_per_s_per_request", "tokens_per_s")
_DENSE = (("floor_s", "expected_s"), _RATES, ("time_s", "routed_s"))
_ROUTED = (("floor_s", "routed_s", "expected_s"), _RATES, ("time_s",))
_INPUTS = (("floor_s", "expected_s"), ("tokens_per_s",), ("time_s", "routed_s"))
_OPERATORS = (("time_s", "expected_s"), ("floor_s", "routed_s"), _RATES)
_PARTS = 6
_GAP, _CLOSE = 5, 3  # between lines, in logical pixels


class DecodePanel(QScrollArea):
    """Everything that says what is run; `explain_requested` names the total that was clicked."""

    explain_requested = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Shown | None = None
        self._sweep: Sweep | None = None
        self._set: Study | None = None
        self._fit: int | None = None
        self._rates: dict[str, str] = {}
        self._lines: tuple[tuple[str, ...], ...] = ()
        self._low = False
        self.later = AfterPaint(self._curves, self)
        self.title = PlainLabel(self)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.batch = CountControl(
            tr("Batch"), tr("Requests decoded together"), LogScale(1, LARGEST_BATCH), most=MOST_BATCH
        )
        self.context = CountControl(tr("Context"), tr("Tokens held per request"), LogScale(1, LARGEST_CONTEXT))
        self.skew = SkewControl()
        self.weights = FormatRow("weights", tr("Weights"), session)
        self.kv = FormatRow("kv", tr("KV cache"), session)
        self.more = MoreOptions(session, self)
        self.tiles = self._tiles()
        self.memory = MemoryBar()
        self.plots = (BatchPlot("all"), BatchPlot("step"))
        self._lay_out()
        self._connect()

    def _tiles(self) -> dict[str, ValueTile]:
        told = {
            "floor_s": (tr("step, at least"), tr("The lower bound of the step; click to see how it comes about")),
            "expected_s": (tr("expected"), tr("What a good implementation reaches; click to see how it comes about")),
            "tokens_per_s_per_request": (tr("per request"), tr("Tokens per second of one request, at most")),
            "tokens_per_s": (tr("all requests"), tr("Tokens per second of all requests together, at most")),
            "routed_s": (
                tr("random routing"),
                tr("The step at least with the experts that the routing reads; click to see how it comes about"),
            ),
            "time_s": (
                tr("operator by operator"),
                tr("The sum of the operators' times; click to see how it comes about"),
            ),
        }
        tiles = {key: ValueTile(name, tip) for key, (name, tip) in told.items()}
        lines = {
            "streamed_s": (tr("simple: streamed"), tr("The simple line: weights read and KV cache over bandwidth")),
            "whole_file_s": (tr("simple: whole file"), tr("The simple line: all weights and KV cache over bandwidth")),
            "whole_s": told["time_s"],
        }
        return tiles | {key: ValueTile(name, tip, line=True) for key, (name, tip) in lines.items()}

    def _lay_out(self) -> None:
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(SlimScrollBar(self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # its place is kept: nothing moves
        self._inner = inner = QWidget(self)
        self._box = box = QVBoxLayout(inner)
        box.setContentsMargins(12, 4, 10, 4)
        box.setSpacing(_GAP)
        self._head, formats = QHBoxLayout(), QHBoxLayout()
        head = self._head
        formats.setSpacing(14)
        head.addWidget(self.title, 1)
        head.addWidget(self.more.fold)
        for row in (self.weights, self.kv):
            formats.addWidget(row, 1)
        box.addLayout(head)
        box.addWidget(self.batch)
        box.addWidget(self.context)
        box.addWidget(self.skew)
        box.addLayout(formats)
        self._grid = grid = QGridLayout()
        grid.setSpacing(5)
        for column in range(_PARTS):
            grid.setColumnStretch(column, 1)
        self._arrange(_DENSE)
        box.addLayout(grid)
        box.addWidget(self.memory)
        curves, simple = QHBoxLayout(), QHBoxLayout()
        curves.setSpacing(8)
        simple.setSpacing(12)
        for plot in self.plots:
            curves.addWidget(plot, 1)
        for key in (*_SIMPLE, "whole_s"):
            simple.addWidget(self.tiles[key])
        box.addLayout(curves, 8)
        box.addLayout(simple)
        box.addStretch(1)
        self.setWidget(inner)
        self.viewport().setAutoFillBackground(False)
        # opaque, in the card's colour: what changes within is not painted through card, splitters and window each time
        inner.setBackgroundRole(QPalette.ColorRole.Base)
        inner.setAutoFillBackground(True)

    def set_corner(self, choice: QWidget) -> None:
        """Stand in the title's place where there is little height."""
        self._head.insertWidget(0, choice)

    def set_low(self, *, low: bool) -> None:
        """Stand closer where there is little height."""
        self._low = low
        self.title.setVisible(not low)
        self._head.setStretch(self._head.indexOf(self.title), 1)
        self._box.setSpacing(_CLOSE if low else _GAP)
        lines, self._lines = self._lines, ()
        self._arrange(lines)

    def full_height(self) -> int:
        """The height at which nothing scrolls, whatever is run."""
        tile, line = self.tiles["floor_s"].sizeHint().height(), self.tiles["streamed_s"].sizeHint().height()
        single = (self.more.fold, self.batch, self.context, self.skew, self.weights, self.memory)
        high = sum(w.sizeHint().height() for w in single) + len(_ROUTED) * (tile + _GAP) + line
        margins = self._box.contentsMargins()
        return high + self.plots[0].minimumSizeHint().height() + 8 * _GAP + margins.top() + margins.bottom()

    def _connect(self) -> None:
        for key, tile in self.tiles.items():
            total = _EXPLAINED.get(key, key)
            tile.clicked.connect(lambda _checked=False, k=total: self.explain_requested.emit(k))
        self.memory.clicked.connect(lambda: self.explain_requested.emit("memory_bytes"))
        self.memory.words = self._fit_words
        store = self._session.store
        self.batch.edited.connect(lambda n: store.edit_workload(tr("Batch"), merge="batch", batch=n))
        self.context.edited.connect(lambda n: store.edit_workload(tr("Context"), merge="context", context=n))
        self.skew.edited.connect(lambda s: store.edit_workload(tr("Routing skew"), merge="skew", skew=s))
        for control in (self.batch, self.context, self.skew):
            control.released.connect(store.end_drag)

    def scale_batch(self, factor: float) -> None:
        """Double or halve the batch from the menu."""
        self.batch.scale_by(round(math.log2(factor)))

    def scale_context(self, factor: float) -> None:
        """Double or halve the context from the menu."""
        self.context.scale_by(round(math.log2(factor)))

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 44, self.fontMetrics().height() * 32)

    def minimumSizeHint(self) -> QSize:
        # another language's words may be wider, and nothing scrolls sideways
        return QSize(self._inner.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width(), 200)

    def wanted_height(self) -> int:
        """The height at which nothing has to scroll."""
        margins = self.contentsMargins()
        return self._inner.minimumSizeHint().height() + margins.top() + margins.bottom()

    def _fit_words(self) -> str:
        shown = self._session.state
        active = shown.evaluation.active
        told = [] if active is None else capacity_sentences(shown.evaluation, active, shown.look)
        return "\n".join(told)

    # showing

    def apply(self, old: Shown | None, new: Shown) -> None:
        self._shown = new
        same_work = old is not None and old.evaluation.evaluator is new.evaluation.evaluator
        same_look = old is not None and old.look is new.look
        axis = old is not None and old.view.log_curves != new.view.log_curves
        if same_work and same_look and not axis and old and _devices(old) == _devices(new):
            return
        stale = self._sweep is None or not same_curves(self._sweep.study, new.study)
        moved = stale or not same_look or old is None or _active_id(old) != _active_id(new) or axis
        if moved or self._set is None or not same_curves(self._set, new.study):
            self._set = new.study
            self._show_setting(new)
        self._show_counts(new)
        self._show_figures(new)
        self._show_plots(new, stale=stale, moved=moved)

    def _show_setting(self, new: Shown) -> None:
        """What does not follow the batch: names, formats, marks of the batch slider."""
        phase, has_model = new.study.workload.phase, new.evaluation.model is not None
        title = phase_word(phase, "", new.look) if has_model else tr("Operators")
        if self.title.text() != title:
            self.title.setText(title)
            self.context.rename(phase_word(phase, "context", new.look))
        self.batch.setVisible(has_model)  # plain operators have dims of their own
        model = new.evaluation.model
        self.context.setVisible(has_model and new.evaluation.tokens_per_input is None)
        self.kv.setVisible(model is None or model.has_cache)
        routed = routes(new.evaluation)
        self.skew.setVisible(routed)
        self.skew.show_skew(new.study.workload.skew)
        how, mark = (routing_text(new.evaluation, new.look, form) for form in ("short", "mark"))
        self._rates = {
            "tokens_per_s_per_request": tr("per request, {routing}", routing=mark) if routed else tr("per request"),
            "tokens_per_s": tr("all requests, {routing}", routing=mark) if routed else tr("all requests"),
            "routed_s": how,
        }
        if new.evaluation.tokens_per_input is not None:
            self._rates["tokens_per_s"] = tr("all inputs")
        self.weights.show_study(new)
        self.kv.show_study(new)
        self.more.show_study(new)
        active = new.evaluation.active
        self._fit = None if active is None else fit_batch(new.evaluation, active)
        knees = () if active is None else knee_list(new.evaluation, active, new.look)
        ordered = sorted(knees, key=lambda k: _MARK_ORDER.index(k.code))
        self.batch.slider.set_marks([SliderMark(k.batch, k.text, k.tip, k.code == "fit") for k in ordered])

    def _show_counts(self, new: Shown) -> None:
        work, model = new.study.workload, new.evaluation.model
        self.batch.show_count(work.batch, LogScale(1, max(LARGEST_BATCH, work.batch)), new.look)
        most = (model.max_context if model is not None else None) or LARGEST_CONTEXT
        high = max(most, work.context)
        self.context.show_count(work.context, LogScale(1, high), new.look)
        active = new.evaluation.active
        fits = None if active is None else fitting_context(new.evaluation, active, high)
        marks = []
        if fits is not None and active is not None:
            text, tip = context_mark(new.evaluation, active, fits, new.look)
            marks = [SliderMark(fits, text, tip, wall=True)]
        self.context.slider.set_marks(marks)

    def _show_figures(self, new: Shown) -> None:
        active, has_model = new.evaluation.active, new.evaluation.model is not None
        for key, tile in self.tiles.items():
            tile.setVisible(_meant(key, new))
        dense = _DENSE if new.evaluation.tokens_per_input is None else _INPUTS
        self._arrange(_OPERATORS if not has_model else _ROUTED if routes(new.evaluation) else dense)
        full = active is not None and active.totals.fits is False
        for tile in self.tiles.values():
            tile.suppose(tr("if there were room: it does not fit") if full else "")
        if active is None or not new.evaluation.rows:
            for tile in self.tiles.values():
                tile.show_figure(NOTHING)
            self.memory.hide()
            return
        totals = active.totals
        low, high = (float(t) for t in totals.expected_s)
        floor = floor_name(new.evaluation, new.look) if has_model else tr("all overlapped, at least")
        self.tiles["floor_s"].show_figure(seconds(float(totals.floor_s)), floor)
        self.tiles["expected_s"].show_figure(least_text(active, _band(low, high), new.look))
        pace = totals.routed
        self.tiles["routed_s"].show_figure(seconds(float(pace.seconds)), self._rates["routed_s"])
        for key, rate in (
            ("tokens_per_s_per_request", pace.tokens_per_s_per_request),
            ("tokens_per_s", pace.tokens_per_s),
        ):
            self.tiles[key].show_figure(pace_text(new.evaluation, rate, new.look), self._rates[key])
        for key, value in (
            ("streamed_s", totals.streamed_s),
            ("whole_file_s", totals.whole_file_s),
        ):
            self.tiles[key].show_figure(seconds(float(value)))
        whole = least_text(active, seconds(float(totals.time_s)), new.look)
        self.tiles["time_s"].show_figure(whole)
        self.tiles["whole_s"].show_figure(whole)
        tip = tr("The lower bound, operator by operator {time}; click to see how it comes about", time=whole)
        self.tiles["floor_s"].explain(tip)
        self.memory.setVisible(has_model)
        view = memory_view(new.evaluation, active, self._fit, new.look)
        self.memory.show_memory(view, new.look.theme)

    def _arrange(self, lines: tuple[tuple[str, ...], ...]) -> None:
        """Lay the tiles out in lines."""
        shown = [key for keys in lines for key in keys if not self.tiles[key].isHidden()]
        if self._low and len(shown) > 2 * 2:
            lines = tuple(tuple(shown[i : i + 3]) for i in range(0, len(shown), 3))
        if lines == self._lines:
            return
        self._lines = lines
        for y, keys in enumerate(lines):
            width = _PARTS // max(2, len(keys))
            for x, key in enumerate(keys):
                self._grid.removeWidget(self.tiles[key])
                self._grid.addWidget(self.tiles[key], y, x * width, 1, width)

    def _show_plots(self, new: Shown, *, stale: bool, moved: bool) -> None:
        for plot in self.plots:
            plot.setVisible(new.evaluation.model is not None and new.evaluation.active is not None)
            plot.set_spots(spots_of(new.evaluation, plot.kind))
        if stale:
            for plot in self.plots:
                plot.set_stale()
        shown = self.plots[0].chart
        if stale or moved or shown is None or shown.x_max != shown_batch(new.evaluation, self._fit):
            self.later.ask()

    def _curves(self) -> None:
        """After the paint: sweep the batch where the study is another one, and draw the curves anew."""
        shown = self._shown
        if shown is None:
            return
        if self._sweep is None or not same_curves(self._sweep.study, shown.study):
            self._sweep = sweep_batches(shown.evaluation)
        for plot in self.plots:
            chart = batch_chart(shown.evaluation, self._sweep, plot.kind, compact=True, look=shown.look)
            plot.set_chart(chart, shown.look)


def _meant(key: str, shown: Shown) -> bool:
    """Whether a tile says something of the work; bytes over bandwidth bound a decode step, and hardly a prefill."""
    has_model = shown.evaluation.model is not None
    if key == "routed_s":
        return routes(shown.evaluation)
    if key == "whole_s":  # in the line of the simple figures, where these say nothing
        return has_model and not phase_of(shown.study.workload.phase).has_batch_knees
    if key in _SIMPLE:
        return has_model and phase_of(shown.study.workload.phase).has_batch_knees
    if key == "tokens_per_s_per_request" and shown.evaluation.tokens_per_input is not None:
        return False  # an input ends with its batch: the step's time says it
    return key in {"floor_s", "expected_s"} or has_model != (key == "time_s")


def _band(low: float, high: float) -> str:
    """`7.24–9.65 ms`: the unit once where both have the same."""
    first, last = seconds(low, 2), seconds(high, 2)
    same = first.split(" ")[-1] == last.split(" ")[-1]
    return f"{first.split(' ')[0]}–{last}" if same else f"{first}–{last}"


def _devices(shown: Shown) -> tuple[object, object]:
    """The device that is spoken of, and the one that ratios are to."""
    return shown.evaluation.active, shown.evaluation.baseline


def _active_id(shown: Shown) -> str:
    active = shown.evaluation.active
    return "" if active is None else active.entry.id
