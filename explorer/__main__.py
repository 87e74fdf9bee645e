"""Entry point: `python -m explorer`, the installed command and the frozen program."""

import os  # loaded by every Python before this
import sys


def _own_path(paths: list[str], package: str) -> list[str]:
    """The path for modules without the folder one works in, which `python -m` puts first, unless we lie there.

    A study's folder may hold a json.py of a stranger's. What Python itself loads before this line it may find there:
    only `python -P -m`, as dev.py does it, shuts that out. The installed command's path begins with its own folder,
    but a variable may name the one worked in.
    """
    home = os.path.realpath(os.path.dirname(os.path.dirname(package)))  # noqa: PTH120 - pathlib is not ours yet
    whole = [p for p in paths if os.path.isabs(p)]  # noqa: PTH117
    try:
        here = os.path.realpath(os.getcwd())  # noqa: PTH109
    except OSError:  # a folder that is gone
        return whole
    return [p for p in whole if here == home or os.path.realpath(p) != here]


if not getattr(sys, "frozen", False):
    sys.path[:] = _own_path(sys.path, __file__)

import gc  # noqa: E402 - after the path is ours
from pathlib import Path  # noqa: E402

from explorer.analysis.problem import Problem, Refused  # noqa: E402
from explorer.cli.main import main as command_line  # noqa: E402

_TRACEBACK = "ROOFLINE_TRACEBACK"  # set to anything, failures of the program show where they come from


def main() -> int:
    """Run the command line; without a command it opens the window."""
    try:
        return command_line(sys.argv[1:], _window, _smoke_test)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        return _failed(error)


def _failed(error: Exception) -> int:
    """Say in one line that the program itself has failed, and where the report is."""
    from explorer.cli.parser import PROGRAM
    from explorer.files.disk.failure_log import log, log_folder, report_of
    from explorer.files.disk.text import printable
    from explorer.presentation.words.messages import Message, render
    from explorer.report.terminal import written

    path = log(report_of(error), log_folder())
    values = {"kind": type(error).__name__, "text": printable(str(error), 120), "file": str(path or "-")}
    if sys.stderr is not None:
        said = f"{PROGRAM}: {render(Message('cli.failed', values))}"
        print(written(said, sys.stderr), file=sys.stderr)
    return 1


def _window(study: Path | None) -> int:
    if _no_screen():
        raise Refused(Problem("cli.no_screen"))
    from explorer.files.disk.places import neutral_folder

    study = None if study is None else study.absolute()
    os.chdir(neutral_folder())  # what Qt and the desktop load or start by a bare name is not looked for beside a study
    gc.disable()  # collecting while modules and panels are made costs a tenth of the start; the window enables it
    from explorer.app import main as window

    return window(study)


def _no_screen() -> bool:
    """Whether Qt would abort for want of a display."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform.startswith("linux") and not any(os.environ.get(name) for name in named)


def _smoke_test(out: Path) -> int:
    from explorer.smoke import smoke_test

    return smoke_test(out)


if __name__ == "__main__":
    sys.exit(main())
