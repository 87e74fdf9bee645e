"""BLT, the Byte Latent Transformer (arXiv 2412.09871): a transformer over patches of bytes, between local ones.

Structure: the transformers library, version 5.24 (blt). How many bytes a patch has depends on the text, so that steps
are of patches and run the global transformer alone.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import nested
from explorer.analysis.models.parts import Architecture, Tensor, linear
from explorer.analysis.models.transformer import assemble
from explorer.analysis.problem import Value

Defaults = Mapping[str, Value | None]
TOP: Final[Defaults] = {
    "vocab_size": 260, "cross_attn_k": 2, "patch_in_forward": True, "tie_word_embeddings": False,
    "encoder_hash_byte_group_vocab": 500_002, "encoder_hash_byte_group_nb_functions": 1,
}  # fmt: skip
ENCODER: Final[Defaults] = {
    "vocab_size": 260, "cross_attn_all_layers": False, "cross_attn_k": 2, "hidden_size": 1024,
    "num_attention_heads": 16, "num_hidden_layers": 1,
}  # fmt: skip
DECODER: Final[Defaults] = {
    "cross_attn_all_layers": True, "cross_attn_k": 2, "hidden_size": 1024, "hidden_size_global": 2048,
    "num_attention_heads": 16, "num_hidden_layers": 9, "intermediate_size": 2816,
}  # fmt: skip
PATCHER: Final[Defaults] = {
    "vocab_size": 260, "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 14,
    "intermediate_size": 2048,
}  # fmt: skip
GLOBAL: Final[Defaults] = {
    "hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 25, "intermediate_size": 5632,
    "max_position_embeddings": 4096, "hidden_act": "silu",
}  # fmt: skip
GROUPS: Final = 6  # sizes of byte groups, where a config lists none
MOST: Final = 1_000  # cross-attention heads of a patch, functions and sizes of groups: more than anybody has
PATCHES: Final = DecoderReader("BLT", GLOBAL)


class Blt(msgspec.Struct, frozen=True):
    """The global transformer's rows; what works on bytes counts among the parameters."""

    label: str = "BLT"
    defaults: Defaults = msgspec.field(default_factory=lambda: TOP)

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        part = nested(fields, "global_config", GLOBAL).without("head_dim", "num_nextn_predict_layers")
        patches = PATCHES.decoder(part.restated(vocab_size=1, tie_word_embeddings=False))
        reads, writes = nested(fields, "encoder_config", ENCODER), nested(fields, "decoder_config", DECODER)
        bytes_, width = reads.size("hidden_size"), patches.hidden
        _alike(writes, "hidden_size", bytes_)
        _alike(writes, "hidden_size_global", width)
        k = fields.size("cross_attn_k", limit=MOST)
        for local in (reads, writes):
            _alike(local, "cross_attn_k", k)
        held = {
            "local_encoder": _encoder(reads), "local_decoder": _decoder(writes), "patcher": _patcher(fields),
            "encoder_hash_tok_embedding": _hashed(fields) * bytes_, "lm_head": _head(fields, reads),
        }  # fmt: skip
        fields.note("model.patches")
        fields.refuse_faults()
        extra = tuple(Tensor(name, values, "vision") for name, values in held.items() if values)
        made = assemble(replace(patches, extra=extra), storage)
        joined = linear("token_embedding_projection", k * bytes_, width, "projection", parent="", group="embedding")
        return replace(made, before=(joined,) if k * bytes_ != width else (), after=())

    def max_context(self, fields: Fields) -> int | None:
        """The longest row of patches the config names, if any."""
        return PATCHES.max_context(nested(fields, "global_config", GLOBAL))


def _alike(part: Fields, name: str, expected: int) -> None:
    """Sizes that have to meet for the class to run."""
    found = part.size(name)
    part.check(found == expected, "model.variant_unread", name, value=str(found), known=str(expected))


def _attention(part: Fields) -> int:
    hidden, heads = part.size("hidden_size"), part.size("num_attention_heads")
    kv_heads = part.size("num_key_value_heads", otherwise=heads)
    part.check(hidden % heads == 0, "model.hidden_not_divisible", "hidden_size", hidden=hidden, heads=heads)
    part.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    return 2 * hidden * (heads + kv_heads) * (hidden // heads)


def _layers(part: Fields) -> int:
    """Llama's layers."""
    hidden = part.size("hidden_size")
    inner = part.size("intermediate_size", otherwise=8 * hidden // 3)
    return _depth(part) * (_attention(part) + 3 * hidden * inner + 2 * hidden)


def _depth(part: Fields) -> int:
    return part.size("num_hidden_layers", limit=LAYER_LIMIT)


def _crossed(part: Fields) -> int:
    """Cross-attention between bytes and patches, behind every layer or one; norms of queries and of keys."""
    count = _depth(part) if part.flag("cross_attn_all_layers") else 1
    return count * (_attention(part) + 2 * part.size("hidden_size"))


def _encoder(part: Fields) -> int:
    hidden, k = part.size("hidden_size"), part.size("cross_attn_k", limit=MOST)
    return _layers(part) + _crossed(part) + hidden * hidden * k + part.size("vocab_size") * hidden


def _decoder(part: Fields) -> int:
    hidden, k = part.size("hidden_size"), part.size("cross_attn_k", limit=MOST)
    return _layers(part) + _crossed(part) + part.size("hidden_size_global") * hidden * k + hidden


def _patcher(fields: Fields) -> int:
    """A small decoder whose uncertainty says where a patch ends, if the model has its own."""
    if not fields.flag("patch_in_forward"):
        return 0
    part = nested(fields, "patcher_config", PATCHER)
    hidden = part.size("hidden_size")
    return _layers(part) + hidden + 2 * part.size("vocab_size") * hidden


def _hashed(fields: Fields) -> int:
    """Rows of the table of hashed groups of bytes."""
    sizes = fields.items("encoder_hash_byte_group_size", lambda n: isinstance(n, int) and n > 0)
    functions = fields.size("encoder_hash_byte_group_nb_functions", limit=MOST)
    return (len(sizes) if sizes else GROUPS) * functions * fields.size("encoder_hash_byte_group_vocab")


def _head(fields: Fields, reads: Fields) -> int:
    """The head's own values: none where it is the encoder's table."""
    tied, size = fields.flag("tie_word_embeddings"), fields.size("vocab_size")
    if tied:
        _alike(reads, "vocab_size", size)
    return 0 if tied else size * reads.size("hidden_size")


FAMILIES: Final = (Family(("blt",), Blt()),)
