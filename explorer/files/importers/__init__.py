"""Files of other tools: recognised by what they hold, never by their names."""

import re
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from explorer.analysis.measured.imported import Imported, Skipped
from explorer.analysis.problem import Note, Problem, Refused
from explorer.files.disk.text import printable
from explorer.files.importers import registry
from explorer.files.importers.source import Cancelled, Progress, SourceText

_PROFILER: Final = re.compile(r"^==(?:PROF|ERROR|\d{1,9})==|^rocprof|^\[rocprof", re.MULTILINE)

__all__ = ["Cancelled", "Progress", "read_measurements", "recognised"]


def recognised(path: Path) -> str:
    """The tool that wrote a file, by its first megabyte; empty where none did, or the file cannot be read."""
    try:
        source = SourceText(path)
        return next((i.tool for i in registry.IMPORTERS if source.head and i.recognises(source)), "")
    except Refused:
        return ""


def read_measurements(path: Path, progress: Progress | None = None) -> Imported:
    """Return what a measurement file of any known tool says.

    `progress` is told the share done now and then; when it returns False, `Cancelled` is raised.

    Raises
    ------
    Refused
        The file cannot be read, is of no known tool, or holds not one row that can be used.
    """
    source = SourceText(path, progress)
    if not source.head:
        raise Refused(Problem("import.empty", values={"file": printable(path.name)}))
    importer = next((i for i in registry.IMPORTERS if i.recognises(source)), None)
    if importer is None:
        raise Refused(Problem("import.unknown", values={"file": printable(path.name)}))
    try:
        imported = _unprofiled(importer.read(source), source)
        half_characters(imported)
    except UnicodeEncodeError as error:
        code = f"{ord(error.object[error.start]):04x}"
        raise Refused(Problem("config.half_character", values={"code": code})) from None
    except RecursionError:
        raise Refused(Problem("import.too_deep", values={"file": printable(path.name)})) from None
    except MemoryError:
        raise Refused(Problem("import.memory", values={"file": printable(path.name)})) from None
    if not imported.points and not imported.ceilings:
        raise _nothing(imported, path)
    source.report_progress(1.0)
    return imported


def _unprofiled(imported: Imported, source: SourceText) -> Imported:
    """Without the ceilings of a benchmark that ran under a profiler's replay."""
    if not imported.ceilings or _PROFILER.search(source.start) is None:
        return imported
    why = Skipped(imported.tool, Note("import.profiled"), len(imported.ceilings))
    return replace(imported, ceilings=(), skipped=(*imported.skipped, why))


def half_characters(imported: Imported) -> None:
    """Raise UnicodeEncodeError for a text that no file and no terminal could hold."""
    texts = {t for p in imported.points for t in (p.name, p.device, p.model, p.file, p.backend, p.kv, p.format)}
    texts |= {t for c in imported.ceilings for t in (c.name, c.level, c.link, c.format, c.device)}
    "".join(texts).encode()
    imported.device.encode()


def _nothing(imported: Imported, path: Path) -> Refused:
    values = {"tool": imported.tool, "file": printable(path.name)}
    if not imported.skipped:
        return Refused(Problem("import.nothing", values=values))
    first = imported.skipped[0]
    return Refused(
        Problem("import.unusable", values=values), Problem(first.why.code, printable(first.where), first.why.values)
    )
