import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from devtools import project, system

LDD = """/somewhere/libqxcb.so:
\tlinux-vdso.so.1 (0x00007ffd)
\tlibxcb-icccm.so.4 => not found
\tlibxcb-keysyms.so.1 => not found
\tlibGL.so.1 => /lib/x86_64-linux-gnu/libGL.so.1 (0x00007f8e)
/somewhere/libqoffscreen.so:
\tlibxcb-keysyms.so.1 => not found
"""


def test_libraries_that_ldd_does_not_find_are_named_once() -> None:
    assert system.missing_in(LDD) == {"libxcb-icccm.so.4", "libxcb-keysyms.so.1"}


def test_the_apt_line_names_the_packages_of_missing_libraries_and_can_be_typed() -> None:
    packages = system.packages_for(system.missing_in(LDD) | {"libunknown.so.1"})
    assert system.apt_line(packages) == "sudo apt-get install -y libxcb-icccm4 libxcb-keysyms1"


def test_someone_who_is_not_root_gets_one_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(project.Stop) as stop:
        system.need_packages(["libegl1"], "Qt lacks libEGL.so.1.")
    assert str(stop.value) == "Qt lacks libEGL.so.1. Type: sudo apt-get install -y libegl1"


def test_a_system_without_apt_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system.shutil, "which", lambda _: None)
    with pytest.raises(project.Stop, match=r"Qt lacks libEGL\.so\.1\. .*package manager"):
        system.need_packages(["libegl1"], "Qt lacks libEGL.so.1.")


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf comes with binutils")
def test_every_library_that_qt_asks_of_this_machine_has_a_known_package() -> None:
    import PySide6

    binaries = [Path(PySide6.__path__[0], name) for name in system.QT_BINARIES]
    gui = Path(PySide6.__path__[0], "Qt", "lib", "libQt6Gui.so.6")
    read = subprocess.run(["readelf", "-d", *binaries, gui], capture_output=True, text=True, check=True).stdout
    needed = {line.split("[")[1].rstrip("]") for line in read.splitlines() if "(NEEDED)" in line}
    of_every_linux = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6"}
    unknown = {name for name in needed - of_every_linux if not name.startswith("libQt6")} - set(system.PACKAGES)
    assert unknown == set()


def test_without_ensurepip_the_one_line_also_names_what_qt_will_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(system.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(system, "known_libraries", lambda: set(system.PACKAGES) - {"libEGL.so.1"})
    monkeypatch.setattr(system, "venv_package", lambda _: "python3-venv")
    with pytest.raises(project.Stop, match=r"Type: sudo apt-get install -y libegl1 python3-venv$"):
        system.need_venv_module()


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
    variables: dict[str, str], platform: str, expected: bool
) -> None:
    assert system.has_screen(variables, platform) is expected


def test_debians_default_python_is_completed_by_the_package_of_the_plain_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = Path("/usr/bin/python3")
    assert system.venv_package(default) == "python3-venv"
    assert system.venv_package(tmp_path / "python3.99") == f"python3.{sys.version_info.minor}-venv"
