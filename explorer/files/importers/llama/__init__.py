"""llama-bench in every form it prints, with logs, several tables and prose between."""

import re
from typing import Final

from explorer.analysis.measured import Imported
from explorer.files.importers.llama.blocks import Walk
from explorer.files.importers.source import Source

TOOL: Final = "llama-bench"
_SIGNS: Final = (
    re.compile(r'"avg_ts"\s*:'),
    re.compile(r"\bn_prompt\b[^\n]*\bavg_ts\b"),
    re.compile(r"INSERT\s+INTO\s+\S+\s*\([^)]*\bavg_ts\b", re.IGNORECASE),
    re.compile(
        r"^(?=[^\n]*\|\s*test\s*\|)[ \t>]*\|[^\n]*\|\s*(t/s|ts|tps|tok(en)?s?/s)\b", re.MULTILINE | re.IGNORECASE
    ),
    re.compile(r"^[ \t>]*\|\s*PP\s*\|\s*TG\s*\|\s*B\s*\|", re.MULTILINE),
)


def recognises(source: Source) -> bool:
    """Whether the file holds rows of llama-bench or llama-batched-bench."""
    return any(sign.search(source.start) for sign in _SIGNS)


def read(source: Source) -> Imported:
    """Every test of every table."""
    return Walk(source.text()).imported()
