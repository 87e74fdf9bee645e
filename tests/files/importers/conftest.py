"""Reading a text as if a tool had written it into a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.analysis.measured.imported import Imported
from explorer.files.importers import read_measurements

Read = Callable[[str | bytes], Imported]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads content from a file whose name says nothing."""

    def read_content(content: str | bytes) -> Imported:
        path = tmp_path / "measured.bin"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_measurements(path)

    return read_content
