"""Which models llama.cpp has files of: all others have no name there (`MODEL_ARCH_NAMES` of the gguf package 0.19)."""

from functools import cache
from typing import Final

from explorer.analysis.models.model import Model
from explorer.analysis.models.registry import MODULES

_ROOMS: Final = frozenset({"pictures", "sound", "pairs"})  # none of which its converter takes
_OTHERS: Final = frozenset(
    {
        *("gpt_neo", "codegen", "ctrl", "gpt_neox_japanese", "persimmon", "xglm", "biogpt", "trocr", "openai-gpt"),
        *("opt", "diffllama", "doge", "modernbert-decoder", "jetmoe", "minimax"),
        *("recurrent_gemma", "rwkv", "rwkv5", "xlstm", "zamba", "zamba2"),
        *("albert", "deberta", "deberta-v2", "electra", "ernie", "megatron-bert", "bert-generation", "roformer"),
        *("mpnet", "xlm-roberta-xl", "esm", "rembert", "layoutlmv3", "longformer", "big_bird", "mobilebert", "xlnet"),
        *("whisper", "mllama", "mllama_text_model", "blip", "blip-2", "instructblip", "git", "kosmos-2"),
        *("kosmos_2_text_model", "colpali", "video_llava", "florence2", "fuyu"),
    }
)


@cache
def not_converted() -> frozenset[str]:
    """Model types that llama.cpp's converter does not take."""
    return _OTHERS.union(*(types for module, types in MODULES.items() if module.split(".")[0] in _ROOMS))


def is_converted(model: Model) -> bool:
    """Whether llama.cpp may have files of this model."""
    return not model.runs_once and model.model_type not in not_converted()
