"""Damaged files by the thousand: each is read or refused in words, and in little time.

By hand: python -m tests.fuzz_readers [--seed 1] [--count 5000] [FOLDER ...]; files of the folders are samples too.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.problem import Refused
from explorer.files.detect import detect
from explorer.files.importers import read_measurements, recognised
from explorer.files.models.model_file import read_model
from explorer.files.study.study import read_study
from explorer.presentation.words.messages import render_problem
from tests.files.worst_cases import CASES

SLOW_S = 0.5
LARGEST = 300_000
SPICE = (
    *(b"\0", b"\n", b'"', b",", b"|", b"{", b"}", b"[", b"]", b"'", b"''", b" ", b"\t", b"\r", b"\x85", b"\xff"),
    *(
        b"\xef\xbb\xbf",
        b"1e999",
        b"-1",
        b"9" * 400,
        b"nan",
        b"null",
        b"\\ud800",
        b"\\u0000",
        b"\xe2\x80\xa8",
        b"\x1b[2J",
    ),
)
READERS: tuple[Callable[[Path], object], ...] = (recognised, read_measurements, detect, read_model, read_study)


def samples(folders: Iterable[Path]) -> list[bytes]:
    """A small file of every kind, and what lies in the folders."""
    found = [case(2_000) for cases in CASES.values() for case in cases.values()]
    for folder in folders:
        found += [p.read_bytes()[:LARGEST] for p in sorted(folder.rglob("*")) if p.is_file()]
    return found


def damaged(data: bytes, dice: random.Random) -> bytes:
    """A sample with some faults: cut, flipped, repeated, spiced."""
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data) + 1)
        span = data[at : at + dice.choice((1, 8, 60, 400))]
        data = {
            0: lambda: data[:at],  # noqa: B023 - called at once
            1: lambda: data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :],  # noqa: B023
            2: lambda: data[:at] + span * dice.choice((2, 20, 500)) + data[at:],  # noqa: B023
            3: lambda: data[:at] + dice.choice(SPICE) * dice.choice((1, 1, 3, 2_000)) + data[at:],  # noqa: B023
            4: lambda: data[:at] + data[at + len(span) :],  # noqa: B023
            5: lambda: data[at:] + data[:at],  # noqa: B023
        }[dice.randrange(6)]()[:LARGEST]
    return data


def judged(path: Path) -> list[str]:
    """What is wrong with how a file was answered."""
    faults = []
    for read in READERS:
        name = getattr(read, "__name__", "reader")
        started = time.process_time()
        try:
            read(path)
        except Refused as refused:
            faults += [f"{name}: no sentence" for p in refused.problems if not render_problem(p)]
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            faults.append(f"{name}: {error!r}")
        if (took := time.process_time() - started) > SLOW_S:
            faults.append(f"{name}: {took:.2f} s")
    return faults


def fuzz(seed: int, count: int, folders: Iterable[Path], folder: Path) -> list[str]:
    """Faults of `count` damaged files; each such file is kept in the folder."""
    known, dice, faults = samples(folders), random.Random(seed), []  # noqa: S311 - must repeat
    path = folder / "fuzzed.json"
    for number in range(count):
        path.write_bytes(damaged(dice.choice(known), dice))
        if wrong := judged(path):
            kept = path.rename(folder / f"{seed}-{number}.json")
            faults.append(f"{kept}: {'; '.join(wrong)}")
    return faults


def main() -> int:
    """Say every fault; 1 where there was any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("folders", nargs="*", type=Path)
    asked = parser.parse_args()
    faults = fuzz(asked.seed, asked.count, asked.folders, Path(tempfile.mkdtemp(prefix="fuzz-readers-")))
    sys.stdout.write("\n".join([*faults, f"{len(faults)} of {asked.count}"]) + "\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
