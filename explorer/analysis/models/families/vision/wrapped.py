"""Text models of any type beside one known tower: one entry for each model type."""

from functools import partial
from typing import Final

from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.vision.wrapper import Side, Wrapper
from explorer.analysis.models.towers import joins

_QWEN2_VL: Final = Side("qwen2_vl_vision", place="visual", fixed=True)
_QWEN25_VL: Final = Side("qwen2_5_vl_vision", place="visual", fixed=True)
_GLM4V: Final = Side("glm4v_vision", place="visual", fixed=True)
_AYA: Final = Side("siglip_vision_model", partial(joins.cohere, normed=True))
_VOXTRAL_TEXT: Final = {
    "vocab_size": 131_072, "hidden_size": 3072, "intermediate_size": 8192, "num_hidden_layers": 30,
    "num_key_value_heads": 8, "head_dim": 128,
}  # fmt: skip
_PHI4_TEXT: Final = {
    "vocab_size": 200_064, "hidden_size": 3072, "intermediate_size": 8192, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8,
}  # fmt: skip
_FUYU_TEXT: Final = {
    "vocab_size": 262_144, "hidden_size": 4096, "intermediate_size": 16_384, "num_hidden_layers": 36,
    "num_attention_heads": 64,
}  # fmt: skip

WRAPPED: Final = {
    "qwen2_vl": Wrapper("Qwen2-VL", "qwen2_vl_text", (_QWEN2_VL,), ties="either", flat=True),
    "qwen2_5_vl": Wrapper("Qwen2.5-VL", "qwen2_5_vl_text", (_QWEN25_VL,), ties="either", flat=True),
    "mistral3": Wrapper(
        "Mistral 3", "mistral", (Side("pixtral", joins.merged_first),), {"spatial_merge_size": 2}
    ),
    "llava_onevision": Wrapper(
        "LLaVA-OneVision", "qwen2", (Side("siglip_vision_model", joins.with_newline(joins.two_linear)),), ties="either"
    ),
    "video_llava": Wrapper("Video-LLaVA", "llama", (Side("clip_vision_model", joins.two_linear, times=2),)),
    "internvl": Wrapper("InternVL", "qwen2", (Side("internvl_vision", joins.shuffled),)),
    "paligemma": Wrapper(
        "PaliGemma", "gemma", (Side("siglip_vision_model", joins.to_projection_dim),), {"projection_dim": 2048}
    ),
    "smolvlm": Wrapper(
        "SmolVLM", "llama", (Side("smolvlm_vision", joins.scaled, place="vision_model", fixed=True),),
        {"scale_factor": 2},
    ),
    "idefics3": Wrapper(
        "Idefics 3", "llama", (Side("idefics3_vision", joins.scaled, place="vision_model", fixed=True),),
        {"scale_factor": 2},
    ),
    "idefics2": Wrapper(
        "Idefics 2", "mistral", (Side("idefics2_vision", joins.perceiver, place="vision_model", fixed=True),)
    ),
    "aya_vision": Wrapper("Aya Vision", "cohere2", (_AYA,), {"downsample_factor": 2}),
    "cohere2_vision": Wrapper(
        "Command A Vision", "cohere2", (Side("siglip_vision_model", joins.cohere),),
        {"downsample_factor": 2, "alignment_intermediate_size": 36_864},
    ),
    "lfm2_vl": Wrapper(
        "LFM2-VL", "lfm2", (Side("siglip2_vision_model", joins.lfm2),),
        {
            "downsample_factor": 2, "projector_hidden_size": 2560, "projector_bias": True,
            "projector_use_layernorm": True,
        },
    ),
    "glm4v": Wrapper("GLM-4.1V", "glm4v_text", (_GLM4V,), ties="either"),
    "glm46v": Wrapper("GLM-4.6V", "glm4v_text", (Side("glm4v_vision", place="visual"),)),
    "glm4v_moe": Wrapper("GLM-4.5V", "glm4v_moe_text", (_GLM4V,), ties="either"),
    "glm_ocr": Wrapper(
        "GLM-OCR", "glm_ocr_text", (Side("glm_ocr_vision", place="visual", fixed=True),), ties="either"
    ),
    "got_ocr2": Wrapper(
        "GOT-OCR 2.0", "qwen2", (Side("got_ocr2_vision", joins.got, fixed=True),)
    ),
    "paddleocr_vl": Wrapper(
        "PaddleOCR-VL", "paddleocr_vl_text", (Side("paddleocr_vl_vision", joins.paddle, place="visual", fixed=True),),
        ties="either", flat=True,
    ),
    "aria": Wrapper("Aria", "aria_text", (Side("idefics3_vision", joins.aria),)),
    "blip-2": Wrapper(
        "BLIP-2", "opt", (Side("blip_2_vision_model", joins.qformer, place="vision_model", fixed=True),),
        {"num_query_tokens": 32}, ties="inner", encoded=True,
    ),
    "instructblip": Wrapper(
        "InstructBLIP", "opt",
        (Side("instructblip_vision_model", joins.qformer_with_text, place="vision_model", fixed=True),),
        {"num_query_tokens": 32}, ties="inner", encoded=True,
    ),
    "granite_speech": Wrapper(
        "Granite Speech", "granite",
        (Side("granite_speech_encoder", joins.granite_speech, "encoder_config", "encoder", "audio", fixed=True),),
        {"downsample_rate": 5, "window_size": 15},
    ),
    "phi4_multimodal": Wrapper(
        "Phi-4 multimodal", "phi3",
        (
            Side("phi4_multimodal_vision", joins.phi4_image, place="image_embed.img_processor", fixed=True),
            Side(
                "phi4_multimodal_audio", joins.phi4_sound, "audio_config", "audio_embed.encoder", "audio", fixed=True
            ),
        ),
        flat=True, inside=_PHI4_TEXT,
    ),
    "florence2": Wrapper(
        "Florence-2", "bart", (Side("florence_vision", joins.florence2, fixed=True),), ties="outer", encoded=True
    ),
    "fuyu": Wrapper("Fuyu", "persimmon", (), flat=True, inside=_FUYU_TEXT, own=joins.fuyu),
    "gemma3n": Wrapper(
        "Gemma 3n", "gemma3n_text",
        (
            Side("gemma3n_vision", joins.gemma3n, fixed=True),
            Side("gemma3n_audio", joins.gemma3n, "audio_config", "audio_tower", "audio", fixed=True),
        ),
    ),
    "deepseek_vl": Wrapper(
        "DeepSeek-VL", "llama", (Side("siglip_vision_model", joins.aligner, place="vision_model"),)
    ),
    "qwen2_audio": Wrapper(
        "Qwen2-Audio", "qwen2",
        (Side("qwen2_audio_encoder", joins.one_linear, "audio_config", "audio_tower", "audio"),), ties="never",
    ),
    "voxtral": Wrapper(
        "Voxtral", "llama", (Side("voxtral_encoder", joins.voxtral, "audio_config", "audio_tower", "audio"),),
        ties="never", inside=_VOXTRAL_TEXT,
    ),
}  # fmt: skip

FAMILIES: Final = tuple(Family((model_type,), reader) for model_type, reader in WRAPPED.items())
