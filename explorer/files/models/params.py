"""`params.json` of Meta's and Mistral's own checkpoints, as the config that the transformers library has of it."""

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable

_RENAMED: Final = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "vocab_size": "vocab_size",
    "norm_eps": "rms_norm_eps",
    "rope_theta": "rope_theta",
    "max_seq_len": "max_position_embeddings",
    "max_position_embeddings": "max_position_embeddings",
}
_READ: Final = {
    *_RENAMED,
    "hidden_dim",
    "multiple_of",
    "ffn_dim_multiplier",
    "moe",
    "sliding_window",
    "tied_embeddings",
}
_WITHOUT_SIZE: Final = {  # what may stand there and changes no tensor
    "use_scaled_rope", "max_batch_size", "model_type", "yarn", "llama_4_scaling", "ragged_attention", "causal",
    "use_biases", "rope_scaling", "model_parallel_size", "use_scaled_rope_theta", "rope_scale_factor",
}  # fmt: skip
_TIED_VOCAB, _UNTIED_WIDTH = 128_256, 4_096  # the small ones of Llama 3.2 tie, which their files do not say


def is_params(found: Mapping[str, Any]) -> bool:
    """Whether an object is one of Meta's or Mistral's own."""
    return "model_type" not in found and "dim" in found and "n_layers" in found


def config_of_params(found: Mapping[str, Any]) -> dict[str, Any]:
    """The config of a `params.json`.

    Raises
    ------
    Refused
        A field is missing, or one that is not read changes the model.
    """
    strange = [key for key in found if key not in _READ | _WITHOUT_SIZE and found[key] not in (None, False)]
    if found.get("use_biases"):
        strange.append("use_biases")
    if strange:
        raise Refused(*(Problem("params.unread", printable(key)) for key in strange[:8]))
    config = {new: found[old] for old, new in _RENAMED.items() if found.get(old) is not None}
    config.setdefault("num_key_value_heads", found.get("n_heads"))
    if found.get("vocab_size") in (None, -1):
        raise Refused(Problem("params.vocabulary", "vocab_size"))
    kind = "mistral" if "hidden_dim" in found else "llama"
    small = found["vocab_size"] == _TIED_VOCAB and _number(found, "dim") < _UNTIED_WIDTH
    config |= {"model_type": kind, "hidden_act": "silu", "intermediate_size": _inner(found)}
    config["tie_word_embeddings"] = found.get("tied_embeddings", kind == "llama" and small)
    config["sliding_window"] = found.get("sliding_window")
    return config | _experts(found)


def _inner(found: Mapping[str, Any]) -> int:
    """The inner width: stated, or two thirds of four widths, times a factor, up to a multiple."""
    if "hidden_dim" in found:
        return int(_number(found, "hidden_dim"))
    multiple = int(_number(found, "multiple_of"))
    inner = int(2 * 4 * int(_number(found, "dim")) / 3)
    if found.get("ffn_dim_multiplier") is not None:
        inner = int(_number(found, "ffn_dim_multiplier") * inner)
    return multiple * ceil(inner / multiple)


def _number(found: Mapping[str, Any], name: str) -> float:
    value = found.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise Refused(Problem("params.number", name))
    return value


def _experts(found: Mapping[str, Any]) -> dict[str, Any]:
    moe = found.get("moe")
    if moe is None:
        return {}
    if not isinstance(moe, Mapping) or set(moe) != {"num_experts", "num_experts_per_tok"}:
        raise Refused(Problem("params.unread", "moe"))
    return {
        "model_type": "mixtral",
        "num_local_experts": moe["num_experts"],
        "num_experts_per_tok": moe["num_experts_per_tok"],
    }
