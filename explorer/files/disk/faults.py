"""Every fault of plain data against a msgspec type, each with its field path (msgspec itself stops at the first)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable

T = TypeVar("T")
_MANY = 50
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}")
_LEAVES: dict[type, tuple[str, tuple[type, ...]]] = {
    inspect.FloatType: ("number", (int, float)),
    inspect.IntType: ("integer", (int,)),
    inspect.StrType: ("text", (str,)),
    inspect.BoolType: ("boolean", (bool,)),
    inspect.NoneType: ("null", (type(None),)),
}


def convert(data: object, kind: type[T], path: str = "") -> T:
    """Return plain data as a value of the type; raise Refused with every fault (at most 50)."""
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        found = list(islice(faults(data, kind, path), _MANY))
        raise Refused(*(found or [Problem("field.invalid", path, {"detail": printable(str(error), 120)})])) from None


def faults(data: object, kind: type, path: str = "") -> Iterator[Problem]:
    """Yield what keeps plain data from being a value of the type."""
    return _check(data, _info(kind), path)


@lru_cache
def _info(kind: type) -> inspect.Type:
    return inspect.type_info(kind)


def joined(path: str, key: str) -> str:
    """Return the path of a key inside; an odd key is quoted."""
    name = key if _NAME.fullmatch(key) else f'"{printable(key)}"'
    return f"{path}.{name}" if path else name


def _check(value: object, info: Any, path: str) -> Iterator[Problem]:
    match info:
        case inspect.StructType():
            yield from _struct(value, info, path)
        case inspect.UnionType():
            yield from _union(value, info, path)
        case inspect.DictType():
            yield from _dict(value, info, path)
        case inspect.ListType() | inspect.VarTupleType():
            yield from _items(value, info.item_type, path)
        case inspect.TupleType():
            yield from _tuple(value, info, path)
        case inspect.LiteralType():
            if not isinstance(value, str | int | None) or value not in info.values:
                yield Problem(
                    "field.choice", path, {"got": printable(value), "allowed": ", ".join(map(str, info.values))}
                )
        case _:
            yield from _leaf(value, info, path)


def _struct(value: object, info: inspect.StructType, path: str) -> Iterator[Problem]:
    if not isinstance(value, Mapping):
        yield _wrong(path, "mapping", value)
        return
    fields = {f.encode_name: f for f in info.fields}
    yield from (
        _unknown(joined(path, str(key)), fields) for key in value if key not in fields and key != info.tag_field
    )
    for name, item in fields.items():
        if name in value:
            yield from _check(value[name], item.type, joined(path, name))
        elif item.required:
            yield Problem("field.missing", joined(path, name))


def _unknown(path: str, fields: Mapping[str, object]) -> Problem:
    return Problem("field.unknown", path, {"allowed": ", ".join(fields)})


def _union(value: object, info: inspect.UnionType, path: str) -> Iterator[Problem]:
    tagged = {t.tag: t for t in info.types if isinstance(t, inspect.StructType) and t.tag is not None}
    if tagged:
        yield from _tagged(value, tagged, path)
        return
    options = [list(islice(_check(value, option, path), _MANY)) for option in info.types]
    if all(options):  # name the faults of the member that is not null
        yield from next(o for o, t in zip(options, info.types, strict=True) if not isinstance(t, inspect.NoneType))


def _tagged(value: object, members: Mapping[str | int, inspect.StructType], path: str) -> Iterator[Problem]:
    """Faults against the member that the value names."""
    field = next(iter(members.values())).tag_field or ""
    if not isinstance(value, Mapping):
        yield _wrong(path, "mapping", value)
    elif field not in value:
        yield Problem("field.missing", joined(path, field))
    elif not isinstance(value[field], str) or value[field] not in members:
        allowed = ", ".join(map(str, members))
        yield Problem("field.choice", joined(path, field), {"got": printable(value[field]), "allowed": allowed})
    else:
        yield from _struct(value, members[value[field]], path)


def _dict(value: object, info: inspect.DictType, path: str) -> Iterator[Problem]:
    if not isinstance(value, Mapping):
        yield _wrong(path, "mapping", value)
        return
    for key, item in value.items():
        yield from _check(item, info.value_type, joined(path, str(key)))


def _items(value: object, item_type: inspect.Type, path: str) -> Iterator[Problem]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        yield _wrong(path, "list", value)
        return
    for index, item in enumerate(value):
        yield from _check(item, item_type, f"{path}[{index}]")


def _tuple(value: object, info: inspect.TupleType, path: str) -> Iterator[Problem]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != len(info.item_types):
        yield _wrong(path, "list", value)
        return
    for index, (item, item_type) in enumerate(zip(value, info.item_types, strict=True)):
        yield from _check(item, item_type, f"{path}[{index}]")


def _leaf(value: object, info: inspect.Type, path: str) -> Iterator[Problem]:
    expected, types = _LEAVES.get(type(info), ("", (object,)))
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types and object not in types):
        yield _wrong(path, expected, value)


def _wrong(path: str, expected: str, value: object) -> Problem:
    return Problem(f"field.{expected}", path, {"got": printable(value)})


@contextmanager
def led_by_name(path: Path) -> Iterator[None]:
    """Lead the faults of a file's content by its name."""
    try:
        yield
    except Refused as refused:
        raise Refused(*(_of_file(printable(path.name), p) for p in refused.problems)) from None


def _of_file(name: str, problem: Problem) -> Problem:
    if "file" in problem.values:  # the sentence names it
        return problem
    return Problem(problem.code, f"{name}: {problem.path}" if problem.path else name, problem.values)
