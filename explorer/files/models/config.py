"""Reading a Hugging Face `config.json`: plain JSON and nothing odd, or one clear refusal."""

import json
import re
from collections.abc import Iterable
from math import isfinite
from pathlib import Path
from typing import Any, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.places import is_folder, may_exist
from explorer.files.disk.text import printable, read_text

FILE: Final = "config.json"
LIMIT: Final = limits.CONFIG
DEPTH: Final = 32
DIGITS: Final = 40
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def read_config(path: Path | str) -> dict[str, Any]:
    """The config at `path`, a file or a folder that holds `config.json`.

    Raises
    ------
    Refused
        One problem: what is wrong with the file, and where.
    """
    return parse_config(read_text(config_file(Path(path)), LIMIT))


def parse_config(text: str) -> dict[str, Any]:
    """The config of a JSON text.

    Raises
    ------
    Refused
        One problem: what is wrong with the text, and where.
    """
    try:
        found = json.loads(
            text, parse_constant=_constant, parse_float=_float, parse_int=_integer, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        place: dict[str, str | int] = {"line": error.lineno, "column": error.colno}
        raise Refused(Problem("config.syntax", values={**place, "reason": printable(error.msg)})) from None
    except RecursionError:
        raise Refused(Problem("config.too_deep", values={"limit": DEPTH})) from None
    if not isinstance(found, dict):
        raise Refused(Problem("config.not_an_object"))
    _check_depth(found)
    if _SURROGATE.search(text):
        _check_characters(found)
    return found


def config_file(path: Path) -> Path:
    """The file of a config: the path itself, or that of the folder; raises `Refused` where the folder has none."""
    if not is_folder(path):
        return path
    if may_exist(path / FILE):
        return path / FILE
    raise Refused(Problem("config.none_in_folder", values={"file": FILE, "folder": printable(path.name)}))


def _constant(word: str) -> str:
    """A bare `Infinity` or `NaN`, as Python writes them, as its word, which the field that is read names."""
    return word


def _float(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise Refused(Problem("config.not_finite", values={"value": printable(text)}))
    return value


def _integer(text: str) -> int:
    if len(text) > DIGITS:
        raise Refused(Problem("config.too_many_digits", values={"value": printable(text, 20)}))
    return int(text)


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise Refused(Problem("config.duplicate_key", values={"key": printable(key)}))
        result[key] = value
    return result


def _check_characters(found: object) -> None:
    """Refuse half a character, which no study file could hold."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise Refused(
            Problem("config.half_character", values={"code": f"{ord(error.object[error.start]):04x}"})
        ) from None


def _check_depth(found: object) -> None:
    """Refuse what a study could not hold; level by level, so that no depth can exhaust the stack."""
    level = [found]
    for _ in range(DEPTH):
        inner = (v.values() if isinstance(v, dict) else v for v in level if isinstance(v, dict | list))
        level = [value for values in inner for value in values]
        if not level:
            return
    raise Refused(Problem("config.too_deep", values={"limit": DEPTH}))
