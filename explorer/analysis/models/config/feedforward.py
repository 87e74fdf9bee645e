"""Reading dense feed-forward blocks of a config: one entry per layer."""

from collections.abc import Callable, Mapping
from typing import cast

import msgspec

from explorer.analysis.models.blocks.mlp import Activation, Gate, GatedMlp, PlainMlp
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.transformer import Half

GATES = {"silu", "gelu", "relu2"}
MlpRule = Callable[[Fields, int, int], tuple[Half, ...]]
ACTIVATIONS: dict[str, Activation] = {
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_new": "gelu",
    "gelu_fast": "gelu",
    "gelu_python": "gelu",
    "gelu_pytorch_tanh": "gelu",
    "quick_gelu": "gelu",
    "relu": "relu",
    "relu2": "relu2",
    "xielu": "xielu",
}


def activation(fields: Fields, *names: str, known: Mapping[str, Activation]) -> Activation:
    """The activation function, counted as SiLU, GELU or ReLU."""
    text = fields.text(*names)
    if text in known or fields.problems:
        return known.get(text, "silu")
    fields.fault("model.activation_unknown", names[0], value=brief(text), known=", ".join(known))
    return "silu"


def gated_activation(*names: str) -> Callable[[Fields], Gate]:
    """A reader of the activation of gated blocks."""
    known: Mapping[str, Activation] = {name: kind for name, kind in ACTIVATIONS.items() if kind in GATES}
    return lambda fields: cast("Gate", activation(fields, *names, known=known))


silu = gated_activation("hidden_act", "hidden_activation")


def dense(
    *,
    bias: str = "",
    fused: str = "",
    gate: Callable[[Fields], Gate] = silu,
    inner_norm: str = "",
    down: str = "down_proj",
) -> MlpRule:
    """Gated blocks of `intermediate_size`; `bias` names the field that gives them biases."""

    def blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
        block = GatedMlp(
            hidden,
            fields.size("intermediate_size"),
            gate(fields),
            bias=fields.flag(bias) if bias else False,
            fused=fused,
            down=down,
            inner_norm=inner_norm,
        )
        return (block,) * layers

    return blocks


class PlainNames(msgspec.Struct, frozen=True):
    """Module names of an ungated block."""

    inward: str = "c_fc"
    act: str = "act"
    outward: str = "c_proj"
    parent: str = "mlp"


_USUAL = PlainNames()
FC = PlainNames("fc1", "activation_fn", "fc2")
UP_DOWN = PlainNames("up_proj", "act_fn", "down_proj")
DENSE = PlainNames("dense_h_to_4h", "act", "dense_4h_to_h")


def plain(
    inner: tuple[str, ...],
    activation_field: str,
    *,
    names: PlainNames = _USUAL,
    bias: str | bool = True,
    derived: bool = True,
    act: Activation = "gelu",
) -> MlpRule:
    """Ungated blocks, with biases or with the flag that says so.

    The inner size is 4 x hidden where the config leaves it null and may do so (`derived`), or where it has no field;
    without a field the activation is `act`.
    """

    def blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
        size = fields.size(*inner, otherwise=4 * hidden if derived else None) if inner else 4 * hidden
        named = activation(fields, activation_field, known=ACTIVATIONS) if activation_field else act
        biased = bias if isinstance(bias, bool) else fields.flag(bias)
        block = PlainMlp(hidden, size, named, biased, names.inward, names.act, names.outward, names.parent)
        return (block,) * layers

    return blocks
