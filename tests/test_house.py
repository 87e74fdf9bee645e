"""Rules of the whole checkout."""

import ast
import gc
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import house

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

LONGEST = 400
LONG_FILES = {  # path: why it may be longer
    "explorer/bench/worker.py": "sent as one text to another Python, which has nothing of ours",
}
TOP_LEVEL = {
    ".ci",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "explorer",
    "hardware",
    "packaging",
    "pyproject.toml",
    "resources",
    "tests",
}
# Put together here, so that this file does not hold what it looks for.
REGISTRIES = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "deb." + "debian.org",
    "security." + "debian.org",
    "archive." + "ubuntu.com",
    "npm" + "js.org",
    "npm" + "js.com",
    "proxy." + "golang.org",
    "static." + "crates.io",
    "conda." + "anaconda.org",
]


STARTS = re.compile(
    r"\bsubprocess\.(run|Popen|call|check_\w+|getoutput|getstatusoutput)\b"
    r"|\bos\.(system|popen|exec\w+|spawn\w+|posix_spawn\w*|startfile|fork\w*)\b"
    r"|\b(startDetached|openUrl|setOpenExternalLinks|webbrowser|multiprocessing|ProcessPoolExecutor|create_subprocess_\w+)\b"
    r"|\bQProcess\.(start|execute|startCommand)\b|\bprocess\.start\("
)
DOORS = {  # path: why programs may be started there
    "explorer/bench/programs.py": "the one door: a neutral folder, whole paths, a clean environment",
}


@pytest.fixture(scope="module")
def tracked(root: Path) -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    files = [root / name for name in done.stdout.split("\0") if name]
    return [file for file in files if file.is_file()]


def test_no_file_names_a_package_registry(root: Path, tracked: list[Path]) -> None:
    found = [
        (str(file.relative_to(root)), host)
        for file in tracked
        for host in REGISTRIES
        if host.encode() in file.read_bytes()
    ]
    assert found == []


def test_python_files_stay_short(root: Path, tracked: list[Path]) -> None:
    lengths = {
        file.relative_to(root).as_posix(): file.read_bytes().count(b"\n") for file in tracked if file.suffix == ".py"
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST and name not in LONG_FILES} == {}


def test_reasons_for_long_files_are_dropped_with_the_files(root: Path) -> None:
    stale = [name for name in LONG_FILES if (root / name).read_bytes().count(b"\n") <= LONGEST]
    assert stale == []


def test_the_top_level_holds_only_the_rooms_and_their_papers(root: Path, tracked: list[Path]) -> None:
    assert {file.relative_to(root).parts[0] for file in tracked} - TOP_LEVEL == set()


def test_packaging_never_becomes_a_package_that_hides_the_library_of_its_name(root: Path) -> None:
    assert not (root / "packaging" / "__init__.py").exists()


def test_other_programs_are_started_through_one_door(root: Path, tracked: list[Path]) -> None:
    """A study's folder may hold a stranger's modules and programs; the door knows how none of them is run."""
    modules = [file for file in tracked if file.suffix == ".py" and file.is_relative_to(root / "explorer")]
    starts = {file.relative_to(root).as_posix(): STARTS.search(file.read_text(encoding="utf-8")) for file in modules}
    assert {name for name, start in starts.items() if start} == set(DOORS)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="True is immortal there")
def test_signals_and_texts_do_not_lose_references_to_true(qapp: "QApplication") -> None:
    """PySide6 6.12 on Python 3.11 loses one per call and aborts in the end: the reason for the pin below 6.12."""
    from PySide6.QtCore import QObject, Signal
    from PySide6.QtWidgets import QLabel

    class Sender(QObject):
        sent = Signal(bool)

    yes = True
    sender, label = Sender(), QLabel()
    received: list[bool] = []
    sender.sent.connect(received.append)
    gc.collect()
    before = sys.getrefcount(yes)
    for _ in range(2000):
        sender.sent.emit(yes)
        label.setText("text")
    lost = before - sys.getrefcount(yes) + len(received)  # the list holds one for each emit
    assert len(received) == 2000
    assert lost < 100, "each emit may not take a reference (others come and go with other objects)"
    label.deleteLater()
    qapp.processEvents()


