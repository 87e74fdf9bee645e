"""Reading a config field by field: every fault is collected, every default taken is remembered."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from explorer.analysis.problem import Note, Problem, Refused, Value

SIZE_LIMIT = 100_000_000  # the largest vocabularies are a few hundred thousand
LAYER_LIMIT = 2_000
SHOWN = 60
_ABSENT = object()
_PASSED_BY = frozenset({"n_ctx"})  # stands beside the length that counts, in CTRL twice as large


def brief(value: object) -> str:
    """A short form of any config value."""
    text = repr(value) if isinstance(value, str | bool | int | float | None) else f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


class Fields:
    """A config, its class defaults in the transformers library, and what was found wrong or left unsaid.

    A field that is absent takes `defaults`, else the caller's `otherwise` (what transformers derives), both
    recorded; else it is a problem. After a problem a harmless value stands in, so that all problems are found.
    """

    def __init__(
        self, config: Mapping[str, Any], path: str = "", defaults: Mapping[str, Value | None] | None = None
    ) -> None:
        self.config = config
        self.path = path
        self.defaults = defaults or {}
        self.problems: list[Problem] = []
        self.notes: list[Note] = []
        self.assumed: dict[str, Value | None] = {}

    def within(self, name: str) -> "Fields":
        """The fields of a nested config, whose faults and defaults go to the same lists; without it, `Refused`."""
        inner = self.config.get(name)
        if not isinstance(inner, Mapping):
            self.fault("model.missing" if inner is None else "model.not_an_object", name, value=brief(inner))
            raise Refused(*self.problems)
        return self.part(name)

    def part(self, name: str) -> "Fields":
        """The fields of a nested config, none where there is no such object."""
        inner = self.config.get(name)
        return self._alike(inner if isinstance(inner, Mapping) else {}, f"{self.path}{name}.")

    def without(self, *names: str) -> "Fields":
        """The same fields but for some that nobody is to read."""
        return self._alike({name: value for name, value in self.config.items() if name not in names}, self.path)

    def _alike(self, config: Mapping[str, Any], path: str) -> "Fields":
        other = Fields(config, path, self.defaults)
        other.problems, other.notes, other.assumed = self.problems, self.notes, self.assumed
        return other

    def restated(self, **changes: Any) -> "Fields":
        """The same fields with some of them stated otherwise; faults and defaults go to the same lists."""
        other = Fields({**self.config, **changes}, self.path, self.defaults)
        other.problems, other.notes, other.assumed = self.problems, self.notes, self.assumed
        return other

    def fault(self, code: str, name: str, **values: Value) -> None:
        """Record a problem of one field."""
        self.problems.append(Problem(code, self.path + name, values))

    def check(self, holds: bool, code: str, name: str, **values: Value) -> None:
        """Record a problem unless a relation between fields holds; only where the fields themselves are sound."""
        if not self.problems and not holds:
            self.fault(code, name, **values)

    def refuse_faults(self) -> None:
        """Raise `Refused` with every problem found so far."""
        if self.problems:
            raise Refused(*self.problems)

    def note(self, code: str, **values: Value) -> None:
        """Record an assumption."""
        self.notes.append(Note(code, values))

    def has(self, *names: str) -> bool:
        """Whether a field is there and not null."""
        return any(self.config.get(name) is not None for name in names)

    def size(self, name: str, *aliases: str, otherwise: int | None = None, limit: int = SIZE_LIMIT) -> int:
        """A whole number from 1 to `limit`."""
        self._agree(name, *aliases)
        value = self._value(name, aliases, otherwise)
        return 1 if value is None else self._whole(name, value, 1, limit)

    def optional_size(self, name: str, *aliases: str) -> int | None:
        """A whole number of at least 1, or null."""
        self._agree(name, *aliases)
        value = self._stated(name, aliases)
        if value is _ABSENT:
            value = self._default(name)
            if value is _ABSENT:
                self.fault("model.missing", name)
                return None
        return None if value is None else self._whole(name, value, 1, SIZE_LIMIT)

    def natural(self, name: str, *, otherwise: int | None = None) -> int:
        """A whole number of at least 0."""
        value = self._value(name, (), otherwise)
        return 0 if value is None else self._whole(name, value, 0, SIZE_LIMIT)

    def flag(self, name: str, *, otherwise: bool | None = None) -> bool:
        """True or false."""
        value = self._value(name, (), otherwise)
        if isinstance(value, bool) or value is None:
            return bool(value)
        self.fault("model.not_a_flag", name, value=brief(value))
        return False

    def text(self, name: str, *aliases: str) -> str:
        """A string."""
        value = self._value(name, aliases, None)
        if isinstance(value, str):
            return value
        if value is not None:
            self.fault("model.not_a_text", name, value=brief(value))
        return ""

    def fraction(self, name: str, *, otherwise: float) -> float:
        """A number above 0 and up to 1; absent means `otherwise`, unrecorded."""
        value = self.config.get(name)
        if value is None:
            return otherwise
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and 0 < value <= 1:
            return float(value)
        self.fault("model.not_a_fraction", name, value=brief(value))
        return otherwise

    def factor(self, name: str, *, otherwise: float) -> float:
        """A number above 0 and up to 100 that a width is multiplied by."""
        value, most = self.config.get(name, _ABSENT), 100.0
        if value is _ABSENT:
            self.assumed[self.path + name] = otherwise
            return otherwise
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= most:
            return float(value)
        self.fault("model.not_a_multiple", name, value=brief(value))
        return otherwise

    def items(self, name: str, sound: Callable[[object], bool]) -> Sequence[Any] | None:
        """A list whose items are all sound, or None where the field is absent or null."""
        value = self.config.get(name)
        if value is None:
            return None
        if isinstance(value, list | tuple) and len(value) <= SIZE_LIMIT and all(map(sound, value)):
            return value
        self.fault("model.not_a_list", name, value=brief(value))
        return None

    def _stated(self, name: str, aliases: Sequence[str]) -> Any:
        for key in (name, *aliases):
            if key in self.config:
                return self.config[key]
        return _ABSENT

    def _agree(self, *names: str) -> None:
        """Record a problem where a size stands under two names with two values: which counts is not known."""
        stated = [name for name in names if self.has(name) and name not in _PASSED_BY]
        for other in stated[1:]:
            first, value = stated[0], self.config[other]
            values: dict[str, Value] = {"first": first, "value": brief(self.config[first]), "other": brief(value)}
            found = Problem("model.two_names", self.path + other, values)
            if value != self.config[first] and found not in self.problems:
                self.problems.append(found)

    def _default(self, name: str) -> Any:
        if name not in self.defaults:
            return _ABSENT
        self.assumed[self.path + name] = self.defaults[name]
        return self.defaults[name]

    def _value(self, name: str, aliases: Sequence[str], otherwise: Value | None) -> Any:
        """The stated value, else the class default, else `otherwise`; None after a problem. Null counts as unsaid."""
        value = self._stated(name, aliases)
        if value is _ABSENT or (value is None and otherwise is None):
            value = self._default(name)
        if value is not _ABSENT and value is not None:
            return value
        if otherwise is None:
            self.fault("model.missing", name)
            return None
        self.assumed[self.path + name] = otherwise
        return otherwise

    def _whole(self, name: str, value: object, least: int, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault("model.not_a_whole_number", name, value=brief(value))
        elif not least <= value <= most:
            self.fault("model.out_of_range", name, value=brief(value), least=least, most=most)
        else:
            return value
        return least or 1


def defaults_note(assumed: Mapping[str, Value | None]) -> tuple[Note, ...]:
    """One note for every field the config leaves to the transformers library."""
    if not assumed:
        return ()
    listed = ", ".join(f"{name} = {'null' if v is None else str(v).lower()}" for name, v in sorted(assumed.items()))
    return (Note("model.defaults", {"fields": listed}),)
