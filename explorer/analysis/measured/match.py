"""Which model and which device a measured point is of: guesses with a score, for the user to confirm."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from explorer.analysis.catalogue.device import Device
from explorer.analysis.measured.imported import MeasuredPoint
from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.study import ModelEntry

SURE: Final = 0.75
_WORD: Final = re.compile(r"\d+x\d+(?:\.\d+)?[a-z]+|\d+(?:\.\d+)?[a-z]+|[a-z]+\d+(?:\.\d+)?[a-z]*|[a-z]+|\d+(?:\.\d+)?")
_EMPTY_WORDS: Final = {
    "gguf",
    "instruct",
    "chat",
    "hf",
    "it",
    "base",
    "medium",
    "small",
    "large",
    "mostly",
    "all",
    "bpw",
}
_MAKERS: Final = {"nvidia", "amd", "intel", "apple", "geforce", "graphics", "radeon", "processor", "gpu", "google"}
_TIMES: Final = re.compile(r"(\d{1,4}) x ")
_CAPACITY: Final = re.compile(r"\d+g(i?b)?")
_PARAMETERS: Final = ((0.002, 1.0), (0.01, 0.9), (0.03, 0.5))
_OTHER_FAMILY: Final = 0.005  # parameters this close are the same model under another name: Mistral is llama's kin
_SIZE: Final = re.compile(r"\d+(\.\d+)?b")
_FORMATS: Final = {"bpw", "mxfp", "nvfp", "xxs", "qat", "moe", "ternary"}
_BACKENDS: Final = (  # what a backend's name begins with, and the maker and class of what it runs on
    (("cuda",), "NVIDIA", ""),
    (("rocm", "hip"), "AMD", ""),
    (("metal", "mtl"), "Apple", ""),
    (("sycl",), "Intel", ""),
    (("cpu", "blas", "avx", "zen", "neon", "arm_neon"), "", "cpu"),
)
_BITS: Final = (1.4, 34.0)  # of a weight, in files of any format


class Candidate(NamedTuple):
    """One guess: the id of a model or device, its name, and how well it fits from 0 to 1."""

    id: str
    name: str
    score: float


def model_candidates(point: MeasuredPoint, entries: Iterable[ModelEntry], most: int = 5) -> tuple[Candidate, ...]:
    """Models that a point may be of, best first: by parameters (within 3 %), file size and the words of the names.

    A model whose parameters or whose bits per weight rule it out is no candidate.
    """
    found = (Candidate(e.id, e.name, round(s, 3)) for e in entries if (s := _model_score(point, e)) > 0)
    return tuple(sorted(found, key=lambda c: -c.score)[:most])


def how_many(name: str) -> tuple[int, str]:
    """How many equal devices a tool's name says, `2 x A`, and the name of one; several kinds are no number."""
    found = _TIMES.match(name)
    return (int(found[1]), name[found.end() :]) if found and " + " not in name else (1, name)


def device_candidates(name: str, devices: Iterable[Device], most: int = 5) -> tuple[Candidate, ...]:
    """Devices that a tool's device name may mean, best first, by the words of the names."""
    words = _words(how_many(name)[1])
    found = (Candidate(d.id, d.name, round(_device_score(words, d), 3)) for d in devices)
    return tuple(sorted((c for c in found if c.score > 0.5), key=lambda c: -c.score)[:most])


def sure(candidates: Sequence[Candidate]) -> Candidate | None:
    """The first candidate where it fits well and no other fits as well."""
    if not candidates or candidates[0].score < SURE:
        return None
    clear = len(candidates) == 1 or candidates[1].score < candidates[0].score
    return candidates[0] if clear else None


def runs_on(backend: str, device: Device) -> bool:
    """Whether a tool's backend may have run on a device; an unknown backend may run on any."""
    name = backend.lower()
    for starts, vendor, class_ in _BACKENDS:
        if name.startswith(starts):
            return (not vendor or device.vendor == vendor) and (not class_ or device.class_ in {class_, "apu"})
    return True


def _model_score(point: MeasuredPoint, entry: ModelEntry) -> float:
    parameters = _parameters(entry)
    if parameters is None:
        return 0.0
    said, known = _model_words(f"{point.model} {point.file}"), _model_words(f"{entry.name} {entry.source}")
    named = _alike(said, known)
    if point.parameters:
        off = abs(parameters / point.parameters - 1)
        if off > _OTHER_FAMILY and _told_apart(_families(said), _families(known)):
            return 0.0
        fits = next((score for most, score in _PARAMETERS if off <= most), 0.0)
        return 0.6 * fits + 0.4 * named if fits else 0.0
    if _told_apart(_sizes(said), _sizes(known)):
        return 0.0
    if point.size_bytes:
        bits = 8 * point.size_bytes / parameters
        return 0.7 * named if _BITS[0] <= bits <= _BITS[1] else 0.0
    return 0.7 * named if named >= 0.5 else 0.0


def _parameters(entry: ModelEntry) -> float | None:
    try:
        return float(built_model(entry).parameters)
    except Refused:
        return None


def _model_words(text: str) -> frozenset[str]:
    return frozenset(_words(text) - _EMPTY_WORDS)


def _sizes(words: frozenset[str]) -> set[str]:
    return {w for w in words if _SIZE.fullmatch(w)}


def _families(words: frozenset[str]) -> set[str]:
    """Names of families without their versions: `qwen3moe` is qwen."""
    heads = {re.split(r"\d", w)[0] for w in words}
    return {h for h in heads if len(h) > 2} - _FORMATS


def _told_apart(one: set[str], other: set[str]) -> bool:
    """Whether both say something and nothing the same."""
    return bool(one and other) and not one & other


def _words(text: str) -> set[str]:
    """Words in lower case: `Qwen2.5-7B` is qwen2.5 and 7b."""
    return set(_WORD.findall(text.lower()))


def _alike(measured: frozenset[str], known: frozenset[str]) -> float:
    """The share of the known name's words that the measured name has too; a family counts without its version."""
    if not known or not measured:
        return 0.0
    families = {w.rstrip("0123456789.") for w in measured}
    hits = sum(1.0 if w in measured else 0.6 if w.rstrip("0123456789.") in families else 0.0 for w in known)
    return hits / len(known)


def _device_score(words: set[str], device: Device) -> float:
    return max(
        (_overlap(words, _words(t)) for t in (device.name, device.short, device.id.replace("-", " ")) if t), default=0.0
    )


def _overlap(asked: set[str], known: set[str]) -> float:
    """Words that tell devices apart in common, against all of them; makers and capacities count little."""

    def weight(words: set[str]) -> float:
        return sum(0.1 if w in _MAKERS or _CAPACITY.fullmatch(w) else 1.0 for w in words)

    either = weight(asked | known)
    return weight(asked & known) / either if either else 0.0
