"""What the program knows out of the box, read from its own data files."""

from pathlib import Path
from typing import Final

from explorer.analysis.catalogue import Catalogue
from explorer.analysis.formats import NumberFormat
from explorer.analysis.kinds import OperatorKind
from explorer.files.devices import load_devices
from explorer.files.faults import convert
from explorer.files.presets import load_presets
from explorer.files.resources import resource_root
from explorer.files.text import read_text
from explorer.files.yaml_text import load_mapping

_LIMIT: Final = 1_000_000


def load_catalogue(*, devices: bool = True, presets: bool | None = None, root: Path | None = None) -> Catalogue:
    """Return number formats, operator kinds and, unless left for later, hardware and presets (which come with it)."""
    base = root or resource_root()
    formats = _part(base / "resources" / "formats.yaml", "formats")
    kinds = _part(base / "resources" / "operators.yaml", "kinds")
    return Catalogue(
        formats=convert(formats, tuple[NumberFormat, ...], "formats"),
        kinds=convert(kinds, tuple[OperatorKind, ...], "kinds"),
        devices=load_devices(base / "hardware") if devices else (),
        presets=load_presets(base) if (devices if presets is None else presets) else (),
    )


def _part(path: Path, key: str) -> object:
    return load_mapping(read_text(path, _LIMIT)).get(key)
