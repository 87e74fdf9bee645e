"""Captions of images: GIT, a BERT that writes, and Kosmos-2, whose halves have norms inside."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.norms import NormScheme, norm
from explorer.analysis.models.config.feedforward import PlainNames, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.families.vision.wrapper import Side, Wrapper
from explorer.analysis.models.parts import Op
from explorer.analysis.models.towers import joins
from explorer.analysis.models.transformer import Decoder, Half, Mixer

GIT_IMAGES: Final = Side("git_vision_model", joins.git, place="image_encoder", fixed=True)
GIT_NORMS: Final = NormScheme("", "attention.output.LayerNorm", "", "output.LayerNorm", "", "layer_norm", on_sum=True)
KOSMOS_NORMS: Final = NormScheme("self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", "layer_norm")


def _git(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(
        decoder,
        embedding_norm="embeddings.LayerNorm",
        position_table="position_embeddings",
        head="output",
        head_bias=True,
        extra=GIT_IMAGES.tensors(fields, fields, decoder.hidden),
    )


class NormedInside(msgspec.Struct, frozen=True):
    """A feed-forward half with a layer norm before its last operator."""

    half: Half
    name: str
    width: int
    parent: str

    @property
    def code(self) -> str:
        return self.half.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        *first, last = self.half.ops(mixed=mixed)
        return (*first, norm(self.name, self.width, kind="layer_norm", parent=self.parent), last)


def _kosmos_attention(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    only("add_cross_attention", be=False)(fields)
    made = grouped_query(family, fields, hidden, layers)
    return tuple(
        replace(m, inner_norm="inner_attn_ln", inner_kind="layer_norm") if isinstance(m, GroupedQuery) else m
        for m in made
    )


def _kosmos_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    names = PlainNames("fc1", "activation_fn", "fc2", "ffn")
    made = plain(("ffn_dim",), "activation_function", names=names, derived=False)(fields, hidden, layers)
    return tuple(NormedInside(half, "ffn_layernorm", fields.size("ffn_dim"), "ffn") for half in made)


def _kosmos(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, scaled_embedding=fields.flag("scale_embedding"), parents=("self_attn", "ffn"))


KOSMOS2_TEXT: Final = DecoderReader(
    "Kosmos-2",
    {
        "embed_dim": 2048,
        "layers": 24,
        "attention_heads": 32,
        "ffn_dim": 8192,
        "vocab_size": 65_037,
        "activation_function": "gelu",
        "scale_embedding": True,
        "tie_word_embeddings": True,
    },
    qkv_bias="always",
    out_bias="always",
    multi_head=True,
    rotary="none",
    names=Names(out="out_proj"),
    norms=KOSMOS_NORMS,
    mixers=_kosmos_attention,
    mlps=_kosmos_mlps,
    aliases={
        "hidden_size": ("embed_dim",),
        "num_hidden_layers": ("layers",),
        "num_attention_heads": ("attention_heads",),
    },
    finish=_kosmos,
)

FAMILIES: Final = (
    Family(
        ("git",),
        DecoderReader(
            "GIT",
            {"tie_word_embeddings": False, "hidden_act": "gelu", "max_position_embeddings": 1024},
            qkv_bias="always",
            out_bias="always",
            multi_head=True,
            rotary="none",
            names=Names("attention.self", "attention.output.dense", "", "query", "key", "value"),
            norms=GIT_NORMS,
            mlps=plain(
                ("intermediate_size",),
                "hidden_act",
                names=PlainNames("intermediate.dense", "intermediate_act_fn", "output.dense", ""),
                derived=False,
            ),
            embedding="word_embeddings",
            learned_positions=True,
            finish=_git,
        ),
    ),
    Family(("kosmos_2_text_model",), KOSMOS2_TEXT),
    Family(
        ("kosmos-2",),
        Wrapper(
            "Kosmos-2",
            "kosmos_2_text_model",
            (Side("kosmos_2_vision_model", joins.kosmos2, place="vision_model", fixed=True),),
            {"latent_query_num": 64},
            ties="either",
        ),
    ),
)
