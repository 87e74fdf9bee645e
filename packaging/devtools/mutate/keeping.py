"""Records made where they are missing, and kept for the next run."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from .pool import Job, run_all
from .project import Project, cache_folder
from .record import FileRecord, TestRecord
from .recording import load_marked, record_file

ALL_SECONDS = 3600
FILE_SECONDS = 240
MEMORY = 8 << 30
RAN = {0, 1, 5}  # pytest's codes: all passed, some failed, none chosen


def records(original: Project, copy: Project, scratch: Path, at_once: int, say: Callable[[str], None]) -> FileRecord:
    """The record of every test: from the cache as long as neither the program nor the test file has changed."""
    folder = cache_folder(original.digest())
    files = {file: folder / kept_name(original.root, file) for file in original.test_files()}
    missing = [file for file, kept in files.items() if not kept.exists()]
    if missing:
        say(f"Noting what {len(missing)} test files pass; it is kept for the next run in {folder}")
        make(original, copy, {file: files[file] for file in missing}, scratch, at_once)
    return {name: test for kept in files.values() if kept.exists() for name, test in load(kept).items()}


def kept_name(root: Path, file: Path) -> str:
    digest = hashlib.sha256((root / file).read_bytes()).hexdigest()[:16]
    return f"{'.'.join(file.with_suffix('').parts)}-{digest}.json"


def make(original: Project, copy: Project, files: dict[Path, Path], scratch: Path, at_once: int) -> None:
    """In a child of its own, for it loads the program, which this process must not."""

    def work() -> int:
        hits = load_marked(copy, original.root)
        for ended in run_all(file_jobs(copy, hits, files, scratch), at_once):
            print(f"{ended.seconds:6.1f} s, code {ended.code}: {ended.job.name}", flush=True)
        return 0

    output = scratch / "recording.txt"
    for ended in run_all([Job("recording", work, ALL_SECONDS, output)], 1):
        if ended.code:
            raise RuntimeError(f"recording failed:\n{output.read_text()}")


def file_jobs(copy: Project, hits: dict[str, bytearray], files: dict[Path, Path], scratch: Path) -> Iterator[Job]:
    largest_first = sorted(files, key=lambda file: (copy.root / file).stat().st_size, reverse=True)
    for number, file in enumerate(largest_first):

        def work(file: Path = file, number: int = number) -> int:
            code, found = record_file(copy, hits, file, scratch / f"record-{number}")
            if code in RAN:
                keep(files[file], found)
            return code

        yield Job(str(file), work, FILE_SECONDS, scratch / f"record-{number}.txt", MEMORY)


def keep(path: Path, record: FileRecord) -> None:
    """Numbers in hexadecimal: reading long decimal ones takes long."""
    plain = {
        name: {"seconds": test.seconds, "passed": {module: f"{marks:x}" for module, marks in test.passed.items()}}
        for name, test in record.items()
    }
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(plain))
    unfinished.replace(path)


def load(path: Path) -> FileRecord:
    return {
        name: TestRecord(plain["seconds"], {module: int(marks, 16) for module, marks in plain["passed"].items()})
        for name, plain in json.loads(path.read_text()).items()
    }
