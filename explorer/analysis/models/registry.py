"""Which module declares the family of which `model_type`; it is loaded when a config names one of them."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from explorer.analysis.models import families
from explorer.analysis.models.families.family import Family, Reader

MODULES: Final[dict[str, tuple[str, ...]]] = {
    "dense.chatglm": ("chatglm",),
    "dense.cohere": ("cohere", "cohere2"),
    "dense.gemma": ("gemma", "gemma2", "gemma3_text"),
    "dense.gemma3n": ("gemma3n_text",),
    "dense.glm": ("glm", "glm4"),
    "dense.granite": ("granite",),
    "dense.internlm": ("internlm2",),
    "dense.llama": ("llama",),
    "dense.mistral": ("mistral",),
    "dense.nas": ("nemotron-nas",),
    "dense.olmo": ("olmo2", "olmo3"),
    "dense.own_blocks": ("diffllama", "doge", "modernbert-decoder", "minicpm3", "youtu"),
    "dense.phi": ("phi", "phi-msft", "phi3"),
    "dense.plain": (
        "seed_oss", "smollm3", "exaone4", "olmo", "ernie4_5", "arcee", "cwm", "vaultgemma", "nemotron", "apertus",
        "ministral3", "hunyuan_v1_dense", "helium", "hyperclovax", "bitnet", "nanochat",
    ),
    "dense.qwen": ("qwen2", "qwen3"),
    "dense.stablelm": ("stablelm",),
    "classic.bigcode": ("gpt_bigcode", "starcoder2"),
    "classic.bloom": ("bloom",),
    "classic.falcon": ("falcon", "RefinedWebModel", "RefinedWeb"),
    "classic.gpt2": ("gpt2",),
    "classic.gpt_neox": ("gpt_neox",),
    "classic.gptj": ("gptj",),
    "classic.plain": (
        "gpt_neo", "codegen", "ctrl", "gpt_neox_japanese", "persimmon", "xglm", "biogpt", "trocr", "openai-gpt",
    ),
    "classic.mpt": ("mpt",),
    "classic.opt": ("opt",),
    "sparse.deepseek": ("deepseek_v2", "deepseek_v3", "deepseek_v32"),
    "sparse.deepseek_v4": ("deepseek_v4",),
    "sparse.gemma4": ("gemma4", "gemma4_text"),
    "sparse.glm_moe": ("glm4_moe", "glm4_moe_lite", "glm_moe_dsa"),
    "sparse.gpt_oss": ("gpt_oss",),
    "sparse.kimi": ("kimi_k2",),
    "sparse.llama4": ("llama4_text",),
    "sparse.mimo": ("mimo_v2_flash",),
    "sparse.minicpm": ("minicpm",),
    "sparse.minimax": ("minimax_m2",),
    "sparse.mixtral": ("mixtral",),
    "sparse.own_blocks": ("dbrx", "jetmoe", "longcat_flash"),
    "sparse.plain": (
        "olmoe", "flex_olmo", "ernie4_5_moe", "granitemoe", "granitemoeshared", "phimoe", "hunyuan_v1_moe", "dots1",
        "solar_open", "exaone_moe", "afmoe",
    ),
    "sparse.qwen_moe": ("qwen2_moe", "qwen3_moe"),
    "recurrent.delta": ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"),
    "recurrent.lfm2": ("lfm2", "lfm2_moe"),
    "recurrent.griffin": ("recurrent_gemma",),
    "recurrent.kimi_linear": ("kimi_linear",),
    "recurrent.mamba": ("mamba", "mamba2", "falcon_mamba"),
    "recurrent.mamba_hybrids": ("granitemoehybrid", "bamba", "falcon_h1", "jamba"),
    "recurrent.minimax": ("minimax",),
    "recurrent.nemotron_h": ("nemotron_h",),
    "recurrent.olmo_hybrid": ("olmo_hybrid",),
    "recurrent.rwkv": ("rwkv", "rwkv5"),
    "recurrent.xlstm": ("xlstm",),
    "recurrent.zamba": ("zamba", "zamba2"),
    "encoders.albert": ("albert", "eurobert"),
    "encoders.bert": ("bert", "roberta", "xlm-roberta", "camembert", "distilbert"),
    "encoders.deberta": ("deberta", "deberta-v2"),
    "encoders.kin": (
        "electra",
        "ernie",
        "megatron-bert",
        "bert-generation",
        "roformer",
        "mpnet",
        "xlm-roberta-xl",
        "esm",
        "rembert",
        "nomic_bert",
        "jina_embeddings_v3",
    ),
    "encoders.layout": ("layoutlmv3",),
    "encoders.long": ("longformer", "big_bird"),
    "encoders.mobilebert": ("mobilebert",),
    "encoders.modernbert": ("modernbert",),
    "encoders.t5": ("t5", "mt5", "umt5"),
    "encoders.xlnet": ("xlnet",),
    "encoders.whisper": ("whisper",),
    "pairs.switch": ("switch_transformers",),
    "pairs.t5gemma": ("t5gemma",),
    "pairs.longt5": ("longt5",),
    "pairs.vision": ("vision-encoder-decoder",),
    "pairs.led": ("led",),
    "pairs.speecht5": ("speecht5",),
    "pairs.codebooks": ("musicgen", "dia"),
    "pairs.bart": ("bart", "mbart", "pegasus", "blenderbot", "marian", "m2m_100"),
    "pictures.clip": (
        "clip",
        "clip_vision_model",
        "clip_text_model",
        "siglip",
        "siglip_vision_model",
        "siglip2",
        "owlvit",
        "owlv2",
    ),
    "pictures.convnets": ("resnet", "convnext", "convnextv2"),
    "pictures.depth": ("dpt", "depth_anything", "vitpose"),
    "pictures.detr": ("detr", "table-transformer", "rt_detr"),
    "pictures.grounding": ("grounding-dino",),
    "pictures.mask2former": ("mask2former",),
    "pictures.sam": ("sam",),
    "pictures.sam2": ("sam2",),
    "pictures.segformer": ("segformer",),
    "pictures.swin": ("swin", "swinv2"),
    "pictures.vit": ("vit", "dinov2", "dinov2_with_registers", "dinov3_vit", "videomae"),
    "sound.clap": ("clap",),
    "sound.conformer": ("wav2vec2-bert", "parakeet_ctc", "parakeet_encoder"),
    "sound.encodec": ("encodec",),
    "sound.mimi": ("mimi",),
    "sound.vits": ("vits",),
    "sound.moonshine": ("moonshine",),
    "sound.wav2vec2": ("wav2vec2", "hubert", "wavlm"),
    "vision.gemma3": ("gemma3",),
    "vision.kimi": ("kimi_k25",),
    "vision.llama4": ("llama4",),
    "vision.llava": ("llava", "llava_next"),
    "vision.phi3": ("phi3_v",),
    "vision.mllama": ("mllama_text_model", "mllama"),
    "multimodal.blip": ("blip",),
    "multimodal.captions": ("git", "kosmos_2_text_model", "kosmos-2"),
    "multimodal.chameleon": ("chameleon",),
    "multimodal.omni": (
        "qwen2_5_omni_thinker", "qwen2_5_omni", "qwen3_omni_moe_text", "qwen3_omni_moe_thinker", "qwen3_omni_moe",
    ),
    "multimodal.pixtral": ("pixtral",),
    "multimodal.retrieval": ("colpali",),
    "vision.texts": (
        "qwen2_vl_text", "qwen2_5_vl_text", "qwen2_5_omni_text", "glm4v_text", "glm_ocr_text", "glm4v_moe_text",
        "paddleocr_vl_text", "aria_text",
    ),
    "vision.wrapped": (
        "qwen2_vl", "qwen2_5_vl", "mistral3", "llava_onevision", "video_llava", "internvl", "paligemma", "smolvlm",
        "idefics3", "idefics2", "aya_vision", "cohere2_vision", "lfm2_vl", "glm4v", "glm46v", "glm4v_moe", "glm_ocr",
        "got_ocr2", "paddleocr_vl", "aria", "blip-2", "instructblip", "granite_speech",
        "phi4_multimodal", "florence2", "fuyu", "gemma3n", "deepseek_vl", "qwen2_audio", "voxtral",
    ),
    "vision.qwen_vl": ("qwen3_vl_text", "qwen3_vl_moe_text", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe"),
    "sound.csm": ("csm",),
    "sound.bark": ("bark",),
    "pairs.blt": ("blt",),
}  # fmt: skip

_TEXTS: Final = ("dense.", "classic.", "sparse.", "recurrent.", "vision.texts")  # modules of decoders of text
_TEXTS_TOO: Final = frozenset({"qwen3_vl_text", "qwen3_vl_moe_text", "qwen3_omni_moe_text"})
_WHOLES: Final = frozenset({"gemma4"})  # beside their own text's type
_ENCODED: Final = ("encoders.t5", "pairs.bart")
_ALIKE: Final = 0.6
_FEW: Final = 4
_LONGEST: Final = 60  # of a name that is compared


def reader_of(model_type: str) -> Reader | None:
    """The reader of a model type, None where no family has it."""
    module = next((name for name, types in MODULES.items() if model_type in types), None)
    return None if module is None else _readers(module)[model_type]


def text_reader_of(model_type: str, *, encoded: bool = False) -> Reader | None:
    """The reader of a decoder of text, as it may stand inside another model; `encoded`: one with an encoder too."""
    rooms = (*_TEXTS, *_ENCODED) if encoded else _TEXTS
    room = next((name for name, types in MODULES.items() if model_type in types), "")
    decodes = (room.startswith(rooms) and model_type not in _WHOLES) or model_type in _TEXTS_TOO
    return reader_of(model_type) if decodes else None


def supported() -> tuple[str, ...]:
    """Every model type that can be built."""
    return tuple(sorted(model_type for types in MODULES.values() for model_type in types))


def nearest(model_type: str) -> tuple[str, ...]:
    """A few supported types whose names are like one that is not: of its family, or misspelt."""
    from difflib import SequenceMatcher

    wanted = model_type[:_LONGEST].lower()
    likeness = {known: SequenceMatcher(None, wanted, known.lower()).ratio() for known in supported()}
    near = sorted((known for known in likeness if likeness[known] >= _ALIKE), key=lambda known: -likeness[known])
    return tuple(near[:_FEW])


def declared(module: str) -> tuple[Family, ...]:
    """The families that a module of `families` declares."""
    found: tuple[Family, ...] = import_module(f"{families.__name__}.{module}").FAMILIES
    return found


@cache
def _readers(module: str) -> Mapping[str, Reader]:
    return {model_type: family.reader for family in declared(module) for model_type in family.model_types}
