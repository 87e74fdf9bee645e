"""Pythons on this machine that may have torch: found by where people keep them, asked what they have."""

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from explorer.bench.interpreter import ALONE
from explorer.bench.programs import output_of
from explorer.bench.protocol import one_line

_MOST: Final = 40
_PROBE_S: Final = 20.0
_CONDA_HOMES: Final = ("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda")
# torch is not imported for a list of candidates: that takes seconds, its version is beside it
_PROBE: Final = f"""{ALONE}
import importlib.util, json, sys
try:
    from importlib.metadata import version
    torch = version("torch") if importlib.util.find_spec("torch") else None
except Exception:
    torch = None
print(json.dumps({{"python": "%d.%d.%d" % sys.version_info[:3], "torch": torch}}))
"""


class FoundPython(msgspec.Struct, frozen=True):
    """A Python and where it was found: venv, path, conda or pyenv; `torch` is None where it has none."""

    path: str
    where: str
    python: str = ""
    torch: str | None = None


def candidates(variables: Mapping[str, str] | None = None, home: Path | None = None) -> tuple[FoundPython, ...]:
    """Return Pythons of the active environment, of PATH, conda and pyenv, none twice, the likeliest first."""
    known = os.environ if variables is None else variables
    found: dict[tuple[int, int, str], FoundPython] = {}
    for where, path in _places(known, home or Path.home()):
        if (key := _key(path)) is not None and len(found) < _MOST:
            found.setdefault(key, FoundPython(str(path), where))
    return tuple(found.values())


def _key(path: Path) -> tuple[int, int, str] | None:
    """One Python is one folder of programs: links inside it are the same, a venv's link to its base is another.

    A relative path, as of a PATH with a dot in it, leads into whatever folder one happens to work in: it is none.
    """
    try:
        if not (path.is_absolute() and path.is_file() and os.access(path, os.X_OK)):
            return None
        folder = path.parent.stat()
    except OSError:
        return None
    return folder.st_dev, folder.st_ino, "" if path.name in {"python", "python3", "python.exe"} else path.name


def _places(variables: Mapping[str, str], home: Path) -> Iterator[tuple[str, Path]]:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if variables.get(name):
            yield from _in_environment("venv" if name == "VIRTUAL_ENV" else "conda", Path(variables[name]))
    for folder in variables.get("PATH", "").split(os.pathsep):
        if folder:
            yield from (("path", Path(folder, name)) for name in _names())
    for prefix in _conda(home):
        yield from _in_environment("conda", prefix)
    root = Path(variables.get("PYENV_ROOT") or home / ".pyenv")
    for prefix in _folders(root / "versions"):
        yield from _in_environment("pyenv", prefix)


def _names() -> tuple[str, ...]:
    if sys.platform == "win32":
        return ("python.exe",)
    return ("python3", "python", *(f"python3.{minor}" for minor in range(9, 20)))


def _in_environment(where: str, prefix: Path) -> Iterator[tuple[str, Path]]:
    if sys.platform == "win32":
        yield where, prefix / ("Scripts" if where == "venv" else "") / "python.exe"
    else:
        yield where, prefix / "bin" / "python"


def _conda(home: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError, UnicodeDecodeError):  # where conda itself keeps the list
        yield from map(Path, (home / ".conda" / "environments.txt").read_text(encoding="utf-8").split("\n"))
    for name in _CONDA_HOMES:
        yield home / name
        yield from _folders(home / name / "envs")


def _folders(root: Path) -> list[Path]:
    try:
        return sorted((p for p in root.iterdir() if p.is_dir()), reverse=True)
    except OSError:
        return []


def probe(found: FoundPython, timeout_s: float = _PROBE_S) -> FoundPython:
    """The candidate with its versions; one that does not answer keeps an empty `python`."""
    try:
        said = json.loads(output_of([found.path, "-c", _PROBE], timeout_s).split(b"\n")[-2])
        torch = said["torch"]
        version = None if torch is None else one_line(str(torch))
        return msgspec.structs.replace(found, python=one_line(str(said["python"])), torch=version)
    except (OSError, ValueError, KeyError, IndexError, TypeError, RecursionError):
        return found


def with_torch(found: Iterable[FoundPython]) -> Iterator[FoundPython]:
    """Those that have torch, asked one after the other."""
    for each in found:
        asked = probe(each)
        if asked.torch:
            yield asked
