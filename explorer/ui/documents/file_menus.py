"""The parts of the File menu that grow: examples and recent files."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from explorer.analysis.problem import Refused
from explorer.files.study.examples import example_studies
from explorer.files.study.study import read_study
from explorer.presentation.words.messages import render_problem
from explorer.ui.documents.files import Documents
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import add_action, set_tip


class FileMenus:
    """Examples and Recent, filled when they open."""

    def __init__(
        self,
        session: Session,
        documents: Documents,
        settings: Settings,
        say: Callable[[str], None],
        menu: QMenu,
        before: QAction,
    ) -> None:
        self._session = session
        self._documents = documents
        self._settings = settings
        self._say = say
        self.examples = QMenu(tr("E&xamples"), menu)
        self.recent = QMenu(tr("&Recent"), menu)
        menu.insertMenu(before, self.examples)
        menu.insertMenu(before, self.recent)
        self.examples.aboutToShow.connect(self.fill_examples)
        self.recent.aboutToShow.connect(self.fill_recent)

    def fill_examples(self) -> None:
        if not self.examples.isEmpty():
            return
        language = "zh" if self._settings.language.startswith("zh") else "en"
        for example in example_studies():
            action = add_action(self.examples, example.title(language))
            action.triggered.connect(lambda _checked=False, path=example.path: self._open_example(path))

    def _open_example(self, path: Path) -> None:
        try:
            self._documents.show_example(read_study(path))
        except Refused as refused:
            self._say(render_problem(refused.problems[0], self._session.look))

    def fill_recent(self) -> None:
        self.recent.clear()
        for path in self._settings.recent:
            action = add_action(self.recent, path.name)
            set_tip(action, str(path))
            action.triggered.connect(lambda _checked=False, p=path: self._documents.open(p))
        if self.recent.isEmpty():
            self.recent.addAction(tr("Nothing yet")).setEnabled(False)
            return
        self.recent.addSeparator()
        self.recent.addAction(tr("Clear")).triggered.connect(self._settings.clear_recent)
