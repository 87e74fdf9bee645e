"""Whether a file or a folder holds a model, and in which format its weights are: decided here, for all who ask."""

from itertools import islice
from os import scandir
from pathlib import Path
from typing import Final, Literal

from explorer.files.disk import limits
from explorer.files.disk.places import is_file
from explorer.files.models.config import FILE
from explorer.files.models.gguf.header import MAGIC
from explorer.files.models.safetensors import looks_like_safetensors

TELLING: Final = 9  # bytes at the start of a file that tell its format
PARAMS: Final = "params.json"
ADAPTER: Final = "adapter_config.json"
_ALONE: Final = (PARAMS, ADAPTER, "model_index.json", "genai_config.json", "modules.json")  # in place of a config
WeightsFormat = Literal["gguf", "safetensors", ""]


def weights_format(start: bytes) -> WeightsFormat:
    """The format of a file of weights by its first bytes; empty where it is another file."""
    if start[:4] == MAGIC:
        return "gguf"
    return "safetensors" if looks_like_safetensors(start[:TELLING]) else ""


def holds_model(folder: Path) -> bool:
    """Whether a folder holds a config, GGUF files or what stands in a config's place."""
    return is_file(folder / FILE) or bool(_ggufs(folder)) or alone_in(folder) is not None


def alone_in(folder: Path) -> Path | None:
    """The file of a folder without a config that says what the folder holds."""
    return next((folder / name for name in _ALONE if is_file(folder / name)), None)


def gguf_alone(folder: Path) -> Path | None:
    """The one GGUF model, or the first part of one, of a folder without a config."""
    found = [p for p in _ggufs(folder) if "mmproj" not in p.name]
    if is_file(folder / FILE) or not found:
        return None
    return found[0] if len(found) == 1 or "-00001-of-" in found[0].name else None


def _ggufs(folder: Path) -> list[Path]:
    """GGUF files among the first entries of a folder."""
    try:
        with scandir(folder) as entries:
            return sorted(folder / e.name for e in islice(entries, limits.FOLDER_ENTRIES) if e.name.endswith(".gguf"))
    except OSError:
        return []
