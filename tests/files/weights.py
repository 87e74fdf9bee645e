"""Files of weights as tests need them: the head is real, the data a hole in a sparse file."""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.files.models.gguf.tensor_types import TYPES

KIND_OF = {stored.name: number for number, stored in TYPES.items()}
Tensor = tuple[str, tuple[int, ...], str]  # name, sizes innermost first, format


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: Any) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + _string(value)
    if all(isinstance(item, str) for item in value):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_string, value))
    return struct.pack(f"<IIQ{len(value)}I", 9, 4, len(value), *value)


def size_of(tensor: Tensor) -> int:
    values = 1
    for size in tensor[1]:
        values *= size
    stored = TYPES[KIND_OF[tensor[2]]]
    return values // stored.block * stored.bytes


def gguf_head(metadata: Mapping[str, Any], tensors: Sequence[Tensor], version: int = 3) -> tuple[bytes, int]:
    """The head of a file, padded, and the bytes of data that follow it."""
    head = struct.pack("<4sIQQ", b"GGUF", version, len(tensors), len(metadata))
    head += b"".join(_string(key) + _value(value) for key, value in metadata.items())
    offset = 0
    for tensor in tensors:
        name, sizes, stored = tensor
        head += _string(name) + struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes)
        head += struct.pack("<IQ", KIND_OF[stored], offset)
        offset += -(-size_of(tensor) // 32) * 32
    return head + b"\0" * (-len(head) % 32), offset


def write_gguf(path: Path, metadata: Mapping[str, Any], tensors: Sequence[Tensor]) -> Path:
    head, data = gguf_head(metadata, tensors)
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + data)
    return path


def more_bits(layer: int, layers: int) -> bool:
    """Layers whose values and down projections llama.cpp's K_M mixes store wider."""
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def llama_metadata(**more: Any) -> dict[str, Any]:
    """Metadata of Llama-3.1-8B; `layers` sets another number of them."""
    figures = {
        "block_count": 32, "context_length": 131072, "embedding_length": 4096, "feed_forward_length": 14336,
        "attention.head_count": 32, "attention.head_count_kv": 8, "vocab_size": 128256, "rope.dimension_count": 128,
    } | more  # fmt: skip
    return {
        "general.architecture": "llama",
        "general.file_type": 15,
        **{f"llama.{key}": value for key, value in figures.items()},
    }


def llama_tensors(
    layers: int = 32, hidden: int = 4096, inner: int = 14336, kv: int = 1024, vocab: int = 128256
) -> list[Tensor]:
    """Tensors of a Llama in llama.cpp's mix Q4_K_M."""
    tensors: list[Tensor] = [
        ("token_embd.weight", (hidden, vocab), "Q4_K"),
        ("output_norm.weight", (hidden,), "fp32"),
        ("output.weight", (hidden, vocab), "Q6_K"),
        ("rope_freqs.weight", (64,), "fp32"),
    ]
    for i in range(layers):
        wide = "Q6_K" if more_bits(i, layers) else "Q4_K"
        block: Iterable[Tensor] = (
            ("attn_norm", (hidden,), "fp32"),
            ("attn_q", (hidden, hidden), "Q4_K"),
            ("attn_k", (hidden, kv), "Q4_K"),
            ("attn_v", (hidden, kv), wide),
            ("attn_output", (hidden, hidden), "Q4_K"),
            ("ffn_norm", (hidden,), "fp32"),
            ("ffn_gate", (hidden, inner), "Q4_K"),
            ("ffn_up", (hidden, inner), "Q4_K"),
            ("ffn_down", (inner, hidden), wide),
        )
        tensors += [(f"blk.{i}.{name}.weight", sizes, stored) for name, sizes, stored in block]
    return tensors


DTYPE_BYTES = {"BF16": 2, "F16": 2, "F32": 4, "F8_E4M3": 1, "U8": 1, "I32": 4, "U32": 4}
Stored = tuple[str, tuple[int, ...], str]  # name, shape, dtype


def safetensors_head(tensors: Sequence[Stored]) -> tuple[bytes, int]:
    listed: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    offset = 0
    for name, shape, dtype in tensors:
        size = DTYPE_BYTES[dtype]
        for n in shape:
            size *= n
        listed[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(listed).encode()
    return struct.pack("<Q", len(text)) + text, offset


def write_safetensors(path: Path, tensors: Sequence[Stored]) -> Path:
    head, data = safetensors_head(tensors)
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + data)
    return path


def write_sharded(folder: Path, shards: Sequence[Sequence[Stored]]) -> Path:
    """Shards and their index; returns the index."""
    places: dict[str, str] = {}
    for i, tensors in enumerate(shards, start=1):
        name = f"model-{i:05d}-of-{len(shards):05d}.safetensors"
        write_safetensors(folder / name, tensors)
        places |= {tensor[0]: name for tensor in tensors}
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": places}))
    return index
