"""Every action once: its words, shortcut and menu; the shortcut help is made from this table."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import set_tip


class Spec(NamedTuple):
    """One action: `slot` names a method of the window; a menu path such as `File/Examples` groups it."""

    slot: str
    text: str
    menu: str
    shortcut: str = ""
    tip: str = ""
    checkable: bool = False
    separator: bool = False


SPECS: tuple[Spec, ...] = (
    Spec(
        "new_study",
        QT_TRANSLATE_NOOP("ui", "&New study"),
        "file",
        "Ctrl+N",
        QT_TRANSLATE_NOOP("ui", "Start an empty study"),
    ),
    Spec(
        "open_file",
        QT_TRANSLATE_NOOP("ui", "&Open…"),
        "file",
        "Ctrl+O",
        QT_TRANSLATE_NOOP("ui", "Open a study, a model or a hardware file"),
    ),
    Spec(
        "save",
        QT_TRANSLATE_NOOP("ui", "&Save"),
        "file",
        "Ctrl+S",
        QT_TRANSLATE_NOOP("ui", "Save the study"),
        separator=True,
    ),
    Spec(
        "save_as",
        QT_TRANSLATE_NOOP("ui", "Save &as…"),
        "file",
        "Ctrl+Shift+S",
        QT_TRANSLATE_NOOP("ui", "Save the study under another name"),
    ),
    Spec(
        "revert",
        QT_TRANSLATE_NOOP("ui", "&Revert"),
        "file",
        "",
        QT_TRANSLATE_NOOP("ui", "Go back to the study as it was last saved"),
    ),
    Spec(
        "add_preset",
        QT_TRANSLATE_NOOP("ui", "Add &preset…"),
        "file",
        "Ctrl+Shift+M",
        QT_TRANSLATE_NOOP("ui", "Add a model that people use"),
        separator=True,
    ),
    Spec(
        "add_config",
        QT_TRANSLATE_NOOP("ui", "Add &model from file…"),
        "file",
        "Ctrl+M",
        QT_TRANSLATE_NOOP("ui", "Read a config.json, GGUF or safetensors file and add its model"),
    ),
    Spec(
        "import_measurements",
        QT_TRANSLATE_NOOP("ui", "&Import measurements…"),
        "file",
        "Ctrl+I",
        QT_TRANSLATE_NOOP("ui", "Read what llama-bench, Nsight Compute, torch or another tool measured"),
    ),
    Spec(
        "export_figure",
        QT_TRANSLATE_NOOP("ui", "&Export figure…"),
        "file",
        "Ctrl+E",
        QT_TRANSLATE_NOOP("ui", "PNG, SVG or PDF of the current view"),
    ),
    Spec(
        "copy_figure",
        QT_TRANSLATE_NOOP("ui", "&Copy figure"),
        "file",
        "Ctrl+Shift+C",
        QT_TRANSLATE_NOOP("ui", "Copy the chart as a picture"),
    ),
    Spec(
        "export_table",
        QT_TRANSLATE_NOOP("ui", "Export &table…"),
        "file",
        "",
        QT_TRANSLATE_NOOP("ui", "Operators as CSV, TSV or Markdown"),
    ),
    Spec(
        "preferences",
        QT_TRANSLATE_NOOP("ui", "&Preferences…"),
        "edit",
        "Ctrl+,",
        QT_TRANSLATE_NOOP("ui", "Theme, units and language"),
        separator=True,
    ),
    Spec(
        "quit",
        QT_TRANSLATE_NOOP("ui", "&Quit"),
        "file",
        "Ctrl+Q",
        QT_TRANSLATE_NOOP("ui", "Close the program"),
        separator=True,
    ),
    Spec(
        "find_in_table",
        QT_TRANSLATE_NOOP("ui", "&Find…"),
        "edit",
        "Ctrl+F",
        QT_TRANSLATE_NOOP("ui", "Find in the table"),
        separator=True,
    ),
    Spec(
        "clear_selection",
        QT_TRANSLATE_NOOP("ui", "Clear &selection"),
        "edit",
        "",
        QT_TRANSLATE_NOOP("ui", "Select no operator"),
    ),
    Spec(
        "edit_kinds",
        QT_TRANSLATE_NOOP("ui", "Operator &kinds…"),
        "edit",
        "",
        QT_TRANSLATE_NOOP("ui", "See, add and edit kinds of operators"),
    ),
    Spec(
        "study_notes",
        QT_TRANSLATE_NOOP("ui", "Study &notes…"),
        "edit",
        "",
        QT_TRANSLATE_NOOP("ui", "Name and notes of the study"),
    ),
    Spec(
        "prefill",
        QT_TRANSLATE_NOOP("ui", "&Prefill"),
        "view",
        "Ctrl+1",
        QT_TRANSLATE_NOOP("ui", "Look at the prompt's pass"),
        checkable=True,
    ),
    Spec(
        "decode",
        QT_TRANSLATE_NOOP("ui", "&Decode"),
        "view",
        "Ctrl+2",
        QT_TRANSLATE_NOOP("ui", "Look at one generated token"),
        checkable=True,
    ),
    Spec(
        "batch_up",
        QT_TRANSLATE_NOOP("ui", "Batch × 2"),
        "view",
        "Ctrl+Up",
        QT_TRANSLATE_NOOP("ui", "Double the batch"),
        separator=True,
    ),
    Spec(
        "batch_down",
        QT_TRANSLATE_NOOP("ui", "Batch ÷ 2"),
        "view",
        "Ctrl+Down",
        QT_TRANSLATE_NOOP("ui", "Halve the batch"),
    ),
    Spec(
        "context_up",
        QT_TRANSLATE_NOOP("ui", "Context × 2"),
        "view",
        "Ctrl+Right",
        QT_TRANSLATE_NOOP("ui", "Double the context"),
    ),
    Spec(
        "context_down",
        QT_TRANSLATE_NOOP("ui", "Context ÷ 2"),
        "view",
        "Ctrl+Left",
        QT_TRANSLATE_NOOP("ui", "Halve the context"),
    ),
    Spec(
        "fit",
        QT_TRANSLATE_NOOP("ui", "&Fit chart"),
        "view",
        "Ctrl+0",
        QT_TRANSLATE_NOOP("ui", "Show every roof and point"),
        separator=True,
    ),
    Spec(
        "zoom_back",
        QT_TRANSLATE_NOOP("ui", "Zoom &back"),
        "view",
        "Alt+Left",
        QT_TRANSLATE_NOOP("ui", "Go back to the zoom before"),
    ),
    Spec(
        "zoom_forward",
        QT_TRANSLATE_NOOP("ui", "Zoom f&orward"),
        "view",
        "Alt+Right",
        QT_TRANSLATE_NOOP("ui", "Go forward to the zoom after"),
    ),
    Spec(
        "per_value",
        QT_TRANSLATE_NOOP("ui", "FLOP per &value"),
        "view",
        "Ctrl+Shift+V",
        QT_TRANSLATE_NOOP("ui", "Intensity per value of the activation format instead of per byte"),
        checkable=True,
        separator=True,
    ),
    Spec("area_is_share", QT_TRANSLATE_NOOP("ui", "Point &area shows time"), "view", "", "", checkable=True),
    Spec("colour_by_bound", QT_TRANSLATE_NOOP("ui", "&Colour by bound"), "view", "", "", checkable=True),
    Spec(
        "measure_operators",
        QT_TRANSLATE_NOOP("ui", "&Measure operators…"),
        "measure",
        "Ctrl+T",
        QT_TRANSLATE_NOOP("ui", "Time the study's operators with your own torch"),
    ),
    Spec(
        "measure_ceilings",
        QT_TRANSLATE_NOOP("ui", "Measure this machine's &ceilings…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "Bandwidth and matmul peaks as a hardware file"),
    ),
    Spec(
        "trace_model",
        QT_TRANSLATE_NOOP("ui", "&Trace a model…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "Run any torch model once on no device and take its operators"),
    ),
    Spec(
        "fit_measurements",
        QT_TRANSLATE_NOOP("ui", "&Fit measurements…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "Effective bandwidth, peak and time per kernel from what was measured"),
        separator=True,
    ),
    Spec(
        "diagnose_counters",
        QT_TRANSLATE_NOOP("ui", "&Diagnose from counters…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "What a profiler's memory throughput and compute activity mean"),
    ),
    Spec(
        "shortcuts",
        QT_TRANSLATE_NOOP("ui", "&Keyboard shortcuts"),
        "help",
        "F1",
        QT_TRANSLATE_NOOP("ui", "Every key of the program"),
    ),
    Spec(
        "conventions",
        QT_TRANSLATE_NOOP("ui", "What the &numbers mean"),
        "help",
        "Shift+F1",
        QT_TRANSLATE_NOOP("ui", "The conventions behind the figures"),
    ),
    Spec(
        "about",
        QT_TRANSLATE_NOOP("ui", "&About Roofline Explorer"),
        "help",
        "",
        QT_TRANSLATE_NOOP("ui", "Version and diagnostics"),
    ),
)
MENUS: tuple[tuple[str, str], ...] = (
    ("file", QT_TRANSLATE_NOOP("ui", "&File")),
    ("edit", QT_TRANSLATE_NOOP("ui", "&Edit")),
    ("view", QT_TRANSLATE_NOOP("ui", "&View")),
    ("measure", QT_TRANSLATE_NOOP("ui", "&Measure")),
    ("help", QT_TRANSLATE_NOOP("ui", "&Help")),
)


def make_actions(target: QWidget) -> dict[str, QAction]:
    """One QAction per spec, bound to the method of its name."""
    actions: dict[str, QAction] = {}
    for spec in SPECS:
        action = QAction(tr(spec.text), target)
        action.setObjectName(spec.slot)
        action.setShortcut(QKeySequence(spec.shortcut))
        action.setStatusTip(tr(spec.tip) if spec.tip else "")
        set_tip(action, tr(spec.tip) if spec.tip else action.text().replace("&", ""))
        action.setCheckable(spec.checkable)
        action.triggered.connect(getattr(target, spec.slot))
        actions[spec.slot] = action
    return actions


def fill_menus(bar: QMenuBar, actions: Mapping[str, QAction]) -> dict[str, QMenu]:
    """The menu bar's menus, filled in the table's order."""
    menus = {key: bar.addMenu(tr(title)) for key, title in MENUS}
    for spec in SPECS:
        menu = menus[spec.menu]
        if spec.separator and not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(actions[spec.slot])
    return menus


def shortcut_rows() -> list[tuple[str, str]]:
    """Every shortcut with its words, for the help."""
    return [
        (QKeySequence(s.shortcut).toString(QKeySequence.SequenceFormat.NativeText), tr(s.text).replace("&", ""))
        for s in SPECS
        if s.shortcut
    ]
