"""Devices that llama.cpp's log names, and which of them a run used."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_DEVICE: Final = re.compile(r"\s*+Device (\d++): ")
_VULKAN: Final = re.compile(r"ggml_vulkan: (\d++) = ")
_INTEGRATED: Final = re.compile(r"\|\s*+uma:\s*+1\b")
_ANEW: Final = re.compile(r"found \d++ (?:CUDA|ROCm|HIP|Vulkan|SYCL|OpenCL) devices?", re.IGNORECASE)
_CHOSEN: Final = re.compile(r"[A-Za-z]++(\d{1,3})")
_MOST: Final = 16


class LoggedDevice(NamedTuple):
    """One device of a log; `integrated` shares the host's memory, and is left alone beside any other."""

    name: str
    number: int | None = None
    integrated: bool = False


def begins_anew(line: str) -> bool:
    """Whether a line begins the list of a backend's devices."""
    return _ANEW.search(line) is not None


def devices_of(line: str) -> list[LoggedDevice]:
    """Devices that a line of the log names."""
    found = []
    if (device := _DEVICE.match(line)) and (name := _before(line[device.end() :], ", compute capability", ", gfx")):
        found.append(LoggedDevice(name, int(device[1][:3])))
    if (device := _VULKAN.match(line)) and (name := _before(line[device.end() :], " | ")):
        found.append(LoggedDevice(name, int(device[1][:3]), _INTEGRATED.search(line) is not None))
    for sign in ("GPU name:", "picking default device: "):
        name = line.partition(sign)[2].strip()
        if name:
            found.append(LoggedDevice(name))
    return found


def used(devices: Iterable[LoggedDevice], chosen: str = "") -> str:
    """The names of the devices that a run used, equal ones counted: `2 x A`, `A + B`.

    `chosen` is what the run's own column says (`CUDA1`, `Vulkan0/Vulkan1`). Without it llama.cpp takes all of them,
    but for integrated ones beside others.
    """
    known = list(dict.fromkeys(devices)) if _numbers_repeat(devices := list(devices)) else devices
    wanted = {int(m[1]) for part in re.split(r"[/,;+ ]", chosen) if (m := _CHOSEN.fullmatch(part))}
    asked = [d for d in known if d.number in wanted]
    if not asked:
        asked = [d for d in known if not d.integrated] or known
    counts: dict[str, int] = {}
    for device in asked:
        counts[device.name] = counts.get(device.name, 0) + 1
    return counted(counts)


def counted(counts: dict[str, int]) -> str:
    """`2 x A + B`; the first sixteen names."""
    names = [f"{n} x {name}" if n > 1 else name for name, n in counts.items()]
    return " + ".join(names[:_MOST])


def together(text: str) -> str:
    """Devices that the tool lists with commas, equal ones counted; a comma within a name parts nothing."""
    parts = text.split(", ")
    alike = len(set(parts)) < len(parts)
    if not alike:
        return text
    counts: dict[str, int] = {}
    for part in parts:
        counts[part] = counts.get(part, 0) + 1
    return counted(counts)


def _numbers_repeat(devices: list[LoggedDevice]) -> bool:
    """Whether the same list was printed more than once."""
    numbered = [(d.number, d.name) for d in devices if d.number is not None]
    return len(set(numbered)) < len(numbered) or len(numbered) < len(devices)


def _before(text: str, *ends: str) -> str:
    """What stands before the first of some words; empty where none of them stands there."""
    places = [at for end in ends if (at := text.find(end, 1)) > 0]
    return text[: min(places)].strip() if places else ""
