"""What is mutated and against what, and the copy of the checkout in which it happens."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .source import Source

ROOMS = ("analysis", "presentation", "plot", "files", "document")
NOT_RUN = {
    "benchmarks": "their limits are of time",
    "packaging": "is about the tools",
    "bench": "starts workers of its own, and tests another room",
    "hardware": "compares data with published figures",
}
NOT_COPIED = (".git", ".venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")


@dataclass(frozen=True)
class Project:
    """A checkout, its package and the rooms of it that faults are put into."""

    root: Path
    package: str = "explorer"
    rooms: tuple[str, ...] = ROOMS

    @property
    def dotted_rooms(self) -> tuple[str, ...]:
        return tuple(f"{self.package}.{room}" for room in self.rooms)

    def sources(self) -> list[Source]:
        """The modules of the rooms, in the order of their names."""
        found = [path for room in self.rooms for path in (self.root / self.package / room).rglob("*.py")]
        return [Source(self.module(path), path) for path in sorted(found)]

    def module(self, path: Path) -> str:
        parts = path.relative_to(self.root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def test_files(self) -> list[Path]:
        """Relative paths of the test files that are run."""
        found = sorted((self.root / "tests").rglob("test_*.py"))
        paths = [path.relative_to(self.root) for path in found]
        return [path for path in paths if len(path.parts) == 2 or path.parts[1] not in NOT_RUN]

    def digest(self) -> str:
        """Of all that the record of every test depends on: program, data, what tests share, and how it is made."""
        total = hashlib.sha256()
        for path in sorted(self._shared_files()):
            total.update(str(path.relative_to(self.root)).encode() + b"\0" + path.read_bytes() + b"\0")
        for name in ("loading", "numbering", "recording"):
            total.update(Path(__file__).with_name(f"{name}.py").read_bytes())
        return total.hexdigest()[:24]

    def _shared_files(self) -> Iterator[Path]:
        for folder in (self.package, "resources", "hardware", "tests"):
            for path in (self.root / folder).rglob("*"):
                own = path.name.startswith("test_") and path.suffix == ".py"
                if path.is_file() and path.suffix != ".pyc" and not own and "__pycache__" not in path.parts:
                    yield path

    @contextmanager
    def copied(self) -> Iterator["Project"]:
        """The same project in a folder of its own, with no folder of cases beside it."""
        with tempfile.TemporaryDirectory(prefix="mutate-", ignore_cleanup_errors=True) as scratch:
            root = Path(scratch).resolve() / "copy" / "checkout"
            shutil.copytree(self.root, root, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
            yield Project(root, self.package, self.rooms)


def cache_folder(digest: str) -> Path:
    """Where records are kept between runs, outside of any checkout; older ones go."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "roofline-explorer-mutate"
    folder = base / digest
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for old in sorted(base.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[6:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder
