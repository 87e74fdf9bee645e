"""Plain data as YAML text that `load_yaml` reads back: short lists and mappings on one line."""

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_PLAIN: Final = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_ ./+()*%=<>^;-]*[A-Za-z0-9_./+()*%=<>^;-])?")
_RESERVED: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"})
_WIDTH: Final = 150
_LONG_KEY: Final = 240  # YAML counts bytes of the written key, up to four a character
_SHORT: Final = 80  # texts worth keeping: names of fields, kinds, formats and devices
_LEAST_PLAIN: Final = 0.01  # from here on no exponent makes a number shorter, unless it ends in zeros


def dump_yaml(data: Mapping[str, object]) -> str:
    """Return plain data as YAML text."""
    return "".join(entry_text(str(key), value) for key, value in data.items())


def entry_text(key: str, value: object, indent: str = "") -> str:
    """The lines of one key and its value."""
    out: list[str] = []
    _entry(key, value, indent, indent, out)
    return "".join(out)


def item_text(value: object, indent: str) -> str:
    """The lines of one entry of a list."""
    out: list[str] = []
    _item(value, indent, out)
    return "".join(out)


def _entry(key: str, value: object, lead: str, indent: str, out: list[str]) -> None:
    """One key and its value; `lead` stands before the key, `indent` before lines that follow."""
    head = _head(key, lead, indent)
    plain = _scalar(value)
    if plain is not None:
        out.append(f"{head} {plain}\n")
        return
    parts = _parts(value)
    flow = _flow(value, parts)
    if flow is not None and len(head) + len(flow) < _WIDTH:
        out.append(f"{head} {flow}\n")
        return
    out.append(head + "\n")
    _block(value, parts, indent + "  ", indent + "  ", out)


def _head(key: str, lead: str, indent: str) -> str:
    """A key with its colon; YAML reads a key of more than 1,024 characters only where a question mark leads it."""
    text = _text(key)
    return f"{lead}{text}:" if len(text) < _LONG_KEY else f"{lead}? {text}\n{indent}:"


def _item(value: object, indent: str, out: list[str]) -> None:
    plain = _scalar(value)
    if plain is not None:
        out.append(f"{indent}- {plain}\n")
        return
    parts = _parts(value)
    flow = _flow(value, parts)
    if flow is not None and len(indent) + len(flow) < _WIDTH:
        out.append(f"{indent}- {flow}\n")
    elif isinstance(value, Mapping):
        _block(value, parts, indent + "- ", indent + "  ", out)
    else:
        out.append(indent + "-\n")
        _block(value, parts, indent + "  ", indent + "  ", out)


def _parts(value: object) -> list[str | None]:
    """The texts of what a mapping or list holds; None for what needs lines of its own."""
    held = value.values() if isinstance(value, Mapping) else value
    return list(map(_scalar, held))  # type: ignore[call-overload]


def _flow(value: object, parts: list[str | None]) -> str | None:
    """The value on one line; None where something inside needs lines of its own."""
    if None in parts:
        return None
    if isinstance(value, Mapping):
        return "{" + ", ".join([f"{_text(str(k))}: {part}" for k, part in zip(value, parts, strict=True)]) + "}"
    return "[" + ", ".join(parts) + "]"  # type: ignore[arg-type]


def _block(value: object, parts: list[str | None], lead: str, indent: str, out: list[str]) -> None:
    if not isinstance(value, Mapping):
        for item in value:  # type: ignore[attr-defined]
            _item(item, indent, out)
        return
    for (key, inner), part in zip(value.items(), parts, strict=True):
        if part is None:
            _entry(str(key), inner, lead, indent, out)
        else:
            out.append(f"{_head(str(key), lead, indent)} {part}\n")
        lead = indent


def _scalar(value: object) -> str | None:
    """The text of a single value or of an empty list or mapping; None for one that holds something."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, int):
        return ("true" if value else "false") if isinstance(value, bool) else str(value)
    if value is None:
        return "null"
    if isinstance(value, Mapping | list | tuple):
        return None if value else "{}" if isinstance(value, Mapping) else "[]"
    return _text(str(value))


def _text(text: str) -> str:
    return _short_text(text) if len(text) < _SHORT else _quoted(text)


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    return '"' + (text if _harmless(text) else "".join(map(_escaped, text))) + '"'


_short_text = lru_cache(maxsize=4096)(_quoted)


def _harmless(text: str) -> bool:
    return text.isprintable() and '"' not in text and "\\" not in text


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return "\\ufffd" if 0xD800 <= code < 0xE000 else f"\\U{code:08x}"


def _number(value: float) -> str:
    """The shortest of the ways to write a number that read back as the same one."""
    if value.is_integer() and abs(value) < 1e18:
        plain = str(int(value))
        if plain[-1] != "0" or not plain.endswith("000"):
            return plain if value else "0.0"
    else:
        plain = repr(value)
        if "e" not in plain and abs(value) >= _LEAST_PLAIN:
            return plain if math.isfinite(value) else _not_finite(value)
        if not math.isfinite(value):
            return _not_finite(value)
    return min(plain, _engineering(value), key=len)


def _not_finite(value: float) -> str:
    return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"


def _engineering(value: float) -> str:
    """The same decimal digits with an exponent that is a multiple of three: 989.4e12."""
    sign, digits, exponent = _digits(value)
    shift = (len(digits) + exponent - 1) // 3 * 3
    point = len(digits) + exponent - shift
    whole, rest = digits[:point].ljust(point, "0"), digits[point:]
    return f"{sign}{whole}{'.' if rest else ''}{rest}e{shift}"


def _digits(value: float) -> tuple[str, str, int]:
    """Sign, significant digits and the power of ten of the last one, as `repr` rounds."""
    mantissa, _, power = f"{value!r}".lower().partition("e")
    sign, mantissa = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    digits = (whole + fraction).lstrip("0")
    kept = digits.rstrip("0")
    return sign, kept, int(power or 0) - len(fraction) + len(digits) - len(kept)
