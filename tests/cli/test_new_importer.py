"""An importer is one file and one line of the registry: registered, its files are known at every door."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.analysis.measured.imported import Ceiling, Imported
from explorer.files.detect import detect
from explorer.files.importers import registry
from explorer.files.importers.findings import Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText


def read(source: SourceText) -> Imported:
    found = Findings("dummy", "ceilings")
    for number, _ in enumerate(source.text().splitlines(), 1):
        found.skip(f"line {number}", "import.row", text="dummy")
    found.ceilings.append(Ceiling(level="DRAM", rate=2e9, name="all"))
    return found.imported()


DUMMY = Importer("dummy", "dummy", lambda source: source.start.startswith("# dummy tool"), read)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "measured.txt"
    path.write_text("# dummy tool\n", encoding="utf-8")
    return path


@pytest.fixture
def dummy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "IMPORTERS", (*registry.IMPORTERS, DUMMY))


@pytest.mark.usefixtures("dummy")
def test_a_registered_tools_file_is_read(run: Callable, file: Path) -> None:
    found = json.loads(run("import", file, "--json").out)
    assert (found["tool"], [c["rate_byte_per_s"] for c in found["ceilings"]], found["skipped"][0]["where"]) == (
        "dummy", [2e9], "line 1",
    )  # fmt: skip


@pytest.mark.usefixtures("dummy")
def test_a_registered_tools_file_is_told_from_others(file: Path) -> None:
    assert detect(file) == "measurements"


def test_an_unregistered_one_is_of_no_known_tool(refused: Callable[..., str], file: Path) -> None:
    assert "no measurement of a known tool" in refused("import", file)
