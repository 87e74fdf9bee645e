"""Multi-head latent attention: expanded in prefill, absorbed in decode (DeepSeek-V2, arXiv 2405.04434)."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import attention_dims, rotary
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import TOKENS, Cache, Op, linear
from explorer.analysis.step.phases.ids import DECODE, PREFILL

PARENT = "self_attn"


class Latent(msgspec.Struct, frozen=True):
    """Attention of one layer over a latent of `rank` values and one shared key of `rope` values, rotary if `turned`."""

    hidden: int
    heads: int
    rank: int
    rope: int
    nope: int
    v_size: int
    q_rank: int | None = None
    bias: bool = False
    turned: bool = True

    @property
    def code(self) -> str:
        return "mla"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return (Cache(self.rank + self.rope),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is alike
        """Operators in execution order, both phases."""
        return (
            *self._queries(),
            *self._latent(),
            *([rotary(self.heads + 1, self.rope, PARENT)] if self.turned else []),
            *self._expanded(),
            *self._absorbed(),
            linear("o_proj", self.heads * self.v_size, self.hidden, "attention", parent=PARENT, bias=self.bias),
        )

    def _queries(self) -> tuple[Op, ...]:
        width = self.heads * (self.nope + self.rope)
        if self.q_rank is None:
            return (linear("q_proj", self.hidden, width, "attention", parent=PARENT),)
        return (
            linear("q_a_proj", self.hidden, self.q_rank, "attention", parent=PARENT, bias=self.bias),
            norm("q_a_layernorm", self.q_rank, parent=PARENT),
            linear("q_b_proj", self.q_rank, width, "attention", parent=PARENT),
        )

    def _latent(self) -> tuple[Op, ...]:
        name, width = "kv_a_proj_with_mqa", self.rank + self.rope
        return (
            linear(name, self.hidden, width, "attention", parent=PARENT, bias=self.bias, output="kv"),
            norm("kv_a_layernorm", self.rank, parent=PARENT),
        )

    def _expanded(self) -> tuple[Op, ...]:
        width = self.heads * (self.nope + self.v_size)
        dims = attention_dims(self.heads, self.heads, self.nope + self.rope, self.v_size)
        product = Op("attention", "attention", dims, "attention", parent=PARENT, phase=PREFILL, keys="stored")
        return (linear("kv_b_proj", self.rank, width, "attention", parent=PARENT, phase=PREFILL), product)

    def _absorbed(self) -> tuple[Op, ...]:
        dims = attention_dims(self.heads, 1, self.rank + self.rope, self.rank, shared=True)
        return (
            self._per_head("kv_b_proj[k]", self.nope, self.rank),
            Op("attention", "attention", dims, "attention", parent=PARENT, phase=DECODE),
            self._per_head("kv_b_proj[v]", self.rank, self.v_size),
        )

    def _per_head(self, name: str, inputs: int, outputs: int) -> Op:
        """Half of kv_b_proj applied head by head; the tensor is counted with kv_b_proj."""
        whole = linear(name, inputs, outputs, "attention", parent=PARENT, phase=DECODE)
        dims = (("heads", float(self.heads)), ("m", TOKENS), ("n", float(outputs)), ("k", float(inputs)))
        return replace(whole, kind="absorbed_matmul", dims=dims, tensors=())
