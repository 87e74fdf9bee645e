"""llama-bench in every form it prints, with logs, several tables and prose between."""

from typing import Final

from explorer.analysis.measured.imported import Imported
from explorer.files.importers.importer import Importer
from explorer.files.importers.llama.blocks import Walk, unquoted_line
from explorer.files.importers.llama.table import mark_of
from explorer.files.importers.source import SourceText

TOOL: Final = "llama-bench"


def recognises(source: SourceText) -> bool:
    """Whether the file holds rows of llama-bench or llama-batched-bench."""
    start = source.start
    if "n_prompt" in start and "n_gen" in start and ("avg_ts" in start or "avg_ns" in start):
        return True
    return any(mark_of(unquoted_line(line)) for line in source.start_lines)


def read(source: SourceText) -> Imported:
    """Every test of every table."""
    return Walk(source.text()).imported()


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
