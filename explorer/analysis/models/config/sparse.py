"""Reading mixtures of experts of a config: which layers are sparse, and their experts."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.transformer import Half


class Routed(msgspec.Struct, frozen=True):
    """How many experts there are, how many a token uses."""

    experts: int
    top_k: int


USUAL_TOP_K = ("num_experts_per_tok", "experts_per_token")


def routed_of(fields: Fields, *names: str, top_k: tuple[str, ...] = USUAL_TOP_K) -> Routed:
    """Experts by the first of these names, and those a token uses."""
    experts, used = fields.size(*names), fields.size(*top_k)
    fields.check(used <= experts, "model.top_k_over_experts", top_k[0], top_k=used, experts=experts)
    return Routed(experts, used)


class Mixture(msgspec.Struct, frozen=True):
    """Reads mixtures of experts of a config, as a table says: the names of its fields, which layers are sparse.

    `shared` names the number of experts that always work, `bias` the flag that gives them and dense blocks biases.
    `block` is what sets the experts apart from the usual ones.
    """

    experts: tuple[str, ...] = ("num_experts", "num_local_experts")
    top_k: tuple[str, ...] = USUAL_TOP_K
    inner: str = "moe_intermediate_size"
    shared: str = ""
    sparse: Callable[[Fields, int], tuple[bool, ...]] | None = None
    bias: str = ""
    block: Mapping[str, Any] = msgspec.field(default_factory=dict)

    def __call__(self, fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
        """The feed-forward half of every layer."""
        routed = routed_of(fields, *self.experts, top_k=self.top_k)
        bias = fields.flag(self.bias) if self.bias else False
        experts = Experts(
            hidden,
            fields.size(self.inner),
            routed.experts,
            routed.top_k,
            shared=fields.natural(self.shared) if self.shared else 0,
            shared_bias=bias,
            activation=silu(fields),
            **self.block,
        )
        sparse = self.sparse(fields, layers) if self.sparse else (True,) * layers
        return _choose(fields, hidden, sparse, experts, bias=bias)


def sparse_from(field: str) -> Callable[[Fields, int], tuple[bool, ...]]:
    """Layers from the one on that the field numbers."""
    return lambda fields, layers: tuple(i >= fields.natural(field) for i in range(layers))


def mixtral_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Every layer: `num_local_experts` of `intermediate_size`."""
    routed = routed_of(fields, "num_local_experts", "num_experts")
    block = Experts(hidden, fields.size("intermediate_size"), routed.experts, routed.top_k, activation=silu(fields))
    return (block,) * layers


def gpt_oss_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Every layer: fused, biased experts behind a biased router."""
    routed = routed_of(fields, "num_local_experts", "num_experts")
    block = Experts(
        hidden,
        fields.size("intermediate_size"),
        routed.experts,
        routed.top_k,
        activation=silu(fields),
        router="router",
        router_bias=True,
        bias=True,
        fused=True,
    )
    return (block,) * layers


def qwen_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Every `decoder_sparse_step`-th layer is sparse, those of `mlp_only_layers` are not."""
    routed = routed_of(fields, "num_experts", "num_local_experts")
    step = fields.size("decoder_sparse_step")
    dense_layers = set(fields.items("mlp_only_layers", _whole) or ())
    sparse = tuple(i not in dense_layers and (i + 1) % step == 0 for i in range(layers))
    experts = Experts(
        hidden, fields.size("moe_intermediate_size"), routed.experts, routed.top_k, activation=silu(fields)
    )
    return _choose(fields, hidden, sparse, experts)


def deepseek_experts(fields: Fields, hidden: int, layers: int, *, also: str = "num_local_experts") -> tuple[Half, ...]:
    """Dense up to `first_k_dense_replace`, then every `moe_layer_freq`-th layer sparse, with shared experts.

    `also` is the other name of the number of experts.
    """
    bias = fields.flag("mlp_bias") if "mlp_bias" in fields.config else False
    if "n_routed_experts" in fields.config and fields.config["n_routed_experts"] is None:
        return _choose(fields, hidden, (False,) * layers, None, bias=bias)
    routed = routed_of(fields, "n_routed_experts", also)
    first = fields.natural("first_k_dense_replace")
    period = fields.size("moe_layer_freq") if fields.has("moe_layer_freq") else 1
    shared = 0 if "n_shared_experts" in fields.config and not fields.has("n_shared_experts") else None
    experts = Experts(
        hidden,
        fields.size("moe_intermediate_size"),
        routed.experts,
        routed.top_k,
        shared=fields.natural("n_shared_experts") if shared is None else shared,
        shared_bias=bias,
        activation=silu(fields),
    )
    return _choose(fields, hidden, tuple(i >= first and i % period == 0 for i in range(layers)), experts, bias=bias)


def _choose(
    fields: Fields, hidden: int, sparse: tuple[bool, ...], experts: Experts | None, *, bias: bool = False
) -> tuple[Half, ...]:
    """Experts where a layer is sparse, else a dense block of `intermediate_size`."""
    if experts is not None and all(sparse):
        return (experts,) * len(sparse)
    dense = GatedMlp(hidden, fields.size("intermediate_size"), silu(fields), bias=bias)
    return tuple(experts if is_sparse and experts is not None else dense for is_sparse in sparse)


def _whole(item: object) -> bool:
    return isinstance(item, int) and not isinstance(item, bool)
