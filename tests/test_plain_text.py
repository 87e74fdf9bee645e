"""Rule of the whole checkout: what could read a stranger's text as HTML is made in one place."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PLAIN = "explorer/ui/widgets/plain_text.py"  # the one place
MAKERS = {  # what guesses at HTML: what to use instead
    "QLabel": "PlainLabel",
    "QTextBrowser": "SafeBrowser",
    "QTextEdit": "QPlainTextEdit",
    "QToolTip": "show_tip",
    "QWhatsThis": "tip",
    "QErrorMessage": "message_box",
    "QInputDialog": "an editor in its place",
    "QProgressDialog": "progress_dialog",
    "QGraphicsTextItem": "QGraphicsSimpleTextItem",
    "TextItem": "QGraphicsSimpleTextItem",
    "LabelItem": "QGraphicsSimpleTextItem",
}
SETTERS = {
    "setToolTip": "set_tip",
    "setWindowTitle": "set_title",
    "setHtml": "SafeBrowser.show_paragraphs",
    "insertHtml": "insertPlainText",
    "appendHtml": "appendPlainText",
    "setMarkdown": "setPlainText",
    "setWhatsThis": "tip",
    "setInformativeText": "message_box",
    "setDetailedText": "message_box",
    "setLabelText": "progress_dialog",
}
ALLOWED = {
    ("explorer/ui/background.py", "QProgressDialog"): "the type of what progress_dialog made",
    ("explorer/ui/measure/actions.py", "QProgressDialog"): "the type of what progress_dialog made",
    ("explorer/ui/window.py", "setWindowTitle"): "its title holds the mark of unsaved changes beside title_text",
}


def modules(root: Path) -> Iterator[tuple[str, ast.Module]]:
    for file in sorted((root / "explorer").rglob("*.py")):
        name = file.relative_to(root).as_posix()
        if name != PLAIN:
            yield name, ast.parse(file.read_text(encoding="utf-8"))


def uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in MAKERS:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and node.attr in {**MAKERS, **SETTERS}:
            yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "QMessageBox":
            yield node.lineno, "QMessageBox"


def test_labels_tooltips_boxes_and_titles_are_made_in_one_place(root: Path) -> None:
    found = [
        f"{name}:{line}: {what}; use {({**MAKERS, **SETTERS}).get(what, 'message_box')}"
        for name, tree in modules(root)
        for line, what in uses(tree)
        if (name, what) not in ALLOWED
    ]
    assert found == []


def test_the_rule_sees_each_way_around_it() -> None:
    for text in ("QLabel(x)", "class A(QLabel): pass", "box.setToolTip(x)", "QMessageBox(w)", "d.setHtml(x)"):
        assert list(uses(ast.parse(text))), text


def test_models_give_tooltips_through_the_one_place(root: Path) -> None:
    """Views hand the text of this role to Qt's tooltip as it is."""
    bare = [
        name
        for name, tree in modules(root)
        if any(isinstance(n, ast.Attribute) and n.attr == "ToolTipRole" for n in ast.walk(tree))
        and not any(isinstance(n, ast.Name) and n.id == "tip" for n in ast.walk(tree))
    ]
    assert bare == []


@pytest.mark.parametrize("call", ["QStaticText", "QMessageBox"])
def test_texts_laid_out_by_hand_say_that_they_are_plain(root: Path, call: str) -> None:
    bare = []
    for name, tree in modules(root):
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == call]
        said = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == "setTextFormat"]
        if len(calls) > len(said):
            bare.append(name)
    assert bare == []


def test_nothing_asks_for_rich_text(root: Path) -> None:
    formats = {"RichText", "AutoText", "MarkdownText"}
    asked = [
        (name, n.lineno)
        for name, tree in modules(root)
        for n in ast.walk(tree)
        if isinstance(n, ast.Attribute) and n.attr in formats
    ]
    assert asked == []


def test_lists_and_tables_guard_what_is_copied_from_them(root: Path) -> None:
    """Qt's own views copy their current cell as it is, and a spreadsheet would run a formula in it."""
    ours = {
        "explorer/ui/compare/table/view.py",
        "explorer/ui/dialogs.py",
        "explorer/ui/forms/preset_dialog.py",
        "explorer/ui/grid/table_view.py",
    }
    views = {"QListWidget", "QTableWidget", "QTreeWidget", "QListView", "QTableView", "QTreeView"}
    bare = []
    for name, tree in modules(root):
        called = {getattr(n.func, "id", "") for n in ast.walk(tree) if isinstance(n, ast.Call)}
        bases = {getattr(b, "id", "") for n in ast.walk(tree) if isinstance(n, ast.ClassDef) for b in n.bases}
        if (called | bases) & views and "guard_copies" not in called and name not in ours:
            bare.append(name)
    assert bare == []


def test_everything_printed_goes_through_the_one_place_for_terminals(root: Path) -> None:
    """The worker, whose lines are read by this program alone, is sent to another Python without our help."""
    bare = []
    for name, tree in modules(root):
        for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call) and name != "explorer/bench/worker.py"):
            said = ast.unparse(call)
            prints = said.startswith(("print(", "sys.stdout.write(", "sys.stderr.write("))
            if prints and "written(" not in said:
                bare.append(f"{name}:{call.lineno}: {said}")
    assert bare == []
