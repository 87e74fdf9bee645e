"""What a command line asks for, as parts of a study: a model, devices, six numbers."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.check import quick_problems
from explorer.analysis.study.edits import unique_id
from explorer.analysis.study.study import HardwareEntry, ModelEntry, QuickModel, Study
from explorer.files.disk.faults import led_by_name
from explorer.files.disk.places import is_folder, may_exist
from explorer.files.disk.text import printable
from explorer.files.hardware.devices import find_device, read_device
from explorer.files.models.find_model import find_model
from explorer.files.typed.cells import read_number
from explorer.files.typed.typed_hardware import device_typed
from explorer.presentation.quantities.quantity import read_size

_NEEDED: Final = ("params", "layers", "kv_heads", "head_dim")
_FIGURES: Final = (*_NEEDED, "file_bytes")
_KNOWN: Final = (*_FIGURES, "weights", "kv")
_LARGEST: Final = 1e18
_ENDINGS: Final = frozenset({".yaml", ".yml"})


def named_model(text: str, study: Study, catalogue: Catalogue) -> ModelEntry:
    """The model a text means, of the study, of the presets or from a file; raise Refused."""
    presets = (p for p in catalogue.presets if all(m.name != p.name for m in study.models))
    return find_model(text, (*study.models, *presets))


def named_devices(texts: Iterable[str], study: Study, catalogue: Catalogue) -> tuple[HardwareEntry, ...]:
    """The devices that texts mean, each an unambiguous part of a name or a hardware file; none twice.

    Raises
    ------
    Refused
        A text fits no device, or several, or its file has faults.
    """
    own = {e.device.id: e for e in study.hardware}
    known = (*(e.device for e in own.values()), *(d for d in catalogue.devices if d.id not in own))
    devices = {(d.id, d.capacity): d for d in (named_device(t, known) for t in texts)}  # sizes of one stand apart
    entries = [_entry(d, own.get(d.id)) for d in devices.values()]
    taken: list[str] = []
    for entry in entries:
        taken.append(unique_id(entry.id, taken))
    return tuple(replace(e, id=i) for e, i in zip(entries, taken, strict=True))


def _entry(device: Device, own: HardwareEntry | None) -> HardwareEntry:
    """A device as the study has it, where it does and no file replaces it."""
    if own is not None and own.device is device:
        return replace(own, visible=True)
    return HardwareEntry(id=device.id, device=device)


def named_device(text: str, known: Sequence[Device]) -> Device:
    """The device that a text means: part of a name, a hardware file, or its figures; raise Refused."""
    path = Path(text)
    if path.suffix.lower() not in _ENDINGS and not _is_file(path):
        return device_typed(text) or find_device(known, text)
    with led_by_name(path):
        return read_device(path)


def quick_model_from(text: str) -> QuickModel:
    """A quick model from `params=13e9,layers=32,kv_heads=32,head_dim=128`, with `weights`, `kv` and `file_bytes`.

    Raises
    ------
    Refused
        A figure is missing, unknown, no number, or cannot be.
    """
    pairs = [_pair(part) for part in text.split(",") if part.strip()]
    given = dict(pairs)
    if twice := [name for name, _ in pairs if [n for n, _ in pairs].count(name) > 1]:
        raise Refused(Problem("quick.twice", values={"name": twice[0]}))
    if missing := [name for name in _NEEDED if name not in given]:
        raise Refused(Problem("quick.missing", values={"names": ", ".join(missing)}))
    figures = {name: _figure(name, given[name]) for name in _FIGURES if name in given}
    whole = {name: int(figures.pop(name)) for name in _NEEDED[1:]}
    formats = {name: given[name] for name in ("weights", "kv") if name in given}
    quick = QuickModel(**figures, **whole, **formats)  # type: ignore[arg-type]  # by their names
    if problems := tuple(quick_problems(quick)):
        raise Refused(*problems)
    return quick


def _pair(part: str) -> tuple[str, str]:
    name, equals, value = (p.strip() for p in part.partition("="))
    if name not in _KNOWN or not equals or not value:
        raise Refused(Problem("quick.unknown", values={"text": printable(part.strip()), "known": ", ".join(_KNOWN)}))
    return name, value


def _figure(name: str, text: str) -> float:
    try:
        value = read_size(text) if name == "file_bytes" else read_number(text, billions=name == "params")
    except Refused:
        value = 0.0
    if not 0 < value <= _LARGEST or (name in _NEEDED[1:] and not value.is_integer()):
        code = "quick.size" if name == "file_bytes" else "quick.figure"
        raise Refused(Problem(code, values={"name": name, "text": printable(text)}))
    return value


def _is_file(path: Path) -> bool:
    return may_exist(path) and not is_folder(path)
