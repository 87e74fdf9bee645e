"""YAML as plain data: strings, numbers, booleans, null, lists and mappings, and nothing else.

Built from the parser's events, not its nodes: aliases, tags, deep nesting and duplicate keys are refused
before anything is built, and numbers read as YAML 1.2 reads them (`989.4e12` is a number, `no` a word).
"""

import math
import re
from typing import Any, Final

import yaml

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.text import printable
from explorer.files.disk.yaml_writing import dump_yaml

__all__ = ["dump_yaml", "load_mapping", "load_yaml"]

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
    if len(text) > limits.YAML_VALUES and most_values(text) > limits.YAML_VALUES:
        raise Refused(Problem("yaml.many", values={"limit": limits.YAML_VALUES}))
    if text.count(_DIRECTIVE) > _MOST_DIRECTIVES:
        raise Refused(Problem("yaml.tag", values={"line": 1, "column": 1, "tag": _DIRECTIVE}))


def most_values(text: str) -> int:
    """How many values a text may hold, as `load_yaml` counts them."""
    return sum(map(text.count, _MARKS))


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
        raise _refused("yaml.tag", event.start_mark, tag=printable(event.tag))
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
            raise _refused("yaml.duplicate_key", event.start_mark, key=printable(event.value))
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
