"""Nsight Compute: CSV of details, raw and summary pages, in any locale, with other lines between; console output."""

from typing import Final

from explorer.analysis.measured.imported import Imported
from explorer.files.importers.importer import Importer
from explorer.files.importers.ncu.console import is_console, read_console
from explorer.files.importers.ncu.pages import is_header, read_pages
from explorer.files.importers.source import SourceText

TOOL: Final = "Nsight Compute"


def recognises(source: SourceText) -> bool:
    """Whether a line names the columns of a page, or a kernel stands above its metrics."""
    return any(is_header(line) for line in source.start_lines if "Kernel Name" in line) or is_console(source)


def read(source: SourceText) -> Imported:
    """Every launch of every kernel, or every kernel of a summary."""
    if is_console(source) and not any(is_header(line) for line in source.start_lines if "Kernel Name" in line):
        return read_console(source, TOOL)
    return read_pages(source, TOOL)


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
