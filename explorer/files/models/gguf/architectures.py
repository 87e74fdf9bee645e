"""From GGUF metadata to the config that the model families read: the same figures under their names there."""

from collections.abc import Callable
from typing import Final, NamedTuple

from explorer.analysis.models import supported
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable
from explorer.files.models.gguf.dense import bert, gemma, gpt2, llama, olmo2, phi2, phi3, qwen2, qwen3, starcoder2, t5
from explorer.files.models.gguf.header import GgufFile
from explorer.files.models.gguf.hybrid import (
    falcon_h1,
    granite_hybrid,
    jamba,
    kimi_linear,
    lfm2,
    lfm2_moe,
    mamba,
    mamba2,
    nemotron_h,
)
from explorer.files.models.gguf.metadata import Config, Meta, stem_of
from explorer.files.models.gguf.plain import PLAIN
from explorer.files.models.gguf.sparse import deepseek2, glm4_moe, gpt_oss, qwen2_moe, qwen3_moe, qwen3_next

_PLAIN_BLOCK: Final = frozenset(
    {
        "attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "attn_q_norm", "attn_k_norm", "post_attention_norm",
        "ffn_norm", "post_ffw_norm", "ffn_gate", "ffn_up", "ffn_down", "ffn_gate_inp", "ffn_gate_exps", "ffn_up_exps",
        "ffn_down_exps", "exp_probs_b", "attn_rot_embd", "rope_freqs",
    }
)  # fmt: skip


class Read(NamedTuple):
    """A config, and the architecture it stands in for where no family reads that one."""

    config: Config
    read_as: str = ""


_NULLABLE: Final = frozenset({"sliding_window", "q_lora_rank", "n_routed_experts"})


def config_of(file: GgufFile) -> Read:
    """The config of a model's file.

    Raises
    ------
    Refused
        The file holds no language model, lacks a figure, or its architecture is not known and not like Llama's.
    """
    architecture = file.metadata.get("general.architecture")
    kind = file.metadata.get("general.type", "model")
    if not isinstance(architecture, str) or kind not in {"model", ""} or architecture == "clip":
        raise Refused(
            Problem("gguf.not_a_model", values={"kind": printable(str(architecture if kind == "model" else kind))})
        )
    meta = Meta(file, architecture)
    reader = ARCHITECTURES.get(architecture)
    if reader is not None:
        config = reader(meta)
        if config["model_type"] in supported():
            return Read({k: v for k, v in config.items() if v is not None or k in _NULLABLE})
    return Read(_like_llama(meta), architecture)


def _like_llama(meta: Meta) -> Config:
    """Any decoder whose blocks hold nothing but what Llama's, Qwen's or Mixtral's hold; raise Refused."""
    blocks = {s for t, s in ((t.name, stem_of(t.name)) for t in meta.file.tensors) if t.startswith("blk.")}
    odd = sorted(blocks - _PLAIN_BLOCK)
    needed = {"attn_q", "attn_k", "attn_v", "attn_output"} - blocks
    if odd or needed:
        values = {"architecture": printable(meta.architecture), "tensor": printable(odd[0] if odd else min(needed))}
        raise Refused(Problem("gguf.architecture", values=values))
    normed = meta.has("attn_q_norm")
    if meta.number("expert_count") and meta.has("ffn_gate_exps"):
        return qwen3_moe(meta) if normed else llama(meta)
    if meta.biased("attn_q") and not meta.biased("attn_output"):
        return qwen2(meta)
    return qwen3(meta) if normed else llama(meta)


ARCHITECTURES: Final[dict[str, Callable[[Meta], Config]]] = {
    "llama": llama,
    "mistral3": llama,
    "qwen2": qwen2,
    "qwen2vl": qwen2,
    "qwen2moe": qwen2_moe,
    "qwen3": qwen3,
    "qwen3vl": qwen3,
    "qwen3moe": qwen3_moe,
    "qwen3vlmoe": qwen3_moe,
    "gemma": gemma("gemma"),
    "gemma2": gemma("gemma2"),
    "gemma3": gemma("gemma3_text"),
    "phi2": phi2,
    "phi3": phi3,
    "gpt2": gpt2,
    "deepseek2": deepseek2,
    "gpt-oss": gpt_oss,
    "glm4moe": glm4_moe,
    "qwen3next": qwen3_next,
    "bert": bert,
    "t5": t5,
    "olmo2": olmo2,
    "starcoder2": starcoder2,
    **PLAIN,
    "lfm2": lfm2,
    "lfm2moe": lfm2_moe,
    "granitehybrid": granite_hybrid,
    "falcon-h1": falcon_h1,
    "jamba": jamba,
    "kimi-linear": kimi_linear,
    "mamba": mamba,
    "mamba2": mamba2,
    "nemotron_h": nemotron_h,
    "nemotron_h_moe": nemotron_h,
}
