"""What a GGUF header says of a model, and what every decoder takes from it.

Keys: the GGUF specification and the `gguf` package's table of keys.
"""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models.config.fields import LAYER_LIMIT
from explorer.analysis.problem import Problem, Refused
from explorer.files.models.gguf.header import GgufFile

Config = dict[str, Any]


_WIDE: Final = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}


class Meta:
    """Metadata of one architecture by key, and what the tensors tell."""

    def __init__(self, file: GgufFile, architecture: str) -> None:
        self.file = file
        self.architecture = architecture
        self.stems = {stem_of(t.name) for t in file.tensors}
        self.names = {t.name for t in file.tensors}

    def number(self, key: str) -> int | None:
        """A whole number; of one per layer the largest."""
        value = self.file.metadata.get(f"{self.architecture}.{key}")
        if isinstance(value, tuple):
            value = max(value, default=None)
        whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
        return int(value) if whole and isinstance(value, int | float) else None

    def varies(self, key: str) -> bool:
        """Whether layers differ in a number."""
        value = self.file.metadata.get(f"{self.architecture}.{key}")
        return isinstance(value, tuple) and len(set(value)) > 1

    def each(self, key: str, count: int) -> tuple[int, ...]:
        """A number of each of `count` layers; nothing where it is not there or there are fewer."""
        value = self.file.metadata.get(f"{self.architecture}.{key}")
        if not isinstance(value, tuple):
            one = self.number(key)
            return () if one is None else (one,) * min(count, LAYER_LIMIT + 1)
        whole = all(isinstance(item, int) and not isinstance(item, bool) for item in value)
        return tuple(int(item) for item in value[:count]) if whole and len(value) >= count else ()

    def needed(self, key: str) -> int:
        """A number that every model has; raise Refused."""
        value = self.number(key)
        if value is None:
            raise Refused(Problem("gguf.key", values={"key": f"{self.architecture}.{key}"}))
        return value

    def has(self, stem: str) -> bool:
        """Whether any block holds a tensor of this name."""
        return stem in self.stems

    def biased(self, stem: str) -> bool:
        """Whether the first block's tensor has a bias."""
        return f"blk.0.{stem}.bias" in self.names

    def biased_in_any(self, stem: str) -> bool:
        """Whether the tensor of any block has a bias, for what not every block has."""
        return any(name.startswith("blk.") and name.endswith(f".{stem}.bias") for name in self.names)

    def flag(self, key: str) -> bool:
        """Whether a yes or no is there and says yes."""
        return self.file.metadata.get(f"{self.architecture}.{key}") is True

    def layers_with(self, stem: str, count: int) -> tuple[bool, ...]:
        """Which of `count` blocks hold a tensor of this name; of a count that cannot be, one more than can."""
        return tuple(f"blk.{i}.{stem}.weight" in self.names for i in range(min(count, LAYER_LIMIT + 1)))

    def size(self, name: str, axis: int) -> int | None:
        """One size of a tensor, innermost first."""
        sizes = self.file.shapes.get(name, ())
        return sizes[axis] if len(sizes) > axis else None

    def size_in_any(self, stem: str, axis: int) -> int | None:
        """One size of the tensor of this name in the first block that has it."""
        places = (name for name in sorted(self.names) if name.startswith("blk.") and name.endswith(f".{stem}.weight"))
        return next((self.size(name, axis) for name in places), None)


def stem_of(name: str) -> str:
    words = name.split(".")
    return ".".join(words[2:-1] if words[0] == "blk" and len(words) > 3 else words[:-1])


def base_config(meta: Meta, model_type: str, *, uneven: bool = False) -> Config:
    """What every decoder states; of what differs from layer to layer the largest, where that is `uneven` by nature."""
    heads = meta.needed("attention.head_count")
    for key in ("attention.head_count", "attention.head_count_kv", "feed_forward_length"):
        if meta.varies(key) and not uneven:
            raise Refused(Problem("gguf.layers_differ", values={"key": f"{meta.architecture}.{key}"}))
    hidden = meta.needed("embedding_length")
    return {
        "model_type": model_type,
        "hidden_size": hidden,
        "num_hidden_layers": meta.needed("block_count") - (meta.number("nextn_predict_layers") or 0),
        "num_attention_heads": heads,
        "num_key_value_heads": meta.number("attention.head_count_kv") or heads,
        "head_dim": meta.number("attention.key_length") or hidden // max(heads, 1),
        "intermediate_size": meta.number("feed_forward_length"),
        "vocab_size": _vocabulary(meta),
        "max_position_embeddings": meta.number("context_length"),
        "tie_word_embeddings": "output.weight" not in meta.names,
        "torch_dtype": _dtype(meta.file),
    }


def _vocabulary(meta: Meta) -> int | None:
    return (
        meta.size("token_embd.weight", 1)
        or meta.number("vocab_size")
        or _counted(meta.file.metadata, "tokenizer.ggml.tokens")
    )


def _counted(metadata: Mapping[str, Any], key: str) -> int | None:
    found = metadata.get(f"{key}#")
    return found if isinstance(found, int) else None


def _dtype(file: GgufFile) -> str:
    """What activations are taken to be: the file's own 16 bit, else fp16, in which llama.cpp keeps its KV cache."""
    bytes_of: dict[str, int] = {}
    for tensor in file.tensors:
        bytes_of[tensor.format] = bytes_of.get(tensor.format, 0) + tensor.bytes
    most = max(bytes_of, key=lambda name: bytes_of[name])
    return _WIDE.get(most, "float16")


def experts_config(meta: Meta) -> Config:
    """Experts under the names of the Qwen family."""
    return {
        "num_experts": meta.needed("expert_count"),
        "num_experts_per_tok": meta.needed("expert_used_count"),
        "moe_intermediate_size": meta.number("expert_feed_forward_length") or meta.size("blk.0.ffn_up_exps.weight", 1),
        "decoder_sparse_step": 1,
        "mlp_only_layers": [],
    }
