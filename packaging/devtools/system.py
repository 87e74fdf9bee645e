"""What the operating system must bring: Qt's libraries, Python's venv, the packer's tools. Installed by apt as root."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path

from devtools.project import Stop, own_environment, say

# Debian's and Ubuntu's package of each library that PySide6's wheels expect on the machine.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
}
# xcb is the window under X11 and names its missing libraries wrongly; offscreen draws figures and runs the tests.
QT_BINARIES = ("Qt/plugins/platforms/libqxcb.so", "Qt/plugins/platforms/libqoffscreen.so")
WAYLAND_BINARIES = ("Qt/plugins/platforms/libqwayland.so",)


def missing_in(ldd_output: str) -> set[str]:
    """Return the sonames that a report of ldd calls not found."""
    return {line.split("=>")[0].strip() for line in ldd_output.splitlines() if line.rstrip().endswith("=> not found")}


def packages_for(libraries: Iterable[str]) -> list[str]:
    return sorted({PACKAGES[library] for library in libraries if library in PACKAGES})


def apt_line(packages: Iterable[str]) -> str:
    return "sudo apt-get install -y " + " ".join(sorted(packages))


def need_qt_libraries(pyside: Path) -> None:
    """Make sure that Qt can load its platforms; stop with the one line to type where it cannot."""
    if not sys.platform.startswith("linux") or shutil.which("ldd") is None:
        return
    if missing := missing_qt_libraries(pyside):
        need_packages(packages_for(missing), f"Qt lacks {', '.join(sorted(missing))}.")
        if still := missing_qt_libraries(pyside):
            raise Stop(f"Qt still lacks {', '.join(sorted(still))}: install them with the system's package manager.")


def missing_qt_libraries(pyside: Path) -> set[str]:
    names = QT_BINARIES + (WAYLAND_BINARIES if os.environ.get("WAYLAND_DISPLAY") else ())
    binaries = [str(path) for name in names if (path := pyside / name).exists()]
    report = subprocess.run(["ldd", *binaries], capture_output=True, text=True, check=False)
    return missing_in(report.stdout)


def need_venv_module() -> None:
    """Debian and Ubuntu leave ensurepip out of Python; without it there is no virtual environment with pip."""
    if importlib.util.find_spec("ensurepip") is None:
        qt_packages = packages_for(set(PACKAGES) - known_libraries()) if os.geteuid() != 0 else []
        need_packages([venv_package(Path(sys.executable)), *qt_packages], "This Python has no module ensurepip.")


def known_libraries() -> set[str]:
    """Return the sonames of the system, so that someone who is not root types one line and not a second one later."""
    if not Path("/sbin/ldconfig").exists():
        return set(PACKAGES)
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    return {line.split()[0] for line in listed.splitlines() if "=>" in line}


def venv_package(python: Path) -> str:
    """Return the package that completes this Python: the plain name for the system's default version."""
    if Path("/usr/bin/python3").resolve() == python.resolve():
        return "python3-venv"
    return f"python3.{sys.version_info.minor}-venv"


def need_packer_tools() -> None:
    """PyInstaller on Linux reads libraries with objdump, strips with strip and needs the shared libpython."""
    if not sys.platform.startswith("linux"):
        return
    missing = [] if shutil.which("objdump") and shutil.which("strip") else ["binutils"]
    if not shared_libpython_exists():
        missing.append(f"libpython3.{sys.version_info.minor}")
    if missing:
        need_packages(missing, "The packer lacks its tools.")


def shared_libpython_exists() -> bool:
    name = f"libpython3.{sys.version_info.minor}.so.1.0"
    folders = [sysconfig.get_config_var("LIBDIR") or "", f"{sysconfig.get_config_var('LIBDIR')}64"]
    folders.append(f"/usr/lib/{sysconfig.get_config_var('MULTIARCH')}")
    return any(Path(folder, name).exists() for folder in folders)


def need_packages(packages: list[str], why: str) -> None:
    """Install by apt where this is root; else stop with the line to type."""
    if shutil.which("apt-get") is None or not packages:
        raise Stop(f"{why} Install the missing parts with the system's package manager.")
    if os.geteuid() != 0:
        raise Stop(f"{why} Type: {apt_line(packages)}")
    say(f"{why} Installing {' '.join(packages)} by apt")
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        apt_get(command)


def apt_get(arguments: list[str]) -> None:
    environment = {**own_environment(os.environ), "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        ["apt-get", "-qq", *arguments],
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Stop(f"apt-get {arguments[0]} failed: {done.stderr.strip() or done.stdout.strip()}", done.returncode)


def has_screen(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether Qt can open a window: always on Windows and macOS; on Linux by a display or a platform chosen by name."""
    if not platform.startswith("linux"):
        return True
    return any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
