"""Hardware files: read with every fault named, written in one step, found by any part of a name."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import fields

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.device_check import FORMAT, device_problems
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.atomic import write_atomically
from explorer.files.disk.faults import convert
from explorer.files.disk.text import checked, decode, printable, read_text
from explorer.files.disk.yaml_text import dump_yaml, load_mapping
from explorer.files.hardware.find_device import candidates, find_device

__all__ = [
    "LIMIT",
    "candidates",
    "device_of",
    "device_problems",
    "device_to_yaml",
    "each_device",
    "find_device",
    "load_devices",
    "load_user_devices",
    "read_device",
    "write_device",
]

LIMIT: Final = limits.DEVICE
_ALWAYS: Final = frozenset({"id", "name", "vendor", "level", "memory", "format", "accumulate"})
_ENDINGS: Final = frozenset({".yaml", ".yml"})


def read_device(source: str | bytes | Path) -> Device:
    """Return the device of a hardware file (a path) or of its text; raise Refused naming every fault."""
    return device_of(load_mapping(_text(source)))


def _text(source: str | bytes | Path) -> str:
    if isinstance(source, Path):
        return read_text(source, LIMIT)
    return checked(source, LIMIT) if isinstance(source, str) else decode(source, LIMIT)


def device_of(data: dict[str, object]) -> Device:
    """Return plain data as a device; raise Refused naming every fault of shape, or every fault of value."""
    version = data.get("format")
    if isinstance(version, int) and version > FORMAT:  # its keys may be unknown for good reason
        raise Refused(Problem("device.format", "format", {"got": printable(version), "known": FORMAT}))
    device = convert(data, Device)
    if problems := device_problems(device):
        raise Refused(*problems)
    return device


def device_to_yaml(device: Device) -> str:
    """Return the text of the device's hardware file."""
    return dump_yaml(_plain(device))


def _plain(value: msgspec.Struct) -> dict[str, object]:
    """The fields that say something, in order; defaults that a reader wants to see are written out."""
    written: dict[str, object] = {}
    for field in fields(value):
        item = getattr(value, field.name)
        if item is not None and (field.encode_name in _ALWAYS or item not in ("", (), {})):
            written[field.encode_name] = _inner(item)
    return written


def _inner(item: object) -> object:
    if isinstance(item, msgspec.Struct):
        return _plain(item)
    if isinstance(item, tuple):
        return [_inner(part) for part in item]
    return {key: _inner(part) for key, part in item.items()} if isinstance(item, dict) else item


def write_device(device: Device, path: Path) -> None:
    """Write a hardware file in one step; raise Refused for a device that could not be read back."""
    if problems := device_problems(device):
        raise Refused(*problems)
    write_atomically(path, device_to_yaml(device))


def load_devices(folder: Path) -> tuple[Device, ...]:
    """Return the devices of a folder by file name; raise Refused at the first bad file."""
    return tuple(each_device(folder))


def each_device(folder: Path) -> Iterator[Device]:
    """The devices of a folder by file name, one read at each step; raise Refused at a bad file."""
    return map(_read_named, _files(folder))


def load_user_devices(folder: Path) -> tuple[tuple[Device, ...], tuple[Problem, ...]]:
    """Return the good devices of the user's folder and the problems of the others, by file name."""
    found: dict[str, Device] = {}
    problems: list[Problem] = []
    for path in _files(folder):
        try:
            device = _read_named(path)
        except Refused as refused:
            problems += refused.problems
            continue
        if device.id in found:
            problems.append(Problem("device.same_id", printable(path.name), {"id": device.id}))
        else:
            found[device.id] = device
    return tuple(found.values()), tuple(problems)


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.suffix in _ENDINGS and not p.name.startswith("."))
    except (OSError, ValueError):  # no such folder, or no name of one
        return []


def _read_named(path: Path) -> Device:
    try:
        return read_device(path)
    except Refused as refused:
        raise Refused(*_within(printable(path.name), refused.problems)) from None


def _within(name: str, problems: Sequence[Problem]) -> Iterator[Problem]:
    for problem in problems:
        yield Problem(problem.code, f"{name}: {problem.path}" if problem.path else name, problem.values)
