import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.hostile import Hostile

MODULES = ("dev_project", "dev_system", "dev_environment", "dev_commands")
LDD = """/somewhere/libqxcb.so:
\tlinux-vdso.so.1 (0x00007ffd)
\tlibxcb-icccm.so.4 => not found
\tlibxcb-keysyms.so.1 => not found
\tlibGL.so.1 => /lib/x86_64-linux-gnu/libGL.so.1 (0x00007f8e)
/somewhere/libqoffscreen.so:
\tlibxcb-keysyms.so.1 => not found
"""


class Dev:
    """The modules of dev.py, loaded from their files as a bare Python would."""

    project: Any
    system: Any
    environment: Any
    commands: Any


@pytest.fixture
def dev(root: Path, monkeypatch: pytest.MonkeyPatch) -> Dev:
    found = Dev()
    for name in MODULES:
        module = load(root / "packaging" / f"{name}.py")
        monkeypatch.setitem(sys.modules, name, module)
        setattr(found, name.removeprefix("dev_"), module)
        run(module)
    return found


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    return importlib.util.module_from_spec(spec)


def run(module: ModuleType) -> None:
    assert module.__spec__ is not None
    assert module.__spec__.loader is not None
    module.__spec__.loader.exec_module(module)


@pytest.fixture
def checkout(dev: Dev, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder of its own, so that no test touches the real environment."""
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text('[project]\ndependencies=["a>=1"]\n[project.optional-dependencies]\ndev=["b"]\n')
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("a==1.0\nb==2.0\n")
    venv = tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()
    values = {
        "VENV": venv,
        "VENV_PYTHON": venv / "bin" / "python",
        "PYPROJECT": pyproject,
        "CONSTRAINTS": constraints,
        "STAMP": venv / "installed.txt",
        "UNFINISHED": venv / "unfinished.txt",
    }
    for name, value in values.items():
        monkeypatch.setattr(dev.environment, name, value)
    return tmp_path


def test_libraries_that_ldd_does_not_find_are_named_once(dev: Dev) -> None:
    assert dev.system.missing_in(LDD) == {"libxcb-icccm.so.4", "libxcb-keysyms.so.1"}


def test_the_apt_line_names_the_packages_of_missing_libraries_and_can_be_typed(dev: Dev) -> None:
    packages = dev.system.packages_for(dev.system.missing_in(LDD) | {"libunknown.so.1"})
    assert dev.system.apt_line(packages) == "sudo apt-get install -y libxcb-icccm4 libxcb-keysyms1"


def test_someone_who_is_not_root_gets_one_line_to_type(dev: Dev, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev.system.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(dev.system.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(dev.project.Stop) as stop:
        dev.system.need_packages(["libegl1"], "Qt lacks libEGL.so.1.")
    assert str(stop.value) == "Qt lacks libEGL.so.1. Type: sudo apt-get install -y libegl1"


def test_a_system_without_apt_is_told_what_is_missing(dev: Dev, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev.system.shutil, "which", lambda _: None)
    with pytest.raises(dev.project.Stop, match=r"Qt lacks libEGL\.so\.1\. .*package manager"):
        dev.system.need_packages(["libegl1"], "Qt lacks libEGL.so.1.")


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf comes with binutils")
def test_every_library_that_qt_asks_of_this_machine_has_a_known_package(dev: Dev) -> None:
    import PySide6

    binaries = [Path(PySide6.__path__[0], name) for name in dev.system.QT_BINARIES]
    gui = Path(PySide6.__path__[0], "Qt", "lib", "libQt6Gui.so.6")
    read = subprocess.run(["readelf", "-d", *binaries, gui], capture_output=True, text=True, check=True).stdout
    needed = {line.split("[")[1].rstrip("]") for line in read.splitlines() if "(NEEDED)" in line}
    of_every_linux = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6"}
    unknown = {name for name in needed - of_every_linux if not name.startswith("libQt6")} - set(dev.system.PACKAGES)
    assert unknown == set()


def test_without_ensurepip_the_one_line_also_names_what_qt_will_need(dev: Dev, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev.system.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(dev.system.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(dev.system.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(dev.system, "known_libraries", lambda: set(dev.system.PACKAGES) - {"libEGL.so.1"})
    monkeypatch.setattr(dev.system, "venv_package", lambda _: "python3-venv")
    with pytest.raises(dev.project.Stop, match=r"Type: sudo apt-get install -y libegl1 python3-venv$"):
        dev.system.need_venv_module()


@pytest.mark.parametrize(
    ("variables", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_screen_is_there_where_qt_could_open_a_window(
    dev: Dev, variables: dict[str, str], platform: str, expected: bool
) -> None:
    assert dev.system.has_screen(variables, platform) is expected


@pytest.mark.parametrize("arguments", [[], ["mine.roofline.yaml"]])
def test_without_a_screen_the_window_is_refused_in_one_line_that_tells_how_to_render(
    dev: Dev, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev.commands, "has_screen", lambda _: False)
    assert dev.commands.main(["run", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "python3 packaging/dev.py run render -o figure.png" in said


@pytest.mark.parametrize("arguments", [["render", "-o", "x.png"], ["evaluate", "--json"], ["--help"]])
def test_commands_that_open_no_window_need_no_screen(
    dev: Dev, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[Any]] = []
    monkeypatch.setattr(dev.commands, "has_screen", lambda _: False)
    monkeypatch.setattr(dev.commands.dev_environment, "ensure", lambda _: None)
    monkeypatch.setattr(dev.commands, "call", lambda command: started.append(command) or 7)
    assert dev.commands.main(["run", *arguments]) == 7
    assert started[0][-len(arguments) :] == arguments


@pytest.mark.parametrize("word", ["instal", ""])
def test_an_unknown_command_prints_the_usage_and_exits_with_2(
    dev: Dev, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.commands.main([word]) == 2
    assert "screenshots" in capsys.readouterr().err


def test_settings_that_lead_into_another_installation_do_not_reach_the_program(dev: Dev) -> None:
    given = {"PYTHONPATH": "/other", "VIRTUAL_ENV": "/other", "PYTHONHOME": "/x", "PIP_TARGET": "/x", "LANG": "C"}
    own = dev.project.own_environment(given)
    assert own == {"PYTHONPATH": str(dev.project.ROOT), "PIP_USER": "0", "LANG": "C"}


def test_running_needs_only_what_the_program_imports_and_developing_needs_all(dev: Dev, checkout: Path) -> None:
    assert dev.environment.requirements("run") == ["a>=1"]
    assert dev.environment.requirements("develop") == ["a>=1", "b"]


def test_the_stamp_changes_with_pins_and_dependencies_but_not_with_other_settings(dev: Dev, checkout: Path) -> None:
    first = dev.environment.stamp("run")
    pyproject = dev.environment.PYPROJECT
    pyproject.write_text(pyproject.read_text() + "[tool.ruff]\nline-length=100\n")
    assert dev.environment.stamp("run") == first
    pyproject.write_text(pyproject.read_text().replace("a>=1", "a>=2"))
    second = dev.environment.stamp("run")
    dev.environment.CONSTRAINTS.write_text("a==2.0\n")
    assert len({first, second, dev.environment.stamp("run"), dev.environment.stamp("develop")}) == 4


def test_a_stamped_environment_is_left_as_it_is(dev: Dev, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dev.environment.STAMP.write_text(dev.environment.stamp("run"))
    monkeypatch.setattr(dev.environment, "install", lambda _: pytest.fail("installed again"))
    monkeypatch.setattr(dev.environment, "need_qt_libraries", lambda _: None)
    dev.environment.ensure("run")


def test_an_environment_that_can_run_is_completed_for_developing(
    dev: Dev, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels: list[str] = []
    dev.environment.STAMP.write_text(dev.environment.stamp("run"))
    monkeypatch.setattr(dev.environment, "sound", lambda: True)
    monkeypatch.setattr(dev.environment, "install", levels.append)
    monkeypatch.setattr(dev.environment, "need_qt_libraries", lambda _: None)
    dev.environment.ensure("develop")
    dev.environment.ensure("develop")
    dev.environment.ensure("run")
    assert levels == ["develop"]


def test_an_interrupted_environment_is_made_anew(dev: Dev, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remains = dev.environment.VENV / "half-unpacked-package"
    remains.touch()
    dev.environment.STAMP.write_text(dev.environment.stamp("run"))
    dev.environment.UNFINISHED.touch()
    monkeypatch.setattr(dev.environment, "sound", lambda: True)
    monkeypatch.setattr(dev.environment.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "", ""))
    monkeypatch.setattr(dev.environment, "need_qt_libraries", lambda _: None)
    dev.environment.ensure("run")
    assert not remains.exists()
    assert not dev.environment.UNFINISHED.exists()
    assert dev.environment.installed() == set(), "the stand-in made no Python, so nothing counts as installed"


def test_a_failed_installation_leaves_the_mark_that_makes_the_next_start_begin_anew(
    dev: Dev, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev.environment, "sound", lambda: True)
    monkeypatch.setattr(dev.environment.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1, "", ""))
    with pytest.raises(dev.project.Stop):
        dev.environment.ensure("run")
    assert dev.environment.UNFINISHED.exists()


def test_debians_default_python_is_completed_by_the_package_of_the_plain_name(
    dev: Dev, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = Path("/usr/bin/python3")
    assert dev.system.venv_package(default) == "python3-venv"
    assert dev.system.venv_package(tmp_path / "python3.99") == f"python3.{sys.version_info.minor}-venv"


def test_a_python_that_is_too_old_is_told_so_in_one_line_before_anything_else_is_read(root: Path) -> None:
    program = (root / "packaging" / "dev.py").read_text(encoding="utf-8")
    old = "import sys; sys.version_info = (3, 8, 10, 'final', 0); exec(sys.stdin.read())"
    done = subprocess.run([sys.executable, "-c", old], input=program, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer; this is Python 3.8" in done.stderr


def test_the_first_file_can_be_read_by_old_pythons(root: Path) -> None:
    import ast

    ast.parse((root / "packaging" / "dev.py").read_text(encoding="utf-8"), feature_version=(3, 4))


def test_every_dependency_is_pinned(root: Path) -> None:
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {key(text) for text in project["dependencies"] + project["optional-dependencies"]["dev"]}
    lines = (root / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {key(line) for line in lines if "==" in line}
    assert wanted - pinned == set()


def key(requirement: str) -> str:
    import re

    name = re.match(r"[\w.-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name.group()).lower()


def test_the_program_that_dev_starts_runs_nothing_of_the_folder_one_works_in(
    dev: Dev, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    hostile = Hostile(tmp_path / "hostile")
    monkeypatch.chdir(hostile.folder)
    for name, value in hostile.environment(PYTHONPATH=".").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(dev.environment, "ensure", lambda _level: None)
    monkeypatch.setattr(dev.commands, "VENV_PYTHON", Path(sys.executable))
    assert dev.commands.main(["run", "hardware", "none-such"]) == 2
    assert "No device is named" in capfd.readouterr().err
    assert dev.commands.main(["run", "measure", "s.roofline.yaml", "--python", sys.executable]) == 2
    assert "has no torch" in capfd.readouterr().err
    assert hostile.ran == []


def test_every_python_that_dev_starts_elsewhere_than_in_the_checkout_is_kept_from_the_folder_one_works_in(
    dev: Dev, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[list[str]] = []

    def record(line: list[Any], **more: Any) -> subprocess.CompletedProcess[str]:
        if more.get("cwd") != dev.project.ROOT:
            lines.append(list(map(str, line)))
        return subprocess.CompletedProcess(line, 0, "", "")

    (checkout / ".venv" / "pyvenv.cfg").write_text(str(checkout / ".venv"), encoding="utf-8")
    monkeypatch.setattr(dev.environment.subprocess, "run", record)
    monkeypatch.setattr(dev.environment, "need_venv_module", lambda: None)
    monkeypatch.setattr(dev.commands, "call", lambda line, _extra=None, cwd=None: record(line, cwd=cwd).returncode)
    monkeypatch.setattr(dev.commands, "need_packer_tools", lambda: None)
    monkeypatch.setattr(dev.environment, "ensure", lambda _level: None)
    assert dev.environment.sound()
    dev.environment.install("run")
    (checkout / ".venv" / "pyvenv.cfg").unlink()
    dev.environment.make_venv()
    for command in ("run", "test", "bench", "build", "screenshots"):
        assert dev.commands.main([command]) in {0, 2}
    pythons = [line for line in lines if not line[1].endswith(".py")]  # a script's own folder is first on its path
    assert len(pythons) >= 4
    assert [line for line in pythons if line[1] != "-P"] == []
