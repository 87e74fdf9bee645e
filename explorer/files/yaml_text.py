"""YAML as plain data: strings, numbers, booleans, null, lists and mappings, and nothing else.

Built from the parser's events, not its nodes: aliases, tags, deep nesting and duplicate keys are refused
before anything is built, and numbers read as YAML 1.2 reads them (`989.4e12` is a number, `no` a word).
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import yaml

from explorer.analysis.problem import Problem, Refused
from explorer.files import limits
from explorer.files.text import shown

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEPTH: Final = 40
_MARKS: Final = ("\n", ",", ": ", "- ", "[", "{", "\r")  # in front of each value stands one of them
_DIRECTIVE, _MOST_DIRECTIVES = "%TAG", 100
_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,40}")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)(?:[eE][-+]?[0-9]++)?")
_WORDS: Final[dict[str, object]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_NUMERIC: Final = frozenset("0123456789+-.")
_PLAIN: Final = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_ ./+()*%=<>^;-]*[A-Za-z0-9_./+()*%=<>^;-])?")
_RESERVED: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"})
_WIDTH: Final = 150
_LONG_KEY: Final = 240  # YAML counts bytes of the written key, up to four a character


def load_yaml(text: str) -> object:
    """Return the one document of a YAML text as plain data; raise Refused."""
    _check_size(text)
    try:
        parser = _LOADER(text)
    except (yaml.YAMLError, UnicodeEncodeError):
        raise Refused(Problem("yaml.characters")) from None
    try:
        return _document(parser)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _refused("yaml.syntax", mark) from None
    except (yaml.YAMLError, UnicodeError):
        raise Refused(Problem("yaml.characters")) from None
    finally:
        parser.dispose()


def _check_size(text: str) -> None:
    """Refuse what would take too long: more values than a study has, and directives, which libyaml searches in turn."""
    if len(text) > limits.YAML_VALUES and sum(map(text.count, _MARKS)) > limits.YAML_VALUES:
        raise Refused(Problem("yaml.many", values={"limit": limits.YAML_VALUES}))
    if text.count(_DIRECTIVE) > _MOST_DIRECTIVES:
        raise Refused(Problem("yaml.tag", values={"line": 1, "column": 1, "tag": _DIRECTIVE}))


def load_mapping(text: str) -> dict[str, object]:
    """Return a YAML text that is a mapping; raise Refused."""
    data = load_yaml(text)
    if not isinstance(data, dict):
        raise Refused(Problem("yaml.not_mapping"))
    return data


def _refused(code: str, mark: Any, **values: str) -> Refused:
    place = {"line": mark.line + 1, "column": mark.column + 1} if mark else {"line": 1, "column": 1}
    return Refused(Problem(code, values={**place, **values}))


def _document(parser: Any) -> object:
    parser.get_event()  # stream start
    if isinstance(parser.peek_event(), yaml.StreamEndEvent):
        return None
    parser.get_event()  # document start
    data = _node(parser, parser.get_event(), 0)
    parser.get_event()  # document end
    after = parser.get_event()
    if not isinstance(after, yaml.StreamEndEvent):
        raise _refused("yaml.documents", after.start_mark)
    return data


def _node(parser: Any, event: Any, depth: int) -> object:
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise _refused("yaml.alias", event.start_mark)
    if event.tag is not None:
        raise _refused("yaml.tag", event.start_mark, tag=shown(event.tag))
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event.value) if event.implicit[0] else event.value
    if depth >= _DEPTH:
        raise _refused("yaml.too_deep", event.start_mark)
    return _sequence(parser, depth) if isinstance(event, yaml.SequenceStartEvent) else _mapping(parser, depth)


def _sequence(parser: Any, depth: int) -> list[object]:
    items: list[object] = []
    while not isinstance(event := parser.get_event(), yaml.SequenceEndEvent):
        items.append(_node(parser, event, depth + 1))
    return items


def _mapping(parser: Any, depth: int) -> dict[str, object]:
    found: dict[str, object] = {}
    while not isinstance(event := parser.get_event(), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise _refused("yaml.key", event.start_mark)
        _node(parser, event, depth)  # a key may hide an anchor or a tag
        if event.value in found:
            raise _refused("yaml.duplicate_key", event.start_mark, key=shown(event.value))
        found[event.value] = _node(parser, parser.get_event(), depth + 1)
    return found


def _scalar(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def dump_yaml(data: Mapping[str, object]) -> str:
    """Return plain data as YAML text that `load_yaml` reads back: short lists and mappings on one line."""
    return "".join(line + "\n" for line in _block(data, ""))


def _block(data: object, indent: str) -> list[str]:
    if isinstance(data, Mapping):
        return [line for key, value in data.items() for line in _entry(_head(str(key), indent), value, indent)]
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [line for value in data for line in _item(value, indent)]
    return [indent + _flow(data)]


def _head(key: str, indent: str) -> str:
    """A key with its colon; YAML reads a key of more than 1,024 characters only where a question mark leads it."""
    text = _text(key)
    return f"{indent}{text}:" if len(text) < _LONG_KEY else f"{indent}? {text}\n{indent}:"


def _entry(head: str, value: object, indent: str) -> list[str]:
    flow = _flow(value)
    if _fits(value, head, flow):
        return [f"{head} {flow}"]
    return [head, *_block(value, indent + "  ")]


def _item(value: object, indent: str) -> list[str]:
    flow = _flow(value)
    if _fits(value, indent, flow):
        return [f"{indent}- {flow}"]
    lines = _block(value, indent + "  ")
    return [f"{indent}- {lines[0].lstrip()}", *lines[1:]] if isinstance(value, Mapping) else [f"{indent}-", *lines]


def _fits(value: object, head: str, flow: str) -> bool:
    if not isinstance(value, Mapping | list | tuple) or not value:
        return True
    parts = value.values() if isinstance(value, Mapping) else value
    return len(head) + len(flow) < _WIDTH and not any(isinstance(p, Mapping | list | tuple) and p for p in parts)


def _flow(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(str(k))}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(v) for v in value) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _number(value) if isinstance(value, int | float) else _text(str(value))


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return "\\ufffd" if 0xD800 <= code < 0xE000 else f"\\U{code:08x}"


def _number(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    plain = str(int(value)) if value.is_integer() and abs(value) < 1e18 else repr(value)
    return min(plain, _engineering(value), key=len) if value else "0.0"


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
