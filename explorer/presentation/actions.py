"""Every action once: words, keys, menu. Menus, the chart's own menu and keys, tables and help read this table.

Keys are written as Qt spells them everywhere ("Ctrl+N"); those that differ by desktop (copy, paste, undo) are Qt's.
"""

from typing import Final

import msgspec

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP


class Action(msgspec.Struct, frozen=True):
    """What a user can do: words, the menu that holds it, and the keys that do it.

    `shortcut` works in the whole window, `on_chart` where the chart has the focus, `on_table` where a table has it.
    `in_chart` are its words in the chart's own menu.
    """

    key: str
    text: str
    menu: str = ""
    shortcut: str = ""
    tip: str = ""
    checkable: bool = False
    separator: bool = False
    in_chart: str = ""
    on_chart: tuple[str, ...] = ()
    on_table: str = ""


ACTIONS: Final[tuple[Action, ...]] = (
    Action(
        "new_study",
        QT_TRANSLATE_NOOP("ui", "&New study"),
        "file",
        "Ctrl+N",
        QT_TRANSLATE_NOOP("ui", "Start an empty study"),
    ),
    Action(
        "open_file",
        QT_TRANSLATE_NOOP("ui", "&Open…"),
        "file",
        "Ctrl+O",
        QT_TRANSLATE_NOOP("ui", "Open a study, a model or a hardware file"),
    ),
    Action(
        "save",
        QT_TRANSLATE_NOOP("ui", "&Save"),
        "file",
        "Ctrl+S",
        QT_TRANSLATE_NOOP("ui", "Save the study"),
        separator=True,
    ),
    Action(
        "save_as",
        QT_TRANSLATE_NOOP("ui", "Save &as…"),
        "file",
        "Ctrl+Shift+S",
        QT_TRANSLATE_NOOP("ui", "Save the study under another name"),
    ),
    Action(
        "revert",
        QT_TRANSLATE_NOOP("ui", "&Revert"),
        "file",
        "",
        QT_TRANSLATE_NOOP("ui", "Go back to the study as it was last saved"),
    ),
    Action(
        "add_preset",
        QT_TRANSLATE_NOOP("ui", "Add &preset…"),
        "file",
        "Ctrl+Shift+M",
        QT_TRANSLATE_NOOP("ui", "Add a model that people use"),
        separator=True,
    ),
    Action(
        "add_config",
        QT_TRANSLATE_NOOP("ui", "Add &model from file…"),
        "file",
        "Ctrl+M",
        QT_TRANSLATE_NOOP("ui", "Read a config.json, GGUF or safetensors file and add its model"),
    ),
    Action(
        "import_measurements",
        QT_TRANSLATE_NOOP("ui", "&Import measurements…"),
        "file",
        "Ctrl+I",
        QT_TRANSLATE_NOOP("ui", "Read what llama-bench, Nsight Compute, torch or another tool measured"),
    ),
    Action(
        "export_figure",
        QT_TRANSLATE_NOOP("ui", "&Export figure…"),
        "file",
        "Ctrl+E",
        QT_TRANSLATE_NOOP("ui", "PNG, SVG or PDF of the current view"),
        in_chart=QT_TRANSLATE_NOOP("ui", "Export figure…"),
    ),
    Action(
        "copy_figure",
        QT_TRANSLATE_NOOP("ui", "&Copy figure"),
        "file",
        "Ctrl+Shift+C",
        QT_TRANSLATE_NOOP("ui", "Copy the chart as a picture"),
        in_chart=QT_TRANSLATE_NOOP("ui", "Copy figure"),
    ),
    Action(
        "export_table",
        QT_TRANSLATE_NOOP("ui", "Export &table…"),
        "file",
        "",
        QT_TRANSLATE_NOOP("ui", "Operators as CSV, TSV or Markdown"),
    ),
    Action(
        "preferences",
        QT_TRANSLATE_NOOP("ui", "&Preferences…"),
        "edit",
        "Ctrl+,",
        QT_TRANSLATE_NOOP("ui", "Theme, text size, units and language"),
        separator=True,
    ),
    Action(
        "quit",
        QT_TRANSLATE_NOOP("ui", "&Quit"),
        "file",
        "Ctrl+Q",
        QT_TRANSLATE_NOOP("ui", "Close the program"),
        separator=True,
    ),
    Action(
        "find_in_table",
        QT_TRANSLATE_NOOP("ui", "&Find…"),
        "edit",
        "Ctrl+F",
        QT_TRANSLATE_NOOP("ui", "Find in the table"),
        separator=True,
    ),
    Action(
        "clear_selection",
        QT_TRANSLATE_NOOP("ui", "Clear &selection"),
        "edit",
        "",
        QT_TRANSLATE_NOOP("ui", "Select no operator"),
    ),
    Action(
        "edit_kinds",
        QT_TRANSLATE_NOOP("ui", "Operator &kinds…"),
        "edit",
        "",
        QT_TRANSLATE_NOOP("ui", "See, add and edit kinds of operators"),
    ),
    Action(
        "study_notes",
        QT_TRANSLATE_NOOP("ui", "Study &notes…"),
        "edit",
        "",
        QT_TRANSLATE_NOOP("ui", "Name and notes of the study"),
    ),
    Action(
        "prefill",
        QT_TRANSLATE_NOOP("ui", "&Prefill"),
        "view",
        "Ctrl+1",
        QT_TRANSLATE_NOOP("ui", "Look at the prompt's pass"),
        checkable=True,
    ),
    Action(
        "decode",
        QT_TRANSLATE_NOOP("ui", "&Decode"),
        "view",
        "Ctrl+2",
        QT_TRANSLATE_NOOP("ui", "Look at one generated token"),
        checkable=True,
    ),
    Action(
        "batch_up",
        QT_TRANSLATE_NOOP("ui", "Batch × 2"),
        "view",
        "Ctrl+Up",
        QT_TRANSLATE_NOOP("ui", "Double the batch"),
        separator=True,
    ),
    Action(
        "batch_down",
        QT_TRANSLATE_NOOP("ui", "Batch ÷ 2"),
        "view",
        "Ctrl+Down",
        QT_TRANSLATE_NOOP("ui", "Halve the batch"),
    ),
    Action(
        "context_up",
        QT_TRANSLATE_NOOP("ui", "Context × 2"),
        "view",
        "Ctrl+Right",
        QT_TRANSLATE_NOOP("ui", "Double the context"),
    ),
    Action(
        "context_down",
        QT_TRANSLATE_NOOP("ui", "Context ÷ 2"),
        "view",
        "Ctrl+Left",
        QT_TRANSLATE_NOOP("ui", "Halve the context"),
    ),
    Action(
        "fit",
        QT_TRANSLATE_NOOP("ui", "&Fit chart"),
        "view",
        "Ctrl+0",
        QT_TRANSLATE_NOOP("ui", "Show every roof and point"),
        separator=True,
        in_chart=QT_TRANSLATE_NOOP("ui", "Fit chart"),
        on_chart=("Home", "0"),
    ),
    Action(
        "zoom_back",
        QT_TRANSLATE_NOOP("ui", "Zoom &back"),
        "view",
        "Alt+Left",
        QT_TRANSLATE_NOOP("ui", "Go back to the zoom before"),
        in_chart=QT_TRANSLATE_NOOP("ui", "Zoom back"),
    ),
    Action(
        "zoom_forward",
        QT_TRANSLATE_NOOP("ui", "Zoom f&orward"),
        "view",
        "Alt+Right",
        QT_TRANSLATE_NOOP("ui", "Go forward to the zoom after"),
        in_chart=QT_TRANSLATE_NOOP("ui", "Zoom forward"),
    ),
    Action(
        "per_value",
        QT_TRANSLATE_NOOP("ui", "FLOP per &value"),
        "view",
        "Ctrl+Shift+V",
        QT_TRANSLATE_NOOP("ui", "Intensity per value of the activation format instead of per byte"),
        checkable=True,
        separator=True,
        in_chart=QT_TRANSLATE_NOOP("ui", "FLOP per value"),
    ),
    Action(
        "area_is_share",
        QT_TRANSLATE_NOOP("ui", "Point &area shows share of time"),
        "view",
        checkable=True,
        in_chart=QT_TRANSLATE_NOOP("ui", "Point area shows share of time"),
    ),
    Action(
        "colour_by_bound",
        QT_TRANSLATE_NOOP("ui", "&Colour by bound"),
        "view",
        checkable=True,
        in_chart=QT_TRANSLATE_NOOP("ui", "Colour by bound"),
    ),
    Action(
        "swap_baseline",
        QT_TRANSLATE_NOOP("ui", "&Swap baseline and active device"),
        "view",
        "Ctrl+B",
        QT_TRANSLATE_NOOP("ui", "The device that ratios are to becomes the one that the answer speaks of"),
        separator=True,
    ),
    Action(
        "present",
        QT_TRANSLATE_NOOP("ui", "P&resentation"),
        "view",
        "F11",
        QT_TRANSLATE_NOOP("ui", "Answer and view alone, in larger type; Esc leaves"),
        checkable=True,
    ),
    Action(
        "read_notice",
        QT_TRANSLATE_NOOP("ui", "Go to the &message"),
        "view",
        "F6",
        QT_TRANSLATE_NOOP("ui", "Put the keyboard on what was said last"),
    ),
    Action(
        "measure_operators",
        QT_TRANSLATE_NOOP("ui", "&Measure operators…"),
        "measure",
        "Ctrl+T",
        QT_TRANSLATE_NOOP("ui", "Time the study's operators with your own torch"),
    ),
    Action(
        "measure_ceilings",
        QT_TRANSLATE_NOOP("ui", "Measure this machine's &ceilings…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "Bandwidth and matmul peaks as a hardware file"),
    ),
    Action(
        "trace_model",
        QT_TRANSLATE_NOOP("ui", "&Trace a model…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "Run any torch model once on no device and take its operators"),
    ),
    Action(
        "fit_measurements",
        QT_TRANSLATE_NOOP("ui", "&Fit measurements…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "Effective bandwidth, peak and time per kernel from what was measured"),
        separator=True,
    ),
    Action(
        "diagnose_counters",
        QT_TRANSLATE_NOOP("ui", "&Diagnose from counters…"),
        "measure",
        "",
        QT_TRANSLATE_NOOP("ui", "What a profiler's memory throughput and compute activity mean"),
    ),
    Action(
        "shortcuts",
        QT_TRANSLATE_NOOP("ui", "&Keyboard shortcuts"),
        "help",
        "F1",
        QT_TRANSLATE_NOOP("ui", "Every key of the program"),
    ),
    Action(
        "conventions",
        QT_TRANSLATE_NOOP("ui", "What the &numbers mean"),
        "help",
        "Shift+F1",
        QT_TRANSLATE_NOOP("ui", "The conventions behind the figures"),
    ),
    Action(
        "about",
        QT_TRANSLATE_NOOP("ui", "&About Roofline Explorer"),
        "help",
        "",
        QT_TRANSLATE_NOOP("ui", "Version and diagnostics"),
    ),
    # on the chart alone
    Action("box_zoom", QT_TRANSLATE_NOOP("ui", "Zoom to a box"), in_chart=QT_TRANSLATE_NOOP("ui", "Zoom to a box")),
    Action("zoom_in", QT_TRANSLATE_NOOP("ui", "Zoom in"), on_chart=("+", "=")),
    Action("zoom_out", QT_TRANSLATE_NOOP("ui", "Zoom out"), on_chart=("-", "_")),
    Action("pan_left", QT_TRANSLATE_NOOP("ui", "Move to the left"), on_chart=("Left",)),
    Action("pan_right", QT_TRANSLATE_NOOP("ui", "Move to the right"), on_chart=("Right",)),
    Action("pan_up", QT_TRANSLATE_NOOP("ui", "Move up"), on_chart=("Up",)),
    Action("pan_down", QT_TRANSLATE_NOOP("ui", "Move down"), on_chart=("Down",)),
    Action("next_point", QT_TRANSLATE_NOOP("ui", "Select the next point"), on_chart=("Tab",)),
    Action("previous_point", QT_TRANSLATE_NOOP("ui", "Select the point before"), on_chart=("Shift+Tab",)),
    Action("escape", QT_TRANSLATE_NOOP("ui", "Give up, or select nothing"), on_chart=("Esc",)),
    # in the tables, whose buttons have words of their own
    Action("table_add", QT_TRANSLATE_NOOP("ui", "Add a row"), on_table="Ins"),
    Action("table_open", QT_TRANSLATE_NOOP("ui", "Edit or use the row"), on_table="Ctrl+Return"),
    Action("table_duplicate", QT_TRANSLATE_NOOP("ui", "Duplicate the rows"), on_table="Ctrl+D"),
    Action("table_up", QT_TRANSLATE_NOOP("ui", "Move the rows up"), on_table="Alt+Up"),
    Action("table_down", QT_TRANSLATE_NOOP("ui", "Move the rows down"), on_table="Alt+Down"),
    # in the table of a comparison
    Action("compare_baseline", QT_TRANSLATE_NOOP("ui", "Make what is compared the baseline"), on_table="B"),
    Action("compare_sort", QT_TRANSLATE_NOOP("ui", "Sort what is compared by the column"), on_table="S"),
)
VIEW_KEYS: Final = tuple(f"Alt+{n}" for n in range(1, 10))  # of the views, in the order of their tabs
MENUS: Final[tuple[tuple[str, str], ...]] = (
    ("file", QT_TRANSLATE_NOOP("ui", "&File")),
    ("edit", QT_TRANSLATE_NOOP("ui", "&Edit")),
    ("view", QT_TRANSLATE_NOOP("ui", "&View")),
    ("measure", QT_TRANSLATE_NOOP("ui", "&Measure")),
    ("help", QT_TRANSLATE_NOOP("ui", "&Help")),
)

_BY_KEY: Final = {action.key: action for action in ACTIONS}


def action_of(key: str) -> Action:
    """The action of a name."""
    return _BY_KEY[key]


def table_key(key: str) -> str:
    """The key of an action where a table has the focus."""
    return _BY_KEY[key].on_table
