"""ModuleNames of tensors in files, and which module of a model each one belongs to.

GGUF names: the `gguf` package's table of tensor names; all others are the module names of the transformers library.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

_SIDE: Final = re.compile(
    r"(^|\.)(vision\w*|visual|vit|"
    r"local_encoder|local_decoder|patcher|coarse_acoustics|fine_acoustics|codec_model|depth_decoder|"
    r"image\w*|audio\w*|mtp|mm|multi_modal\w*|v|a|aligner|connector|resampler)\."
)
_MAIN: Final = frozenset({"", "weight", "gamma", "qweight", "weight_packed", "blocks", "_blocks"})
_LATER: Final = re.compile(r"_(blocks|scales|bias)$")
_PARTS: Final = re.compile(
    r"(weight|qweight|qzeros|scales?|biases|bias|gamma|beta|g_idx|zeros|weight_.+|.+_scale|.+_scale_inv)"
)
_STATES: Final = re.compile(r"(^|\.)(mixer|mamba\w*|linear_attn)\.")

Candidate = tuple[str, ...]  # several: one tensor of the file holds what the model has apart

QKV: Final = ("q_proj", "k_proj", "v_proj")
EMBEDDING, HEAD, FINAL_NORM, POSITIONS = "@embedding", "@head", "@final_norm", "@positions"
_GGUF: Final[dict[str, tuple[Candidate, ...]]] = {
    "token_embd": ((EMBEDDING,),),
    "output": ((HEAD,),),
    **dict.fromkeys(("output_norm", "enc.output_norm", "dec.output_norm"), ((FINAL_NORM,),)),
    "position_embd": ((POSITIONS,),),
    "token_types": (("token_type_embeddings",),),
    "token_embd_norm": (
        ("word_embeddings_layernorm",), ("embeddings.LayerNorm",), ("embeddings.norm",), ("embedding_norm",)
    ),
    "attn_q": (("q_proj",), ("query",), ("wq",)),
    "attn_k": (("k_proj",), ("key",), ("wk",)),
    "attn_v": (("v_proj",), ("value",), ("wv",)),
    "attn_qkv": (
        ("qkv_proj",), ("c_attn",), ("query_key_value",), ("Wqkv",), ("in_proj_qkv",), ("in_proj_qkvz",), QKV
    ),
    "attn_output": (
        ("self_attn.o_proj",), ("o_proj",), ("attn.c_proj",), ("out_proj",), ("self_attn.dense",), ("attention.dense",),
        ("self_attention.dense",), ("attention.output.dense",),
    ),
    "attn_output_norm": (("attention.output.LayerNorm",),),
    "layer_output_norm": (("output.LayerNorm",),),
    "attn_gate": (("in_proj_qkvz",), ("in_proj_z",), ("self_attn.gate_proj",)),
    "attn_sinks": (("sinks",),),
    "attn_q_norm": (("q_norm",), ("q_layernorm",), ("query_layernorm",)),
    "attn_k_norm": (("k_norm",), ("k_layernorm",), ("key_layernorm",)),
    "attn_norm": (
        ("input_layernorm",), ("ln_1",), ("norm_1",), ("ln",), ("ln_attn",), ("operator_norm",),
        ("attention_layernorm",), ("norm",),
    ),
    "attn_norm_2": (("ln_mlp",), ("post_attention_layernorm",)),
    "post_attention_norm": (("post_self_attn_layernorm",), ("post_attention_layernorm",)),
    "ffn_norm": (
        ("pre_feedforward_layernorm",), ("pre_mlp_layernorm",), ("post_attention_layernorm",), ("pre_ff_layernorm",),
        ("ffn_norm",), ("feedforward_layernorm",), ("ln_2",), ("norm_2",),
    ),
    "post_ffw_norm": (("post_feedforward_layernorm",), ("post_mlp_layernorm",)),
    "ffn_gate": (("mlp.gate_proj",), ("gate_proj",), ("mlp.gate_up_proj",), ("input_linear",), ("feed_forward.w1",)),
    "ffn_up": (
        ("mlp.up_proj",), ("up_proj",), ("mlp.gate_up_proj",), ("c_fc",), ("fc1",), ("dense_h_to_4h",), ("fc_in",),
        ("intermediate.dense",), ("input_linear",), ("feed_forward.w3",),
    ),
    "ffn_down": (
        ("mlp.down_proj",), ("down_proj",), ("mlp.c_proj",), ("fc2",), ("dense_4h_to_h",), ("fc_out",),
        ("output.dense",), ("output_linear",), ("feed_forward.w2",),
    ),
    "ffn_gate_inp": (
        ("mlp.gate",), ("mlp.router",), ("router.gate",), ("router.proj",), ("gate.wg",), ("router",), ("gate",)
    ),
    "exp_probs_b": (("mlp.gate",), ("mlp.router",), ("router.gate",), ("gate",)),
    "ffn_gate_exps": (("experts.gate_proj",), ("experts.gate_up_proj",)),
    "ffn_up_exps": (("experts.up_proj",), ("experts.gate_up_proj",)),
    "ffn_gate_up_exps": (("experts.gate_up_proj",), ("experts.gate_proj", "experts.up_proj")),
    "ffn_down_exps": (("experts.down_proj",),),
    "ffn_gate_shexp": (
        ("shared_experts.gate_proj",), ("shared_expert.gate_proj",), ("shared_mlp.gate_proj",), ("input_linear",)
    ),
    "ffn_up_shexp": (
        ("shared_experts.up_proj",), ("shared_expert.up_proj",), ("shared_mlp.up_proj",), ("input_linear",)
    ),
    "ffn_down_shexp": (
        ("shared_experts.down_proj",), ("shared_expert.down_proj",), ("shared_mlp.down_proj",), ("output_linear",)
    ),
    "ffn_gate_inp_shexp": (("shared_expert_gate",),),
    "attn_q_a": (("q_a_proj",),),
    "attn_q_a_norm": (("q_a_layernorm",),),
    "attn_q_b": (("q_b_proj",),),
    "attn_kv_a_mqa": (("kv_a_proj_with_mqa",),),
    "attn_kv_a_norm": (("kv_a_layernorm",),),
    "attn_kv_b": (("kv_b_proj",),),
    "attn_k_b": (("kv_b_proj",),),
    "attn_v_b": (("kv_b_proj",),),
    "ssm_in": (("in_proj_qkvz",), ("in_proj",)),
    "ssm_ba": (("in_proj_ba",),),
    "ssm_conv1d": (("conv1d",),),
    "ssm_x": (("x_proj",),),
    "ssm_dt": (("dt_proj",), ("dt_bias",)),
    "ssm_a": (("A_log",),),
    "ssm_d": (("D",),),
    "ssm_norm": (("mixer.norm",), ("mamba.norm",), ("linear_attn.norm",), ("self_attn.o_norm",)),
    "ssm_dt_norm": (("dt_layernorm",),),
    "ssm_b_norm": (("b_layernorm",),),
    "ssm_c_norm": (("c_layernorm",),),
    "shortconv.conv": (("conv.conv",),),
    "shortconv.in_proj": (("conv.in_proj",),),
    "shortconv.out_proj": (("conv.out_proj",),),
    "pre_ffw_norm_2": (("pre_feedforward_layernorm_2",),),
    "post_ffw_norm_1": (("post_feedforward_layernorm_1",),),
    "post_ffw_norm_2": (("post_feedforward_layernorm_2",),),
    "inp_gate": (("per_layer_input_gate",),),
    "proj": (("per_layer_projection",),),
    "post_norm": (("post_per_layer_input_norm",),),
    "layer_output_scale": (("layer_scalar",),),
    "per_layer_token_embd": (("embed_tokens_per_layer",),),
    "per_layer_model_proj": (("per_layer_model_projection",),),
    "per_layer_proj_norm": (("per_layer_projection_norm",),),
    "altup_proj": (tuple(f"altup_projections.{i}" for i in range(3)),),
    "altup_unembd_proj": (tuple(f"altup_unembed_projections.{i}" for i in range(3)),),
    "altup_correct_coef": (("altup.correction_coefs",),),
    "altup_correct_scale": (("altup.correct_output_scale",),),
    "altup_predict_coef": (("altup.prediction_coefs",),),
    "altup_router": (("altup.modality_router",),),
    "altup_router_norm": (("altup.router_norm",),),
    "laurel_l": (("laurel.linear_left",),),
    "laurel_r": (("laurel.linear_right",),),
    "laurel_post_norm": (("laurel.post_laurel_norm",),),
    "ssm_f_a": (("forget_gate.f_a_proj",),),
    "ssm_f_b": (("forget_gate.f_b_proj",),),
    "ssm_beta": (("b_proj",),),
    "ssm_g_a": (("g_a_proj",),),
    "ssm_g_b": (("g_b_proj",),),
    **{f"ssm_conv1d_{letter}": (("self_attn.conv1d",),) for letter in "qkv"},
    "ffn_gate_inp.scale": (("router.scale",),),
    "ffn_down_exps.scale": (("router.per_expert_scale",),),
    "ffn_latent_down": (("fc1_latent_proj",),),
    "ffn_latent_up": (("fc2_latent_proj",),),
    "ssm_out": (("linear_attn.out_proj",), ("out_proj",)),
}  # fmt: skip
# T5's stacks: `enc.blk.0.attn_q`, `dec.blk.0.cross_attn_q`
_STACKS: Final = frozenset({"enc.blk.", "dec.blk."})
_T5: Final[dict[str, tuple[Candidate, ...]]] = {
    "attn_norm": (("layer.0.layer_norm",),),
    "cross_attn_norm": (("layer.1.layer_norm",),),
    "ffn_norm": (("layer.2.layer_norm",), ("layer.1.layer_norm",)),
    **{f"attn_{part}": ((f"SelfAttention.{part}",),) for part in "qkvo"},
    **{f"cross_attn_{part}": ((f"EncDecAttention.{part}",),) for part in "qkvo"},
    "ffn_gate": (("DenseReluDense.wi_0",),),
    "ffn_up": (("DenseReluDense.wi_1",), ("DenseReluDense.wi",)),
    "ffn_down": (("DenseReluDense.wo",),),
}
_RENAMED: Final = (
    ("block_sparse_moe.input_linear", "experts.gate_up_proj"),
    ("block_sparse_moe.output_linear", "experts.down_proj"),
    ("block_sparse_moe.router.layer", "router"),
    ("feed_forward.experts.w1", "experts.gate_proj"),
    ("feed_forward.experts.w3", "experts.up_proj"),
    ("feed_forward.experts.w2", "experts.down_proj"),
    *((f"self_attn.{letter}_conv1d", "conv1d") for letter in "qkv"),
    *((f"self_attn.{name}", f"forget_gate.{name}") for name in ("f_a_proj", "f_b_proj", "dt_bias", "A_log")),
    ("router.layer", "router"),
    ("block_sparse_moe.experts.w1", "mlp.experts.gate_proj"),
    ("block_sparse_moe.experts.w3", "mlp.experts.up_proj"),
    ("block_sparse_moe.experts.w2", "mlp.experts.down_proj"),
    ("block_sparse_moe.", "mlp."),
    ("feed_forward.", "mlp."),
    ("shared_expert.", "shared_experts."),
)
_JOINED: Final[dict[str, tuple[Candidate, ...]]] = {
    "qkv_proj": (QKV,),
    "gate_up_proj": (("gate_proj", "up_proj"),),
    "q_proj": (("qkv_proj",),),
    "k_proj": (("qkv_proj",),),
    "v_proj": (("qkv_proj",),),
    "gate_proj": (("gate_up_proj",),),
    "up_proj": (("gate_up_proj",),),
    "gate": (("router",),),
}
_TABLES: Final = frozenset({"embed_tokens", "wte", "word_embeddings", "embed_in", "tok_embeddings", "embeddings"})
_HEADS: Final = frozenset({"lm_head", "embed_out", "output_layer"})


class Place(NamedTuple):
    """Where a tensor belongs: modules it may stand for, best first; whether it holds the weights themselves.

    `aside` tensors belong to a tower or a draft that text steps do not run.
    """

    candidates: tuple[Candidate, ...]
    main: bool
    aside: bool


def place_of(name: str, *, layered: bool) -> Place:
    """The place of a tensor by its name, `*` for the numbers of layer and expert."""
    before, _, after = name.partition("*.") if layered else ("", "", name)
    aside = bool(_SIDE.search(before if layered else name)) or ".nextn." in name
    path = after.replace(".*.", ".")
    module, part = (path, "") if path in _GGUF else _module(path)
    table = _T5 if before in _STACKS else _GGUF if before in {"", "blk."} else {}
    known = table.get(module)
    return Place(known or _of_modules(module), part in _MAIN, aside)


def _module(path: str) -> tuple[str, str]:
    """A tensor's module and which part of it the tensor is."""
    words = path.split(".")
    if words[-1] == "dt_bias":  # a tensor of its own, the bias of no module
        return path, ""
    if "weight" in words[1:]:  # bitsandbytes: weight.absmax, weight.quant_map
        at = words.index("weight", 1)
        return ".".join(words[:at]), ".".join(words[at:])
    if len(words) > 1 and _PARTS.fullmatch(words[-1]):
        return ".".join(words[:-1]), words[-1]
    found = _LATER.search(path)
    return (path[: found.start()], found[1]) if found else (path, "")


