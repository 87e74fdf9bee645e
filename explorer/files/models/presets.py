"""Models that come with the program."""

from pathlib import Path
from typing import Final

from explorer.analysis.study.study import ModelEntry
from explorer.files.disk.faults import convert
from explorer.files.disk.text import read_text
from explorer.files.disk.yaml_text import load_mapping
from explorer.files.resources import resource_root

_LIMIT: Final = 1_000_000


def load_presets(root: Path | None = None) -> tuple[ModelEntry, ...]:
    """Every preset, in the order of their file."""
    path = (root or resource_root()) / "resources" / "presets.yaml"
    listed = load_mapping(read_text(path, _LIMIT)).get("presets")
    return convert(listed, tuple[ModelEntry, ...], "presets")
