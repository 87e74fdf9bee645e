"""What each command of dev.py takes: its words are explained or refused before anything is installed or done."""

import argparse
import os
from pathlib import Path
from typing import NoReturn

from devtools.project import ROOT

PROGRAM = "python3 packaging/dev.py"


class Words(argparse.ArgumentParser):
    """The words of one command; a fault in them is one line."""

    def __init__(self, command: str, does: str, *, takes: str | None = None) -> None:
        usage = None if takes is None else f"{PROGRAM} {command} {takes}"
        said = f"{does[0].upper()}{does[1:]}."
        super().__init__(f"{PROGRAM} {command}", usage=usage, description=said, allow_abbrev=False)
        self.color = False  # from 3.14 on; the usage of all commands is made of theirs
        self.command, self.does, self.takes = command, does, takes

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())}; --help tells what it takes.\n")

    @property
    def row(self) -> tuple[str, str]:
        """The command with its words, and what it does."""
        words = self.takes or " ".join(self.format_usage().split()).partition("[-h]")[2]
        return f"{self.command} {words.strip()}".rstrip(), self.does


RUN = Words("run", "start the program", takes="[STUDY or command]")
TEST = Words("test", "run the tests", takes="[pytest arguments]")
TEST.epilog = "The words are pytest's: a folder or file, -x, -k NAME, -m torch."
BENCH = Words("bench", "time the program against its limits", takes="[--busy] [pytest arguments]")
BENCH.epilog = "--busy: beside loops that occupy every core. Other words are pytest's."
BUILD = Words("build", "pack the program into dist/ and check the packed one")
SMOKE_TEST = Words("smoke-test", "check the packed program")
SMOKE_TEST.add_argument(
    "folder", nargs="?", type=Path, default=ROOT / "dist", metavar="FOLDER", help="where build has packed it: dist/"
)
WHEEL = Words("wheel", "make the wheel that pip installs")
WHEEL.add_argument(
    "folder", nargs="?", type=Path, default=ROOT / "dist", metavar="FOLDER", help="where to put it: dist/"
)
SCREENSHOTS = Words("screenshots", "draw every view and dialog, light and dark, 1x and 2x")
SCREENSHOTS.add_argument(
    "folder",
    nargs="?",
    type=Path,
    default=ROOT / "dist" / "screenshots",
    metavar="FOLDER",
    help="where to put the pictures: dist/screenshots/",
)
SCREENSHOTS.add_argument("--readme", action="store_true", help="draw the README's pictures anew, and no others")
SCREENSHOTS.add_argument("--contact", action="store_true", help="put them on contact sheets too")
SCREENSHOTS.add_argument("--scale", choices=("1", "2"), help=argparse.SUPPRESS)  # a child's share of the pictures
EXAMPLES = Words("examples", "write the example studies anew, with the devices as the database has them now")
MUTATE = Words(
    "mutate", "put small faults into the program and see whether the tests notice them", takes="[--seed N] [options]"
)
MUTATE.add_argument("--seed", type=int, default=1, metavar="N", help="which sample of faults (1)")
MUTATE.add_argument("--count", type=int, default=200, metavar="N", help="how many faults (200)")
MUTATE.add_argument(
    "--minutes", type=float, default=60, metavar="N", help="start no further fault after this time of trying (60)"
)
MUTATE.add_argument(
    "--only", nargs="+", default=(), metavar="PATH", help="only modules with one of these in their paths"
)
MUTATE.add_argument("--again", action="store_true", help="only what the last run with this seed and count left over")
MUTATE.add_argument("--report", type=Path, metavar="FILE", help="write the table and the survivors to a file too")
MUTATE.add_argument(
    "--at-once", type=int, default=os.cpu_count() or 1, metavar="N", help="how many at a time (one for each core)"
)
MUTATE.add_argument(
    "--start", type=float, default=12, metavar="N", help="seconds that a fault may take beside its tests' (12)"
)
MUTATE.add_argument("--least", type=float, default=90, metavar="N", help="percent that are to be noticed (90)")