def _of_modules(module: str) -> tuple[Candidate, ...]:
    leaf = module.rpartition(".")[2]
    if leaf in _TABLES:
        return ((module,), (EMBEDDING,))
    if leaf in _HEADS:
        return ((module,), (HEAD,))
    lead = module.removesuffix(leaf)
    joined = tuple(tuple(lead + name for name in names) for names in _JOINED.get(leaf, ()))
    other = module
    for old, new in _RENAMED:
        other = other.replace(old, new)
    return ((module,), *(_of_modules(other) if other != module else ()), *joined)


def belongs(candidate: str, path: str) -> bool:
    """Whether a module path of the model is the one that a candidate names; either may be led by outer modules."""
    return path == candidate or path.endswith(f".{candidate}") or candidate.endswith(f".{path}")


@lru_cache(maxsize=2048)
def gguf_name(path: str) -> str:
    """What a GGUF file calls the weight of a module; empty where it has no name for it. The longest match names it."""
    found = [
        (len(candidate[0]), name)
        for name, candidates in _GGUF.items()
        for candidate in candidates
        if len(candidate) == 1 and (path == candidate[0] or path.endswith(f".{candidate[0]}"))
    ]
    longest = max((length for length, _ in found), default=0)
    names = [name for length, name in found if length == longest]
    of_states = [name for name in names if name.startswith("ssm_")]
    return (of_states if of_states and _STATES.search(path) else names or [""])[0]
