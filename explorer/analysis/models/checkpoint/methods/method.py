"""What a method's reader works on: its part of the config, where faults go, and how names of modules are read."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from explorer.analysis.models.checkpoint.assignment import Assignment
from explorer.analysis.models.checkpoint.module_names import (
    MOST_EFFORT,
    ModuleNames,
    Style,
    effort,
    names_of,
    unreadable,
)
from explorer.analysis.models.checkpoint.module_patterns import PATTERN_LIMIT
from explorer.analysis.models.checkpoint.storage import STORED_BYTES
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.problem import Value

_SHOWN: Final = 3
_LONGEST: Final = 80
MOST_LISTED: Final = 200_000  # entries that are put together before
MOST_ENTRIES: Final = 1_000  # modules with values of their own, each of which is held against every module
_LARGEST_GROUP: Final = 65_536
_COUNTS: Final = frozenset({
    "bits", "w_bit", "num_bits", "nbits", "head_bits", "group_size", "q_group_size",
})  # fmt: skip
_WRITTEN: Final = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,6})?")
KV_SCALES: Final = 8.0  # bytes in each layer: one fp32 scale for keys and one for values


def plain(value: object) -> str | int | float | None:
    """A value that may be looked up: texts, numbers and null as they are, anything else in short."""
    return value if value is None or isinstance(value, str | int | float) else brief(value)


def _path(name: str) -> str:
    return f"quantization_config.{_shown(name)}"


def _shown(text: str) -> str:
    """A text of the config as a message may hold it."""
    return "".join(c if c.isprintable() else "?" for c in text[:_LONGEST])


def _with_numbers(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same config with counts of bits and of groups as numbers where they are written as text."""
    return {name: _number(value) if name in _COUNTS else _inside(value) for name, value in config.items()}


def _inside(value: object) -> object:
    return _with_numbers(value) if isinstance(value, Mapping) else value


def _number(value: object) -> object:
    if isinstance(value, str) and _WRITTEN.fullmatch(value.strip()):
        value = float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Found(msgspec.Struct, frozen=True):
    """How weights are assigned, the KV cache's format ("": none of its own) and the bytes of its scales in a layer."""

    assignment: Assignment
    kv: str = ""
    kv_scales: float = 0.0


class Method:
    """One `quantization_config` and the fields that its faults and notes go to."""

    def __init__(self, fields: Fields, config: Mapping[str, Any], wide: str) -> None:
        self.fields, self.config = fields, _with_numbers(config)
        self._effort, self._beyond = 0.0, False  # of all names so far, and whether they are too many
        self.wide = STORED_BYTES.get(wide, 2)  # bytes of a scale that is as wide as the checkpoint

    def get(self, *names: str, otherwise: Any = None) -> Any:
        """The first of these fields that is there and not null."""
        return next((self.config[name] for name in names if self.config.get(name) is not None), otherwise)

    def mapping(self, name: str) -> Mapping[str, Any]:
        """A nested object, empty where there is none."""
        found = self.config.get(name)
        return found if isinstance(found, Mapping) else {}

    def assumed(self, name: str, value: Value) -> None:
        """A value that the config leaves out and that sizes follow from."""
        self.fields.note("model.quantisation_assumed", field=name, value=value)

    def unread_cache(self, name: str, value: object, *known: object) -> None:
        """A format of the KV cache that is not known here; the weights are."""
        listed = ", ".join(str(one) for one in known)
        self.fields.fault("model.quantisation_cache", _path(name), value=brief(value), known=listed)

    def unread(self, name: str, value: object, *known: object) -> None:
        """A value that would change sizes in a way that is not known here."""
        listed = ", ".join(str(one) for one in known)
        path = _path(name)
        if listed:
            self.fields.fault("model.quantisation_value", path, value=brief(value), known=listed)
        else:
            self.fields.fault("model.quantisation_odd", path, value=brief(value))

    def one_of(self, name: str, value: Any, *known: Any) -> bool:
        """Whether a value is one of those that are known; else a fault of its field."""
        if any(value == one and isinstance(value, bool) is isinstance(one, bool) for one in known):
            return True
        self.unread(name, value, *("null" if one is None else one for one in known))
        return False

    def group(self, name: str, value: object, otherwise: int = -1) -> int:
        """Values in a group; -1: a whole row."""
        if value is None:
            return otherwise
        if isinstance(value, int) and not isinstance(value, bool) and (value == -1 or 0 < value <= _LARGEST_GROUP):
            return value
        self.unread(name, value, "-1", f"1 to {_LARGEST_GROUP}")
        return otherwise

    def names(self, style: Style, *fields: str) -> ModuleNames:
        """The modules that the first of these lists names."""
        found = self.get(*fields)
        return self.named(found, style, next((f for f in fields if self.config.get(f) is not None), fields[0]))

    def named(self, found: object, style: Style, field: str) -> ModuleNames:
        """ModuleNames of modules; what cannot be read is a fault, since it decides what is quantised."""
        listed = self.listed(found, field)
        if self._beyond:
            return ModuleNames((), style)
        names = names_of(listed, style)
        if beyond := unreadable(names):
            shown = ", ".join(map(_shown, beyond[:_SHOWN]))
            self.fields.fault("model.patterns_unread", _path(field), patterns=shown)
        self._effort += effort(names)
        if self._effort > MOST_EFFORT:
            self._beyond = True
            self.fields.fault("model.patterns_many", _path(field), limit=MOST_EFFORT, effort=round(self._effort))
        return names

    def listed(self, found: object, field: str) -> list[str]:
        """The texts of a list of names; anything else, a text alone too, is refused, as the libraries do."""
        every = () if found is None else found
        if not isinstance(every, list | tuple):
            self.unread(field, found, "a list of names")
            return []
        odd = next((one for one in every if not isinstance(one, str) or not 0 < len(one) <= PATTERN_LIMIT), None)
        if odd is not None or None in every:
            self.unread(field, odd, f"names of up to {PATTERN_LIMIT} letters")
        return [one for one in every if isinstance(one, str)]

    def entries(self, name: str, most: int = MOST_ENTRIES) -> Mapping[str, Any]:
        """What a field says of single modules, an object of objects or null; anything else is a fault of its field."""
        stated = self.config.get(name)
        if stated is None:
            return {}
        if not isinstance(stated, Mapping):
            self.unread(name, stated, "an object")
            return {}
        if len(stated) > most:
            self.many(name, len(stated), most)
            return {}
        return stated

    def many(self, name: str, count: int, most: int = MOST_ENTRIES) -> None:
        """More entries than are held against every module."""
        self.fields.fault("model.entries_many", _path(name), count=count, limit=most)
