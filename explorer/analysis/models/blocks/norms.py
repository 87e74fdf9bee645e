"""Norms and where a layer has them."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.parts import Dim, Op, Per, Tensor, elementwise

NormKind = Literal["rms_norm", "layer_norm"]
USUAL: dict[NormKind, int] = {"rms_norm": 1, "layer_norm": 2}  # a scale; a scale and a shift
UNIT_NORM = 4.0  # FLOPs per value, as of any RMS norm


class NormScheme(msgspec.Struct, frozen=True):
    """Names of a layer's norms around its two halves; "" where there is none.

    `weights` is what a layer norm owns per channel: 2 with its shift, 1 without; 0 for none at all, of any norm.
    `on_sum` puts the norms after a half behind its residual addition, as the first transformers had them.
    """

    before_attention: str = "input_layernorm"
    after_attention: str = ""
    before_mlp: str = "post_attention_layernorm"
    after_mlp: str = ""
    final: str = "norm"
    kind: NormKind = "rms_norm"
    weights: int = 2
    on_sum: bool = False


PRE = NormScheme()
POST = NormScheme("", "post_attention_layernorm", "", "post_feedforward_layernorm")
SANDWICH = NormScheme(
    "input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"
)


def norm(
    name: str,
    channels: int,
    *,
    kind: NormKind = "rms_norm",
    parent: str = "",
    rows: float = 1.0,
    weights: int | None = None,
) -> Op:
    """A norm over `channels` of each of tokens x rows vectors; it owns `weights` values per channel, else the usual."""
    path = f"{parent}.{name}" if parent else name
    per_channel = USUAL[kind] if weights is None else weights
    dims: tuple[tuple[str, Dim], ...] = (("rows", Per("tokens", rows)), ("channels", float(channels)))
    other = (("per_channel", float(per_channel)),) if per_channel != USUAL[kind] else ()
    owned = (Tensor(f"{path}.weight", per_channel * channels, "norm"),) if per_channel else ()
    return Op(name, kind, (*dims, *other), "norm", parent=parent, tensors=owned)


def norms(scheme: NormScheme, name: str, channels: int) -> tuple[Op, ...]:
    """The named norm of a scheme, or nothing; a name may carry its parent."""
    parent, _, leaf = name.rpartition(".")
    weights = scheme.weights if scheme.kind == "layer_norm" or not scheme.weights else None
    return (norm(leaf, channels, kind=scheme.kind, parent=parent, weights=weights),) if name else ()


def unit_norm(name: str, width: int, parent: str) -> Op:
    """An RMS norm without weights."""
    plain = elementwise(name, "scale", width, "norm", parent=parent)
    return replace(plain, dims=(*plain.dims, ("per_value", UNIT_NORM)))
