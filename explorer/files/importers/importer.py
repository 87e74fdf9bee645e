"""What an importer declares: one tool's files, how they are known and how they are read."""

from collections.abc import Callable
from typing import NamedTuple

from explorer.analysis.measured.imported import Imported
from explorer.files.importers.source import SourceText


class Importer(NamedTuple):
    """The files of one tool; each module of importers declares its own as `IMPORTER`.

    `tool` is its name in answers and in the tests' worst cases, `words` what lists of readable files call it.
    """

    tool: str
    words: str
    recognises: Callable[[SourceText], bool]
    read: Callable[[SourceText], Imported]
