"""The commands of dev.py, each with the words it takes."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from devtools import environment, words
from devtools.project import PACKAGING, ROOT, VENV_PYTHON, Stop, absolute_only, call, say
from devtools.system import has_screen, need_packer_tools

NO_SCREEN = (
    "There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set); "
    "draw the figure instead: python3 packaging/dev.py run render -o figure.png"
)
OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
HELP = frozenset({"-h", "--help"})


def run(arguments: Sequence[str]) -> int:
    if opens_window(arguments) and not has_screen(os.environ):
        raise Stop(NO_SCREEN)
    environment.ensure("run")
    return call([VENV_PYTHON, "-P", "-m", "explorer", *arguments])


def opens_window(arguments: Sequence[str]) -> bool:
    """The window opens for nothing or a study; a first word of any other form is a command or an option."""
    return not arguments or arguments[0].endswith((".yaml", ".yml"))


def test(arguments: Sequence[str]) -> int:
    environment.ensure("develop")
    return pytest(arguments)


def bench(arguments: Sequence[str]) -> int:
    environment.ensure("develop")
    return pytest(["tests/benchmarks", "--bench", *arguments])


def pytest(arguments: Sequence[str]) -> int:
    chosen = os.environ.get("QT_QPA_PLATFORM")
    return call([VENV_PYTHON, "-m", "pytest", *arguments], {} if chosen else OFFSCREEN, cwd=ROOT)


def build(_arguments: Sequence[str]) -> int:
    environment.ensure("develop")
    need_packer_tools()
    say("Packing the program")
    places = ["--distpath", str(ROOT / "dist"), "--workpath", str(ROOT / "build")]
    quiet = ["--noconfirm", "--log-level", "WARN"]
    spec = PACKAGING / "roofline-explorer.spec"
    if code := call([VENV_PYTHON, "-P", "-m", "PyInstaller", *quiet, *places, spec], cwd=ROOT):
        return code
    return tool("devtools.smoke_test")([])


def tool(module: str) -> Callable[[Sequence[str]], int]:
    """A command that is a module of its own beside this package, run by the Python that has what it imports."""

    def start(arguments: Sequence[str]) -> int:
        environment.ensure("develop")
        paths = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(PACKAGING)])}
        return call([VENV_PYTHON, "-P", "-m", module, *arguments], OFFSCREEN | paths)

    return start


@dataclass(frozen=True)
class Command:
    """What a command does, and its words: its own, checked before it starts, or another program's."""

    words: words.Words
    does: Callable[[Sequence[str]], int]
    passes_on: bool = False
    own_help: bool = True  # else the program that gets the words explains them

    def __call__(self, arguments: Sequence[str]) -> int:
        if not self.passes_on:
            self.words.parse_args(arguments)
        elif self.own_help and HELP.intersection(arguments):
            self.words.parse_args(["--help"])
        return self.does(arguments)


COMMANDS = {
    command.words.command: command
    for command in (
        Command(words.RUN, run, passes_on=True, own_help=False),
        Command(words.TEST, test, passes_on=True),
        Command(words.BENCH, bench, passes_on=True),
        Command(words.BUILD, build),
        Command(words.SMOKE_TEST, tool("devtools.smoke_test")),
        Command(words.WHEEL, tool("devtools.wheel")),
        Command(words.SCREENSHOTS, tool("devtools.screenshots")),
        Command(words.EXAMPLES, tool("examples")),
        Command(words.MUTATE, tool("devtools.mutate")),
    )
}


def usage() -> str:
    rows = [command.words.row for command in COMMANDS.values()]
    width = max(len(taken) for taken, _ in rows) + 2
    lines = [f"  {taken:{width}}{does}" for taken, does in rows]
    return "\n".join([f"usage: {words.PROGRAM} COMMAND [ARGUMENTS]", "", *lines])


def main(arguments: Sequence[str]) -> int:
    """Do one command; return its exit code."""
    if arguments and arguments[0] in HELP:
        print(usage())
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        print(usage(), file=sys.stderr)
        return 2
    os.environ["PATH"] = absolute_only(os.environ.get("PATH", os.defpath))
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except Stop as stop:
        say(str(stop))
        return stop.code
    except KeyboardInterrupt:
        return 130
