"""What stands above a comparison: what varies, what it is compared with, and how the difference is said."""

from typing import Final

from PySide6.QtCore import QPointF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QWidget

from explorer.analysis.study.study import Study
from explorer.presentation.hardware.device_names import device_names
from explorer.presentation.words.visible import one_line
from explorer.ui.compare.chosen import chosen_baseline, set_baseline
from explorer.ui.compare.flow import FlowLayout
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.plain_text import PlainLabel, set_tip
from explorer.ui.widgets.segmented import Segmented
from explorer.ui.widgets.widget_fonts import scaled

_DOT: Final = 5.0
_WIDTH: Final = 10  # heights of a line; longer names are cut in the closed box, not in the list
_SMALLER: Final = 0.93  # of the window's letters: a row of controls for one table


class CompareLegend(QWidget):
    """What the small figures and the dots of the table mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts = ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def say(self, small: str, best: str) -> None:
        """What the small figures are; what a dot is."""
        if (small, best) != self._texts:
            self._texts = (small, best)
            self.setAccessibleName(f"{small}. {best}")
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        wide = sum(metrics.horizontalAdvance(text) for text in self._texts)
        return QSize(wide + round(1.5 * metrics.height()), metrics.height() + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        small, best = self._texts
        painter, metrics = QPainter(self), self.fontMetrics()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, em = self.palette(), metrics.height()
        middle = self.height() / 2
        baseline = round(middle + (metrics.ascent() - metrics.descent()) / 2)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(0, baseline, small)
        x = metrics.horizontalAdvance(small) + 0.9 * em
        painter.drawText(round(x + 0.6 * em), baseline, best)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(QPalette.ColorRole.Highlight))
        painter.drawEllipse(QPointF(x + _DOT / 2, middle), _DOT / 2, _DOT / 2)
        painter.end()


class CompareControls(QWidget):
    """Each control changes the view of the study, which is saved and never makes it dirty."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(scaled(self.font(), _SMALLER))
        self._session = session
        self._choices: tuple[tuple[str, str], ...] = ()
        set_view = session.store.set_view
        self.vary = Segmented(
            (
                ("machines", tr("Machines")),
                ("models", tr("Models")),
                ("formats", tr("Formats")),
                ("what_ifs", tr("What-ifs")),
                ("measurements", tr("Measured")),
            ),
            self,
        )
        self.vary.setAccessibleName(tr("What stands side by side"))
        self.vary.chosen.connect(lambda key: set_view(vary=key, compare_sort=""))
        self.label = PlainLabel(self)
        self.baseline = QComboBox(self)
        self.baseline.setFixedWidth(_WIDTH * self.fontMetrics().height())  # what is below must not jump with a name
        self.baseline.activated.connect(lambda i: set_baseline(session, self.baseline.itemData(i)))
        self.label.setBuddy(self.baseline)
        self.said_as = Segmented((("ratio", tr("Ratio")), ("difference", tr("Difference"))), self)
        self.said_as.setAccessibleName(tr("How a figure is compared"))
        self.said_as.chosen.connect(lambda key: set_view(compare_as=key))
        self.legend = CompareLegend(self)
        self._lay_out()

    def _lay_out(self) -> None:
        pair = QWidget(self)
        row = QHBoxLayout(pair)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.label)
        row.addWidget(self.baseline)
        em = self.fontMetrics().height()
        flow = FlowLayout(self, gap=em // 2, last_right=True)
        flow.setContentsMargins(em // 2, em // 3, em // 2, em // 3)
        for part in (self.vary, pair, self.said_as, self.legend):
            flow.addWidget(part)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Show what the study's view says."""
        view = new.view
        self.vary.choose(view.vary)
        self.said_as.choose(view.compare_as)
        ratio = view.compare_as == "ratio"
        small = tr("small: value / baseline") if ratio else tr("small: value − baseline")
        self.legend.say(small, tr("best"))
        self._offer(baselines(new), chosen_baseline(view))
        among = view.vary in {"machines", "models"}
        self.label.setText(tr("Baseline") if among else tr("On"))
        name = tr("What ratios are to") if among else tr("The device that they are compared on")
        self.baseline.setAccessibleName(name)
        set_tip(self.baseline, name)

    def _offer(self, choices: tuple[tuple[str, str], ...], chosen: str) -> None:
        box = self.baseline
        with QSignalBlocker(box):
            if choices != self._choices:
                self._choices = choices
                box.clear()
                for key, text in choices:
                    box.addItem(one_line(text), key)
            box.setCurrentIndex(max(0, box.findData(chosen)))


def baselines(shown: Shown) -> tuple[tuple[str, str], ...]:
    """What can be the baseline, by id: models where they vary, else visible devices; first what is used unasked."""
    study = shown.study
    if shown.view.vary == "models":
        names = {m.id: m.name for m in study.models}
        return (("", tr("the active model")), *names.items())
    names = _devices(study, shown)
    return (("", tr("the active device") if shown.evaluation.active is not None else tr("no device")), *names.items())


def _devices(study: Study, shown: Shown) -> dict[str, str]:
    names = device_names(study.hardware, look=shown.look)
    return {e.id: names[e.id].label for e in study.hardware if e.visible}
