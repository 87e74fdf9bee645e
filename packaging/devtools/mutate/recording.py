"""Which statements each test passes, and how long it takes."""

import functools
import gc
import importlib
import pkgutil
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from .loading import Marked, load_from
from .pool import work_seconds
from .project import Project
from .record import FileRecord, TestRecord
from .running import ALL, LEFT_OUT, run_pytest

LONGEST = 20  # seconds; longer tests are of no use here
DIGITS = b"01" + bytes(254)


class Recorder:
    """A plugin that notes what each test passes."""

    def __init__(self, hits: dict[str, bytearray], package: str) -> None:
        self.hits = hits
        self.package = package
        self.tests: dict[str, TestRecord] = {}
        self.failed: set[str] = set()
        self.shared: dict[str, int] = {}  # passed while making what the later tests of the file use too
        self.before: dict[str, int] = {}
        self.caches: list[Any] = []

    def pytest_collection_finish(self) -> None:
        """A remembered result would hide from the second test what it depends on."""
        own = (f"{self.package}.", "tests.")
        wrappers = [found for found in gc.get_objects() if isinstance(found, functools._lru_cache_wrapper)]  # noqa: SLF001
        self.caches = [found for found in wrappers if (getattr(found, "__module__", None) or "").startswith(own)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        for cache in self.caches:
            cache.cache_clear()
        self.before = {}
        self.take()
        started = work()
        result = yield
        seconds = work() - started
        self.tests[item.nodeid] = TestRecord(seconds, joined(self.shared, joined(self.before, self.take())))
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        if fixturedef.scope == "function":
            return (yield)
        self.before = joined(self.before, self.take())
        result = yield
        self.shared = joined(self.shared, self.take())
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def take(self) -> dict[str, int]:
        """The marks since the last time, as one number for each module; they start anew."""
        found = {}
        for module, marks in self.hits.items():
            if 1 in marks:
                found[module] = int(marks[::-1].translate(DIGITS), 2)
                marks[:] = bytes(len(marks))
        return found

    def record(self) -> FileRecord:
        return {name: test for name, test in self.tests.items() if name not in self.failed}


def work() -> float:
    """Seconds of the processors so far, those of programs that were started included."""
    return time.process_time() + work_seconds()


def joined(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {module: one.get(module, 0) | other.get(module, 0) for module in {*one, *other}}


def load_marked(project: Project, original: Path) -> dict[str, bytearray]:
    """Import the program with its marks."""
    finder = Marked(project.dotted_rooms)
    load_from(project.root, finder, instead_of=original)
    package = importlib.import_module(project.package)
    for module in pkgutil.walk_packages(package.__path__, f"{project.package}."):
        if module.name.startswith(project.dotted_rooms):
            importlib.import_module(module.name)
    return finder.hits


def record_file(project: Project, hits: dict[str, bytearray], file: Path, scratch: Path) -> tuple[int, FileRecord]:
    """Run one test file; pytest's exit code and what was recorded."""
    recorder = Recorder(hits, project.package)
    arguments = [ALL, "-m", LEFT_OUT, f"--timeout={LONGEST}", str(project.root / file)]
    return run_pytest(project.root, arguments, recorder, scratch), recorder.record()
