"""Attention whose values are not as wide as its keys, with other KV heads where it slides (MiMo-V2)."""

from typing import Literal

import msgspec

from explorer.analysis.models.blocks.attention import attention_dims, rotary
from explorer.analysis.models.parts import Cache, Op, Tensor, linear

PARENT = "self_attn"


class Asymmetric(msgspec.Struct, frozen=True):
    """Attention with keys of `qk_size` and values of `v_size`; `rotary` values of each key are rotated."""

    hidden: int
    heads: int
    kv_heads: int
    qk_size: int
    v_size: int
    rotary: int
    window: int | None = None
    bias: bool = False
    sinks: bool = False

    @property
    def code(self) -> str:
        return f"sliding {self.window}" if self.window else "full"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return (Cache(self.kv_heads * (self.qk_size + self.v_size), self.window),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model see other windows."""
        label = "sliding" if mixed and self.window else ""
        sizes = ("q_proj", self.heads * self.qk_size), ("k_proj", self.kv_heads * self.qk_size)
        width = self.heads * self.v_size
        return (
            *(self._inward(name, n, label) for name, n in (*sizes, ("v_proj", self.kv_heads * self.v_size))),
            rotary(self.heads + self.kv_heads, self.rotary, PARENT),
            self._attention(label),
            linear("o_proj", width, self.hidden, "attention", parent=PARENT, label=label),
        )

    def _inward(self, name: str, outputs: int, label: str) -> Op:
        output: Literal["stored", "kv"] = "stored" if name == "q_proj" else "kv"
        return linear(
            name, self.hidden, outputs, "attention", parent=PARENT, bias=self.bias, label=label, output=output
        )

    def _attention(self, label: str) -> Op:
        dims = attention_dims(self.heads, self.kv_heads, self.qk_size, self.v_size, self.window)
        sinks = (Tensor(f"{PARENT}.sinks", self.heads, "bias"),) if self.sinks else ()
        return Op("attention", "attention", dims, "attention", parent=PARENT, tensors=sinks, label=label)
