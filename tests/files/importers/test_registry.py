"""Importers are declared values: each file declares one, the registry lists them all, texts name them all."""

from pathlib import Path

import pytest

from explorer.analysis.problem import Problem
from explorer.files import importers
from explorer.files.importers import registry
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.presentation.words.messages import render_problem

PLACE = Path(importers.__path__[0])


def test_every_declared_importer_is_in_the_registry() -> None:
    declaring = [p for p in PLACE.rglob("*.py") if "\nIMPORTER: " in p.read_text(encoding="utf-8")]
    assert len(declaring) == len(registry.IMPORTERS)


def test_no_tool_is_declared_twice() -> None:
    assert len({importer.tool for importer in registry.IMPORTERS}) == len(registry.IMPORTERS)


@pytest.mark.parametrize("importer", registry.IMPORTERS, ids=lambda importer: importer.tool)
def test_lists_of_readable_files_name_every_tool(importer, root) -> None:
    assert importer.words in render_problem(Problem("import.unknown", values={"file": "x"}))
    assert importer.words in " ".join((root / "README.md").read_text(encoding="utf-8").split())
