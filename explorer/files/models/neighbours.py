"""Files that lie beside a config.json, or in its place in other programs' folders: each is named for what it is."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable
from explorer.files.models.adapters import adapter_problem
from explorer.files.models.params import config_of_params, is_params

NAMED: Final = {  # what a file of this name is, whatever it holds
    "tokenizer.json": "tokenizer",
    "tokenizer_config.json": "tokenizer",
    "special_tokens_map.json": "tokenizer",
    "added_tokens.json": "tokenizer",
    "vocab.json": "tokenizer",
    "chat_template.json": "tokenizer",
    "generation_config.json": "generation",
    "preprocessor_config.json": "processor",
    "processor_config.json": "processor",
    "video_preprocessor_config.json": "processor",
    "modules.json": "sentences",
    "sentence_bert_config.json": "sentences",
    "config_sentence_transformers.json": "sentences",
    "hf_quant_config.json": "quantisation",
    "quantize_config.json": "quantisation",
    "quant_config.json": "quantisation",
}


def _has(*keys: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda found: all(key in found for key in keys)


def _genai(found: Mapping[str, Any]) -> bool:
    model = found.get("model")
    return isinstance(model, Mapping) and ("search" in found or "decoder" in model)


def _pipeline(found: Mapping[str, Any]) -> bool:
    return "_class_name" in found and any(isinstance(value, list) and len(value) == 2 for value in found.values())


_HELD: Final[tuple[tuple[str, Callable[[Mapping[str, Any]], bool]], ...]] = (
    ("genai", _genai),
    ("pipeline", _pipeline),
    ("component", _has("_class_name", "_diffusers_version")),
    ("index", _has("weight_map")),
    ("quantisation", _has("quantization", "producer")),
    ("tokenizer", _has("tokenizer_class")),
    ("tokenizer", _has("added_tokens_decoder")),
    ("tokenizer", _has("added_tokens", "pre_tokenizer")),
    ("processor", _has("image_processor_type")),
    ("processor", _has("feature_extractor_type")),
    ("processor", _has("processor_class")),
    ("sentences", lambda found: isinstance(found.get("__version__"), Mapping)),
    ("sentences", _has("max_seq_length", "do_lower_case")),
    ("generation", _has("_from_model_config")),
    ("generation", _has("eos_token_id", "transformers_version")),
    ("generation", _has("temperature", "top_p")),
    ("quantisation", _has("bits", "group_size")),
    ("quantisation", _has("w_bit", "q_group_size")),
)


def known_by_name(path: Path) -> None:
    """Refuse a file that its name says to be another than a config, before it is read."""
    kind = NAMED.get(path.name)
    if kind is not None:
        raise Refused(_problem(kind))


def as_config(found: dict[str, Any]) -> dict[str, Any]:
    """What was read as a config: as it is, from `params.json`, or refused as what else it is.

    Raises
    ------
    Refused
        It is a file that lies beside a config, and another is to be loaded.
    """
    if "model_type" in found:
        return found
    if is_params(found):
        return config_of_params(found)
    if "peft_type" in found or ("base_model_name_or_path" in found and "r" in found):
        raise Refused(adapter_problem(found))
    kind = next((kind for kind, holds in _HELD if holds(found)), None)
    if kind is not None:
        raise Refused(_problem(kind, found))
    return found


def _problem(kind: str, found: Mapping[str, Any] | None = None) -> Problem:
    name = (found or {}).get("_class_name")
    return Problem(f"neighbour.{kind}", values={"name": printable(name)} if isinstance(name, str) else {})