def test_a_figure_is_drawn_from_the_command_line_without_widgets(root: Path, tmp_path: Path) -> None:
    """A machine without a screen draws figures: import-linter cannot forbid one module of PySide6, so this does."""
    program = (
        "import sys; from explorer.cli.main import main; code = main(sys.argv[1:], None, None);"
        "print(code, sorted({'PySide6.QtWidgets', 'pyqtgraph'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program, "render", "-o", str(tmp_path / "figure.svg")]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1:] == ["0 []"], done.stderr


# --- the house: what comes next finds a room, and rooms do not lean on each other

MOST_MODULES = 16
LATE = {  # path: why a function of it imports own modules; each is for the start
    "explorer/__main__.py": "a failure before the window, and each way to start, load their own parts alone",
    "explorer/cli/work.py": "each command loads its own parts alone",
    "explorer/app.py": "what follows the first frame",
    "explorer/cli/main.py": "each command loads what it answers with",
    "explorer/smoke.py": "the check of a packed program starts what it checks",
    "explorer/ui/answer_bar.py": "the words of a comparison are wanted when its tip is",
    "explorer/analysis/ask/notes.py": "a study of own rows needs no model families",
    "explorer/files/models/sidecars.py": "a config without a file beside it needs no readers of quantised ones",
    "explorer/analysis/models/build.py": "a config that is not quantised needs no reader of what is",
    "explorer/analysis/models/checkpoint/read_storage.py": "a config that is not quantised needs no reader of what is",
    "explorer/analysis/models/checkpoint/storage.py": "a config that is not quantised needs no reader of what is",
    "explorer/analysis/step/evaluate.py": "a study without the tensors of a file needs no model families",
    "explorer/analysis/step/expand.py": "a study of own rows needs no model families",
    "explorer/analysis/study/check.py": "a study without a quick model needs no model families",
    "explorer/ui/documents/files.py": "readers are loaded with the first file",
    "explorer/ui/failures/failures.py": "a start without failures",
    "explorer/ui/hardware/commands.py": "dialogs are loaded when they are asked for",
    "explorer/ui/hardware/picker.py": "a device is typed when there is a window to type into",
    "explorer/ui/measure/actions.py": "dialogs are loaded when they are asked for",
    "explorer/ui/measure/import_job.py": "readers are loaded with the first file",
    "explorer/ui/tables/bottom.py": "tables behind the first are made when they are looked for",
    "explorer/ui/tables/measurements_table.py": "forms are loaded when they are asked for",
    "explorer/ui/tables/models_table.py": "forms are loaded when they are asked for",
    "explorer/ui/tables/operators_table.py": "forms are loaded when they are asked for",
    "explorer/ui/views/roofline_tab.py": "the live chart comes after the first frame",
    "explorer/ui/window.py": "dialogs are loaded when they are asked for",
}
HOLDS_DEVICES = re.compile(r"(^|\.)(entry|e|machine|on|hardware\[.*\])$")
COUNTS = {  # path: why it asks how many devices there are; arithmetic with them is the machine's
    "explorer/analysis/step/machines/single.py": "the one place that reckons with it",
    "explorer/analysis/study/check.py": "whether it is within its limits",
    "explorer/analysis/study/tensor_check.py": "entries of a tensor list",
    "explorer/analysis/study/what_if.py": "a copy has as many",
    "explorer/analysis/measured/edits.py": "which entry a tool's `2 x A` means",
    "explorer/analysis/measured/groups.py": "which entry a tool's `2 x A` means",
    "explorer/analysis/step/device_result.py": "whether they cost nothing",
    "explorer/analysis/ask/capacity.py": "the fewest beside those there are",
    "explorer/analysis/ask/notes.py": "words",
    "explorer/presentation/answer/json_result.py": "a key of the public JSON",
    "explorer/presentation/explain/device.py": "words",
    "explorer/presentation/hardware/device_names.py": "words",
    "explorer/presentation/hardware/picker_rows.py": "words",
    "explorer/presentation/hardware/tips.py": "words",
    "explorer/presentation/roofline/measured.py": "whether a drawing is still the same",
    "explorer/ui/compare/gestures.py": "a user types it",
    "explorer/ui/hardware/commands.py": "a user types it",
}
# What is still to mend; an entry that is mended has to go, so that these only shrink.
KNOWN_LATE: set[str] = set()
KNOWN_CIRCLES: set[str] = set()  # one module of each


def test_no_modules_import_each_other(root: Path) -> None:
    """Imports inside functions and for types count: a circle hidden is a circle."""
    found = house.circles(house.graph(root))
    assert [circle for circle in found if not circle & KNOWN_CIRCLES] == []
    assert {module for module in KNOWN_CIRCLES if not any(module in circle for circle in found)} == set()


def test_no_folder_is_crowded(root: Path) -> None:
    assert house.crowded(root, MOST_MODULES) == {}


def test_no_class_name_is_used_twice(root: Path) -> None:
    assert house.repeated_classes(root) == {}


def test_functions_import_own_modules_only_for_the_start(root: Path) -> None:
    assert house.with_late_imports(root) == set(LATE) | KNOWN_LATE


def test_only_machines_reckon_with_the_number_of_devices(root: Path) -> None:
    assert house.reads_of(root, "count", HOLDS_DEVICES) == set(COUNTS)


def test_a_circle_is_found_through_other_modules_and_a_chain_is_none() -> None:
    assert house.circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
    assert house.circles({"a": {"b"}, "b": {"c"}}) == []


def test_late_imports_and_imports_for_types_are_seen() -> None:
    text = (
        "if TYPE_CHECKING:\n    from explorer.a import B\ndef f():\n    import explorer.c\n    from explorer import d\n"
    )
    found = list(house.imports(ast.parse(text), {"explorer.a", "explorer.c", "explorer.d"}))
    assert found == [("explorer.a", False), ("explorer.c", True), ("explorer.d", True)]
