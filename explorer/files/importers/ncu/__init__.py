"""Nsight Compute's CSV: details, raw and summary pages, in any locale, with NVTX columns and other lines between."""

from typing import Final

from explorer.analysis.measured.imported import Imported
from explorer.files.importers.importer import Importer
from explorer.files.importers.ncu.pages import is_header, read_pages
from explorer.files.importers.source import SourceText

TOOL: Final = "Nsight Compute"


def recognises(source: SourceText) -> bool:
    """Whether a line names the columns of a page."""
    return any(is_header(line) for line in source.start_lines if "Kernel Name" in line)


def read(source: SourceText) -> Imported:
    """Every launch of every kernel, or every kernel of a summary."""
    return read_pages(source, TOOL)


IMPORTER: Final = Importer(TOOL, "Nsight Compute CSV", recognises, read)
