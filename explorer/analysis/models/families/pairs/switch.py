"""Switch Transformers: T5 with experts in every n-th block, one of which works on a token."""

from typing import Final

import msgspec

from explorer.analysis.models.blocks.mlp import Activation, PlainMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.t5 import T5_DEFAULTS, t5_stacks
from explorer.analysis.models.families.encoders.two_stacks import EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads.parts import ClassHead
from explorer.analysis.models.parts import Op, elementwise
from explorer.analysis.models.transformer import Half

PARENT = "mlp"


class PlainExperts(msgspec.Struct, frozen=True):
    """One of `experts` blocks of two linear layers works on a token."""

    routed: Experts
    activation: Activation

    @property
    def code(self) -> str:
        return self.routed.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        own, values = self.routed, float(self.routed.top_k * self.routed.inner)
        return (
            *own.routing(),
            own.expert("wi", own.hidden, own.inner),
            elementwise("experts.act", self.activation, values, "activation", parent=PARENT),
            own.expert("wo", own.inner, own.hidden),
            own.combine(),
        )


def _switch(fields: Fields) -> TwoStacks:
    """Both stacks (transformers SwitchTransformersForConditionalGeneration)."""
    layers = fields.size("num_layers", limit=LAYER_LIMIT)
    steps = iter(
        _step(fields, f"num_sparse_{side}_layers", count)
        for side, count in (
            ("encoder", layers),
            ("decoder", fields.size("num_decoder_layers", otherwise=layers, limit=LAYER_LIMIT)),
        )
    )
    act = activation(fields, "dense_act_fn", known=ACTIVATIONS)
    inner, experts, biased = fields.size("d_ff"), fields.size("num_experts"), fields.flag("router_bias")

    def mlps(hidden: int, count: int) -> tuple[Half, ...]:
        plain = PlainMlp(hidden, inner, act, bias=False, inward="wi", outward="wo", parent=PARENT)
        routed = Experts(hidden, inner, experts, 1, router="router.classifier", router_bias=biased)
        step = next(steps)
        sparse = PlainExperts(routed, act)
        return tuple(sparse if step == 1 or (step and i % step == 1) else plain for i in range(count))

    only("tie_word_embeddings", be=True)(fields)
    fields.note("model.expert_capacity")
    return t5_stacks(fields, mlps, tied=True, scaled=True)


def _step(fields: Fields, name: str, layers: int) -> int:
    """Which of so many layers has experts: every step-th."""
    sparse = fields.natural(name)
    return layers // sparse if sparse else layers


DEFAULTS: Final = {
    **{name: T5_DEFAULTS[name] for name in ("relative_attention_num_buckets", "d_kv")},
    "dense_act_fn": "relu",
    "num_experts": 8,
    "router_bias": False,
    "num_sparse_encoder_layers": 3,
    "num_sparse_decoder_layers": 3,
}
FAMILIES: Final = (
    Family(
        ("switch_transformers",),
        EncoderDecoderReader("Switch Transformers", _switch, DEFAULTS, heads={"EncoderModel": ClassHead()}),
    ),
)
