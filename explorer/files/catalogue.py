"""What the program knows out of the box, read from its own data files."""

from pathlib import Path
from typing import Final

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.files.disk.faults import convert
from explorer.files.disk.text import read_text
from explorer.files.disk.yaml_text import load_mapping
from explorer.files.hardware.devices import load_devices
from explorer.files.models.presets import load_presets
from explorer.files.resources import resource_root

_LIMIT: Final = 1_000_000


def load_catalogue(*, devices: bool = True, presets: bool | None = None, root: Path | None = None) -> Catalogue:
    """Return number formats, operator kinds and, unless left for later, hardware and presets (which come with it)."""
    base = root or resource_root()
    formats = _part(base / "resources" / "formats.yaml", "formats")
    kinds = _part(base / "resources" / "operators.yaml", "kinds")
    return Catalogue(
        formats=convert(formats, tuple[NumberFormat, ...], "formats"),
        kinds=convert(kinds, tuple[OperatorKind, ...], "kinds"),
        devices=load_devices(database_folder(base)) if devices else (),
        presets=load_presets(base) if (devices if presets is None else presets) else (),
    )


def database_folder(root: Path | None = None) -> Path:
    """The folder of the devices that come with the program."""
    return (root or resource_root()) / "hardware"


def _part(path: Path, key: str) -> object:
    return load_mapping(read_text(path, _LIMIT)).get(key)
