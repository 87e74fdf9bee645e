"""Reading mixtures of experts of a config: which layers are sparse, and their experts."""

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


def routed_of(fields: Fields, *names: str) -> Routed:
    """Experts by the first of these names, and those a token uses."""
    experts = fields.size(*names)
    top_k = fields.size("num_experts_per_tok", "experts_per_token")
    fields.check(top_k <= experts, "model.top_k_over_experts", "num_experts_per_tok", top_k=top_k, experts=experts)
    return Routed(experts, top_k)


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


def deepseek_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Dense up to `first_k_dense_replace`, then every `moe_layer_freq`-th layer sparse, with shared experts."""
    bias = fields.flag("mlp_bias") if "mlp_bias" in fields.config else False
    if "n_routed_experts" in fields.config and fields.config["n_routed_experts"] is None:
        return _choose(fields, hidden, (False,) * layers, None, bias=bias)
    routed = routed_of(fields, "n_routed_experts", "num_local_experts")
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
