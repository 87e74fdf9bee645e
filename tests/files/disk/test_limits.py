"""Every limit of files at the figure it was measured for."""

import pytest

from explorer.files.disk import limits
from explorer.files.importers.source import SourceText


def source(tmp_path, data, progress=None):
    path = tmp_path / "x"
    path.write_bytes(data)
    return SourceText(path, progress)


LIMITS = {
    "HEAD": 256 * 1024,
    "HEAD_LINES": 20_000,
    "DEVICE": 1_000_000,
    "STUDY": 64 * 2**20,
    "YAML_VALUES": 4_000_000,
    "CONFIG": 8 * 2**20,
    "FOLDER_ENTRIES": 20_000,
    "GGUF_HEAD": 64 * 2**20,
    "GGUF_KEYS": 20_000,
    "GGUF_TENSORS": 100_000,
    "GGUF_STRINGS": 4_000_000,
    "GGUF_KEPT_TEXT": 8 * 2**20,
    "GGUF_KEPT_NUMBERS": 500_000,
    "SAFETENSORS_HEAD": 32 * 2**20,
    "SAFETENSORS_TENSORS": 250_000,
    "INDEX": 32 * 2**20,
    "INDEX_TENSORS": 400_000,
    "TOOL_TEXT": 8 * 2**20,
    "TOOL_JSON": 512 * 1024,
    "TOOL_LINES": 400_000,
    "TOOL_TABLE": 24 * 2**20,
    "TOOL_STREAM": 512 * 2**20,
    "TOOL_LINE": 4 * 2**20,
    "TOOL_POINTS": 100_000,
    "TOOL_FIGURES": 1_500_000,
    "TOOL_ROWS": 4_000_000,
    "TOOL_PAGES": 1_000,
    "TOOL_COLUMNS": 20_000,
    "TRACE_EVENTS": 4_000_000,
    "TRACE_SPANS": 1_000_000,
    "TRACE_KINDS": 20_000,
    "PACKED_MEMBERS": 1_000,
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_what_it_was_measured_for(tmp_path, name):
    """Each was chosen after measuring time and memory; another one wants another measurement."""
    assert source(tmp_path, b"x" * (LIMITS["HEAD"] + 1)).head == b"x" * LIMITS["HEAD"]
    assert getattr(limits, name) == LIMITS[name]


def test_every_limit_is_held():
    assert set(LIMITS) == {n for n, v in vars(limits).items() if isinstance(v, int)} - {"KIB", "MIB"}
