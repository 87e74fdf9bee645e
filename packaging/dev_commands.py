"""The commands of dev.py: run, test, build, screenshots, bench."""

import os
import sys
from collections.abc import Callable, Sequence

import dev_environment
from dev_project import ROOT, VENV_PYTHON, Stop, absolute_only, call, say
from dev_system import has_screen, need_packer_tools

USAGE = """usage: python3 packaging/dev.py COMMAND [ARGUMENTS]

  run [STUDY or command]   start the program (arguments are the program's own)
  test [pytest arguments]  run the tests
  build                    pack the program into dist/ and check the packed one
  screenshots [FOLDER]     draw every view, light and dark, 1x and 2x
  bench [pytest arguments] time the program against its limits"""

NO_SCREEN = (
    "There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set); "
    "draw the figure instead: python3 packaging/dev.py run render -o figure.png"
)
OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}


def run(arguments: Sequence[str]) -> int:
    if opens_window(arguments) and not has_screen(os.environ):
        raise Stop(NO_SCREEN)
    dev_environment.ensure("run")
    return call([VENV_PYTHON, "-P", "-m", "explorer", *arguments])


def opens_window(arguments: Sequence[str]) -> bool:
    """The window opens for nothing or a study; a first word of any other form is a command or an option."""
    return not arguments or arguments[0].endswith((".yaml", ".yml"))


def test(arguments: Sequence[str]) -> int:
    dev_environment.ensure("develop")
    return pytest(arguments)


def bench(arguments: Sequence[str]) -> int:
    dev_environment.ensure("develop")
    return pytest(["tests/benchmarks", "--bench", *arguments])


def pytest(arguments: Sequence[str]) -> int:
    chosen = os.environ.get("QT_QPA_PLATFORM")
    return call([VENV_PYTHON, "-m", "pytest", *arguments], {} if chosen else OFFSCREEN, cwd=ROOT)


def build(arguments: Sequence[str]) -> int:
    dev_environment.ensure("develop")
    need_packer_tools()
    say("Packing the program")
    places = ["--distpath", str(ROOT / "dist"), "--workpath", str(ROOT / "build")]
    spec = ROOT / "packaging" / "roofline-explorer.spec"
    quiet = ["--noconfirm", "--log-level", "WARN"]
    if code := call([VENV_PYTHON, "-P", "-m", "PyInstaller", *quiet, *places, *arguments, spec], cwd=ROOT):
        return code
    return call([VENV_PYTHON, ROOT / "packaging" / "smoke_test.py", ROOT / "dist"], OFFSCREEN)


def screenshots(arguments: Sequence[str]) -> int:
    dev_environment.ensure("develop")
    return call([VENV_PYTHON, ROOT / "packaging" / "screenshots.py", *arguments], OFFSCREEN)


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": run,
    "test": test,
    "build": build,
    "screenshots": screenshots,
    "bench": bench,
}


def main(arguments: Sequence[str]) -> int:
    """Do one command; return its exit code."""
    if not arguments or arguments[0] not in COMMANDS:
        print(USAGE, file=sys.stdout if set(arguments) & {"-h", "--help"} else sys.stderr)
        return 0 if set(arguments) & {"-h", "--help"} else 2
    os.environ["PATH"] = absolute_only(os.environ.get("PATH", os.defpath))
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except Stop as stop:
        say(str(stop))
        return stop.code
    except KeyboardInterrupt:
        return 130
