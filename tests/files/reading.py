"""Every reader by name, as one function of a file; what is refused in words is as good as what is read."""

import time
from collections.abc import Callable
from pathlib import Path

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Study
from explorer.files.catalogue import load_catalogue
from explorer.files.detect import detect
from explorer.files.hardware.devices import read_device
from explorer.files.importers import read_measurements
from explorer.files.models.config import read_config
from explorer.files.models.gguf.header import read_gguf
from explorer.files.models.safetensors import read_index, read_safetensors
from explorer.files.study.study import read_study
from explorer.files.typed.pasted import parse_rows
from explorer.files.typed.pasted_measurements import parse_measurements

READERS: dict[str, Callable[[Path], object]] = {
    "gguf": read_gguf,
    "safetensors": read_safetensors,
    "index": read_index,
    "config": read_config,
    "study": read_study,
    "device": read_device,
    "kind of file": detect,
    "pasted rows": lambda path: parse_rows(path.read_text("utf-8"), load_catalogue(devices=False)),
    "pasted measurements": lambda path: parse_measurements(path.read_text("utf-8"), Study(), ()),
}


def seconds(reader: str, path: Path) -> float:
    """CPU time of reading a file, or of refusing it."""
    read = READERS.get(reader, read_measurements)
    started = time.process_time()
    try:
        read(path)
    except Refused as refused:
        assert refused.problems
    return time.process_time() - started
