"""The command: choose faults, try each, say what survived."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from .project import ROOMS, Project

ROOT = Path(__file__).resolve().parents[3]
WANTED = 90


def main(arguments: Sequence[str]) -> int:
    """Do it; 0 where enough faults are noticed."""
    options = parser().parse_args(arguments)
    if not hasattr(os, "fork"):
        sys.exit("mutate needs a system that can fork: Linux or macOS.")
    return run(options)


def run(options: argparse.Namespace) -> int:
    """What is imported here exists on those systems alone."""
    from .pool import work_seconds
    from .report import rate, survivors, table
    from .session import Session, Wishes

    project = Project(options.root.resolve(), options.package, tuple(options.rooms))
    wishes = Wishes(**{wish.name: getattr(options, wish.name) for wish in fields(Wishes)})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # what was started ends too
    session = Session(project, wishes, say)
    verdicts = session.verdicts()
    report = "\n".join([*survivors(verdicts), table(verdicts)])
    if options.report:
        options.report.write_text(f"{report}\n")
    say(
        f"\n{report}\n\n{session.seconds:.0f} s, {work_seconds():.0f} s of work. {options.least:g} % are to be noticed."
    )
    return 0 if 100 * rate(verdicts) >= options.least else 1


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser("mutate", description=f"{__doc__} Exit code 1 where too few are noticed.")
    found.add_argument("--seed", type=int, default=1, help="which sample of faults (1)")
    found.add_argument("--count", type=int, default=200, help="how many faults (200)")
    found.add_argument(
        "--minutes", type=float, default=60, help="start no further fault after this time of trying (60)"
    )
    found.add_argument(
        "--only", nargs="+", default=(), metavar="PATH", help="only modules with one of these in their path"
    )
    found.add_argument("--again", action="store_true", help="only what the last run with this seed and count left over")
    found.add_argument("--report", type=Path, metavar="FILE", help="write the table and the survivors to a file too")
    found.add_argument(
        "--at-once", type=int, default=os.cpu_count() or 1, help="how many at a time (one for each core)"
    )
    found.add_argument("--start", type=float, default=12, help="seconds that a fault may take beside its tests' (12)")
    found.add_argument("--least", type=float, default=WANTED, help=f"percent that are to be noticed ({WANTED})")
    found.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    found.add_argument("--package", default="explorer", help=argparse.SUPPRESS)
    found.add_argument("--rooms", nargs="+", default=ROOMS, help=argparse.SUPPRESS)
    return found


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
