"""Norms and where a layer has them."""

from dataclasses import dataclass
from typing import Literal

from explorer.analysis.models.parts import Op, Per, Tensor

NormKind = Literal["rms_norm", "layer_norm"]


@dataclass(frozen=True, slots=True)
class NormScheme:
    """Names of a layer's norms around its two halves; "" where there is none."""

    before_attention: str = "input_layernorm"
    after_attention: str = ""
    before_mlp: str = "post_attention_layernorm"
    after_mlp: str = ""
    final: str = "norm"
    kind: NormKind = "rms_norm"


PRE = NormScheme()
POST = NormScheme("", "post_attention_layernorm", "", "post_feedforward_layernorm")
SANDWICH = NormScheme(
    "input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"
)


def norm(name: str, channels: int, *, kind: NormKind = "rms_norm", parent: str = "", rows: float = 1.0) -> Op:
    """A norm over `channels` of each of tokens x rows vectors; a layer norm owns a scale and a shift."""
    path = f"{parent}.{name}" if parent else name
    per_channel = 2 if kind == "layer_norm" else 1
    return Op(
        name,
        kind,
        (("rows", Per("tokens", rows)), ("channels", float(channels))),
        "norm",
        parent=parent,
        tensors=(Tensor(f"{path}.weight", per_channel * channels, "norm"),),
    )


def norms(scheme: NormScheme, name: str, channels: int) -> tuple[Op, ...]:
    """The named norm of a scheme, or nothing."""
    return (norm(name, channels, kind=scheme.kind),) if name else ()
