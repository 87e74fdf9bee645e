"""Figures and tables leave the window: a slide of any view, seen before it is saved, remembered in the study."""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.slides import slide_of, with_slide
from explorer.analysis.study.study import SlideChoice
from explorer.bench.programs import show_folder
from explorer.files.disk.atomic import write_atomically
from explorer.presentation.palette import THEMES
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.slide.slide import built, proposed_texts
from explorer.presentation.views.declared import VIEWS, body_of
from explorer.presentation.words.messages import render_problem
from explorer.report.deck import PDF, deck_bytes, slides_of
from explorer.report.figure_export import (
    FORMATS,
    Paper,
    can_draw,
    check_export,
    content_of,
    export_day,
    picture_of,
    reason_of,
)
from explorer.report.tables import table_text
from explorer.ui.documents.export_form import ExportForm, merged
from explorer.ui.documents.export_preview import SlidePreview
from explorer.ui.documents.export_work import ExportWork, Figures, Painting
from explorer.ui.documents.save_place import ask_place, file_name
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.plain_text import PlainLabel, set_tip, set_title

TABLES = (".csv", ".tsv", ".md")
COPY_SCALE = 2.0
_FILTERS = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
_SIZE = (1180, 700)
_FORM_WIDTH = 400
_LINES = 2  # of what was saved, or why not


Say = Callable[[str], None]


