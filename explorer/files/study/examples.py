"""Example studies that come with the program; the first one opens with it."""

from pathlib import Path
from typing import Final

import msgspec

from explorer.analysis.study.study import Study
from explorer.files.disk.faults import convert
from explorer.files.disk.text import read_text
from explorer.files.disk.yaml_text import load_mapping
from explorer.files.resources import resource_root
from explorer.files.study.study import SUFFIX, read_study

_LIMIT: Final = 100_000
OPENING: Final = "llama-8b-decode"


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One example: its id is its file's name, its titles stand in the menu."""

    id: str
    en: str
    zh: str

    @property
    def path(self) -> Path:
        """The study's file."""
        return example_path(self.id)

    def title(self, language: str = "en") -> str:
        """The title in a language of the program; English where it has none."""
        return self.zh if language.startswith("zh") else self.en


def example_studies() -> tuple[Example, ...]:
    """Every example, in the order of the menu."""
    listed = load_mapping(read_text(_folder() / "index.yaml", _LIMIT)).get("examples")
    return convert(listed, tuple[Example, ...], "examples")


def example_path(name: str) -> Path:
    """The file of an example."""
    return _folder() / f"{name}{SUFFIX}"


def opening_study() -> Study:
    """The study that the program opens with."""
    return read_study(example_path(OPENING))


def _folder() -> Path:
    return resource_root() / "resources" / "studies"
