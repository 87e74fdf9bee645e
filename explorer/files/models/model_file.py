"""Models from files of every kind: a config, a model folder, GGUF, safetensors with the config beside it."""

from pathlib import Path
from typing import Any, Final

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.study import ModelEntry
from explorer.files.disk.binary import first_bytes
from explorer.files.disk.places import is_file, is_folder
from explorer.files.disk.text import printable
from explorer.files.models.config import FILE, config_file, read_config
from explorer.files.models.gguf.architectures import config_of
from explorer.files.models.gguf.header import read_gguf
from explorer.files.models.gguf.tensor_types import FILE_TYPES
from explorer.files.models.kind import ADAPTER, PARAMS, TELLING, alone_in, gguf_alone, weights_format
from explorer.files.models.neighbours import as_config, known_by_name
from explorer.files.models.safetensors import (
    INDEX,
    SINGLE,
    folder_tensors,
    read_index,
    read_safetensors,
)
from explorer.files.models.sidecars import with_sidecar
from explorer.files.models.tensors import FileTensor, summarise

_NAME_LIMIT: Final = 100


def read_model(path: Path) -> ModelEntry:
    """The model of a file or folder, with the tensors where the weights are there; its id is left empty.

    Raises
    ------
    Refused
        The file is no model, is damaged or ends early, or a part of it is missing.
    """
    if is_folder(path):
        return _of_folder(path)
    weights = weights_format(first_bytes(path, TELLING))
    if weights == "gguf":
        return _of_gguf(path)
    if weights == "safetensors":
        return _beside_config(path, _whole_model(path))
    if path.name.endswith(".index.json"):
        return _beside_config(path, read_index(path))
    return ModelEntry(id="", name=model_name(path), source=printable(path.name), config=_config(path))


def _config(path: Path) -> dict[str, Any]:
    """A config, with what lies beside it; one under a name of its own stands alone."""
    known_by_name(path)
    config = as_config(read_config(path))
    return with_sidecar(config, path.parent) if path.name == FILE else config


def model_name(path: Path) -> str:
    """A name for the model of a file: that of the file, or of its folder where the file's says nothing."""
    place = path.resolve()
    if place.name in {FILE, INDEX, SINGLE, PARAMS} or _is_shard(place.name):
        place = place.parent
    if place.parent.name == "snapshots":  # a downloaded snapshot lies under its hash
        place = place.parent.parent
    name = place.name
    for ending in (".json", ".gguf", ".safetensors"):
        name = name.removesuffix(ending)
    name = name.rpartition("--")[2]
    return "".join(c for c in name if c.isprintable())[:_NAME_LIMIT] or "model"


def _is_shard(name: str) -> bool:
    return name.startswith("model-") and name.endswith(".safetensors")


def _of_folder(folder: Path) -> ModelEntry:
    """A model folder: its config, and the tensors of its weights; without a config, its one GGUF file."""
    gguf = gguf_alone(folder)
    if gguf is not None:
        return _of_gguf(gguf)
    other = None if is_file(folder / FILE) else alone_in(folder)
    config = _config(other or config_file(folder))
    return _entry(folder, config, folder_tensors(folder))


def _whole_model(path: Path) -> tuple[FileTensor, ...] | None:
    """The tensors of a file, or of all shards where it is one of several."""
    index = path.with_name(INDEX)
    if _is_shard(path.name) and not is_file(index):
        raise Refused(Problem("tensors.part_missing", values={"file": INDEX}))
    return read_index(index) if _is_shard(path.name) else read_safetensors(path)


def _beside_config(path: Path, tensors: tuple[FileTensor, ...] | None) -> ModelEntry:
    if is_file(path.with_name(ADAPTER)) and not is_file(path.with_name(FILE)):
        _config(path.with_name(ADAPTER))
    if not is_file(path.with_name(FILE)):
        raise Refused(Problem("safetensors.no_config", values={"file": FILE}))
    return _entry(path, _config(path.with_name(FILE)), tensors)


def _entry(path: Path, config: dict[str, Any], tensors: tuple[FileTensor, ...] | None) -> ModelEntry:
    summary = None if tensors is None else summarise(tensors, _label(config, tensors))
    return ModelEntry(id="", name=model_name(path), source=printable(path.name), config=config, tensors=summary)


def _label(config: dict[str, Any], tensors: tuple[FileTensor, ...]) -> str:
    """The quantisation method, else the format most bytes are stored in."""
    quantised = config.get("quantization_config")
    method = quantised.get("quant_method") if isinstance(quantised, dict) else None
    bits = quantised.get("bits") if isinstance(quantised, dict) else None
    if isinstance(method, str) and method.isprintable() and len(method) <= 40:
        return f"{method} {bits} bit" if isinstance(bits, int) and 0 < bits <= 32 else method
    bytes_of: dict[str, int] = {}
    for tensor in tensors:
        bytes_of[tensor.format] = bytes_of.get(tensor.format, 0) + tensor.bytes
    return max(bytes_of, key=lambda name: bytes_of[name], default="bf16")


def _of_gguf(path: Path) -> ModelEntry:
    file = read_gguf(path)
    read = config_of(file)
    kind = file.metadata.get("general.file_type")
    label = FILE_TYPES.get(kind, "") if isinstance(kind, int) else ""
    if not label:
        label = _label({}, file.tensors)
    return ModelEntry(
        id="",
        name=model_name(path),
        source=printable(path.name),
        config=read.config,
        tensors=summarise(file.tensors, label, read.read_as),
    )