class ExportDialog(QDialog):
    """Asks what the figure should look like, shows it, and writes it where it should go."""

    said = Signal(str)

    def __init__(
        self, session: Session, settings: Settings, view: str, parent: QWidget | None = None, say: Say | None = None
    ) -> None:
        super().__init__(parent)
        set_title(self, tr("Export figure"))
        self._session = session
        self._settings = settings
        self._chosen: dict[str, SlideChoice] = {}
        self._saved: Path | None = None
        self.form = ExportForm(self)
        self.preview = SlidePreview(lambda: (self.view, self.paper), self._built, self)
        self.problem = PlainLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setAccessibleName(tr("What was saved, or why not"))
        self.problem.setFixedHeight(_LINES * self.problem.fontMetrics().lineSpacing() + 4)
        self.save_button = QPushButton(tr("Save…"), self)
        self.save_button.setDefault(True)
        self.deck_button = QPushButton(tr("All views as PDF…"), self)
        self.work = ExportWork(self)
        self.copy_button = QPushButton(tr("Copy picture"), self)
        self.folder_button = QPushButton(tr("Show folder"), self)
        self.path_button = QPushButton(tr("Copy path"), self)
        self.close_button = QPushButton(tr("Close"), self)
        self.width_box, self.height_box, self.scale = self.form.width_box, self.form.height_box, self.form.scale
        self.theme, self.slide, self.title = self.form.theme, self.form.slide, self.form.title
        self.subtitle = self.form.subtitle
        self.offers = AfterPaint(self._offer, self)
        self._lay_out()
        self._connect()
        if say is not None:
            self.said.connect(say)
        self._show_view(view if view in VIEWS and not VIEWS[view].bare else next(iter(VIEWS)))
        self.offers.ask()

    def _offer(self) -> Generator[None, None, None]:
        """Find the views that have nothing to show, one after the other; the window paints between them."""
        evaluation, look = self._evaluation, self._session.look
        for view in (v.name for v in VIEWS.values() if not v.bare):
            self.form.say_empty(view, reason_of(body_of(view, evaluation, look)))
            yield

    def _lay_out(self) -> None:
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(self.form)
        scroll.setFixedWidth(_FORM_WIDTH)
        top = QHBoxLayout()
        top.addWidget(scroll)
        top.addWidget(self.preview, 1)
        self.preview.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        said = QHBoxLayout()
        said.addWidget(self.problem, 1)
        for button in (self.folder_button, self.path_button):
            said.addWidget(button)
            button.setEnabled(False)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy_button)
        buttons.addWidget(self.deck_button)
        buttons.addStretch(1)
        buttons.addWidget(self.work.bar)
        buttons.addWidget(self.work.cancel_button)
        buttons.addStretch(1)
        buttons.addWidget(self.save_button)
        buttons.addWidget(self.close_button)
        whole = QVBoxLayout(self)
        whole.addLayout(top, 1)
        whole.addLayout(said)
        whole.addLayout(buttons)
        self.resize(*_SIZE)

    def _connect(self) -> None:
        self.form.changed.connect(self._on_changed)
        self.form.view_chosen.connect(self._on_view)
        self.form.pinned.toggled.connect(self._pin)
        self.save_button.clicked.connect(self._save)
        self.deck_button.clicked.connect(self._save_deck)
        self.copy_button.clicked.connect(self.copy)
        self.folder_button.clicked.connect(self._show_folder)
        self.path_button.clicked.connect(self._copy_path)
        self.close_button.clicked.connect(self.accept)
        self.work.busy.connect(self._set_busy)

    @property
    def view(self) -> str:
        """The view shown."""
        return str(self.form.view.currentData())

    @property
    def paper(self) -> Paper:
        """What the figure would be drawn on."""
        choice = self._choice()
        texts = {n: t for n in choice.texts.__struct_fields__ if (t := getattr(choice.texts, n)) is not None}
        if not self.form.slide.isChecked():
            texts = {name: text for name, text in texts.items() if name in {"title", "subtitle"}}
        return Paper(
            size=choice.size,
            scale=self.form.scale.value(),
            look=replace(self._session.look, theme=THEMES[choice.theme]),
            texts=texts,
            blocks=VIEWS[choice.view].blocks if choice.blocks is None else choice.blocks,
            bare=not self.form.slide.isChecked(),
            day=export_day(),
        )

    def _choice(self) -> SlideChoice:
        known = self._chosen.get(self.view) or slide_of(self._session.store.study, self.view)
        return merged(known, self.form.choice)

    def _built(self, view: str, paper: Paper) -> object:
        return built(view, self._evaluation, paper.look, paper.texts, paper.blocks, paper.day, bare=paper.bare)

    @property
    def _evaluation(self) -> Evaluation:
        """Without what the study remembers: a text that was cleared in the form is the proposed one again."""
        state = self._session.state
        return state.evaluation.viewed(replace(state.study, slides=()))

    def _show_view(self, view: str) -> None:
        choice = self._chosen.get(view) or slide_of(self._session.store.study, view)
        state = self._session.state
        self.form.show_choice(choice, proposed_texts(state.evaluation, state.look, view))
        ranges = state.study.view.x_range is not None and state.study.view.y_range is not None
        self.form.pinned.blockSignals(True)  # noqa: FBT003 - the way Qt has it
        self.form.pinned.setChecked(ranges)
        self.form.pinned.blockSignals(False)  # noqa: FBT003 - the way Qt has it

    def _on_view(self, view: str) -> None:
        self._show_view(view)

    def _on_changed(self) -> None:
        self._chosen[self.view] = self._choice()
        self.preview.ask()

    def done(self, result: int) -> None:
        self.work.cancel()
        self.offers.stop()
        self.remember()
        self.preview.stop()
        super().done(result)

    def remember(self) -> None:
        """Keep in the study what was chosen, as one edit."""
        study = self._session.store.study
        for choice in self._chosen.values():
            study = with_slide(study, choice)
        if study != self._session.store.study:
            self._session.store.replace(study, tr("Slide"))

    def _pin(self, on: bool) -> None:
        """Hold the axes as they are drawn now, or let them follow what is shown."""
        store = self._session.store
        if on:
            figure = build_figure(self._session.state.evaluation, look=self._session.look)
            store.set_view(x_range=figure.x_range, y_range=figure.y_range)
        else:
            store.set_view(x_range=None, y_range=None)
        self.preview.ask()

    def _save(self) -> None:
        suggestion = self._settings.folder / (file_name(self._session.store.study.name, "figure") + FORMATS[0])
        path = ask_place(self, tr("Export figure"), suggestion, _FILTERS, FORMATS)
        if path is not None:
            self.export(path)

    def _save_deck(self) -> None:
        suggestion = self._settings.folder / (file_name(self._session.store.study.name, "slides") + PDF)
        path = ask_place(self, tr("All views as PDF"), suggestion, "PDF (*.pdf)", (PDF,))
        if path is not None:
            self.export_deck(path)

    def export(self, path: Path) -> bool:
        """Write the figure; a failure is one sentence in the dialog."""
        paper, view, suffix = self.paper, self.view, path.suffix.lower()

        def write(figures: Figures, painting: Painting) -> Path:
            return painting.write(path, content_of(view, figures[0][1], suffix, paper))

        return self._written(lambda: self._checked(path, paper), self._figure(view, paper), write)

    def export_deck(self, path: Path) -> bool:
        """Write all views, each with the texts that the study remembers."""
        self.remember()
        paper = replace(self.paper, texts={}, blocks=None, bare=False)

        def write(figures: Figures, painting: Painting) -> Path:
            return painting.write(path, deck_bytes(figures, paper, painting.tell))

        slides = slides_of(self._session.state.evaluation, paper)
        return self._written(lambda: self._checked(path, paper), slides, write)

    def copy(self) -> None:
        """Put the slide on the clipboard, as a picture and as SVG."""
        paper, view = self.paper, self.view
        fine = replace(paper, scale=COPY_SCALE if can_draw(paper.size, COPY_SCALE) else 1.0)

        def paint(figures: Figures, painting: Painting) -> object:
            picture = picture_of(view, figures[0][1], fine)
            painting.tell(0.5)
            return picture, content_of(view, figures[0][1], ".svg", paper)

        made = self._done(lambda: None, self._figure(view, paper), paint)
        if not isinstance(made, tuple):
            return
        data = QMimeData()
        data.setImageData(made[0])
        data.setData("image/svg+xml", made[1])
        QGuiApplication.clipboard().setMimeData(data)
        self.remember()
        self.problem.setText(tr("The picture is on the clipboard."))

    def _checked(self, path: Path, paper: Paper) -> None:
        check_export(path, paper, self.view)

    def _figure(self, view: str, paper: Paper) -> Iterator[tuple[str, object]]:
        evaluation = self._evaluation
        yield view, built(view, evaluation, paper.look, paper.texts, paper.blocks, paper.day, bare=paper.bare)

    def _done(
        self,
        check: Callable[[], None],
        figures: Iterator[tuple[str, object]],
        paint: Callable[[Figures, Painting], object],
    ) -> object:
        """What comes of the figures once painted; None with its reason in the dialog."""
        try:
            check()
            made = self.work.run(figures, paint)
        except Refused as refused:
            self.problem.setText(render_problem(refused.problems[0], self._session.look))
            return None
        if made is None:
            self.problem.setText(tr("Cancelled: nothing was written."))
        return made

    def _written(
        self,
        check: Callable[[], None],
        figures: Iterator[tuple[str, object]],
        write: Callable[[Figures, Painting], Path],
    ) -> bool:
        if self.work.running:
            self.problem.setText(tr("Another picture is still being made."))
            return False
        path = self._done(check, figures, write)
        if not isinstance(path, Path):
            return False
        self._settings.folder = path.parent
        self.remember()
        self._saved = path
        text = tr("Saved: {path}", path=path)
        self.problem.setText(text)
        set_tip(self.problem, text)
        self._set_busy(on=False)
        self.said.emit(text)
        return True

    def _set_busy(self, on: bool) -> None:
        for button in (self.save_button, self.deck_button, self.copy_button):
            button.setEnabled(not on)
        for button in (self.folder_button, self.path_button):
            button.setEnabled(self._saved is not None)

    def _show_folder(self) -> None:
        if self._saved is not None:
            show_folder(self._saved.parent)

    def _copy_path(self) -> None:
        if self._saved is not None:
            QGuiApplication.clipboard().setText(str(self._saved))


def export_table(parent: QWidget, session: Session, settings: Settings, say: Callable[[str], None]) -> None:
    """Ask where the operators' table goes, and write it."""
    suggestion = settings.folder / (file_name(session.store.study.name, "operators") + TABLES[0])
    path = ask_place(parent, tr("Export table"), suggestion, "CSV (*.csv);;TSV (*.tsv);;Markdown (*.md)", TABLES)
    if path is None:
        return
    try:
        write_atomically(path, table_text(session.state.evaluation, path.suffix.lower().lstrip("."), session.look))
    except Refused as refused:
        say(render_problem(refused.problems[0], session.look))
