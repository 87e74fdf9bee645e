"""Projectors between a tower and a text model: what each wrapper puts there, in values."""

from collections.abc import Callable
from typing import NamedTuple

from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.towers.parts import Parts, affine, attention, mlp


class Meeting(NamedTuple):
    """Where a tower meets a text: the configs of both and of the whole, what the one hands over, the other takes."""

    whole: Fields
    tower: Fields
    text: Fields
    width: int
    hidden: int


Join = Callable[[Meeting], Parts]


def none(_meeting: Meeting) -> Parts:
    """Nothing: the tower hands over what the text takes."""
    return {}


def two_linear(meeting: Meeting, *, bias: str = "multimodal_projector_bias", otherwise: bool = True) -> Parts:
    """LLaVA's: two linear layers, from the layers of the tower that the config names."""
    fields, hidden = meeting.whole, meeting.hidden
    taken = layers_taken(fields)
    biased = fields.flag(bias, otherwise=otherwise) if bias else otherwise
    return {
        "multi_modal_projector": affine(meeting.width * taken, hidden, bias=biased)
        + affine(hidden, hidden, bias=biased)
    }


def layers_taken(fields: Fields) -> int:
    """How many layers of a tower are handed over side by side."""
    layers = fields.config.get("vision_feature_layer")
    return len(layers) if isinstance(layers, list | tuple) and layers else 1


def with_newline(join: Join) -> Join:
    """A projector and one more learnt vector that ends a row of an image."""

    def joined(meeting: Meeting) -> Parts:
        return {**join(meeting), "image_newline": meeting.hidden}

    return joined


def merged_first(meeting: Meeting) -> Parts:
    """Mistral 3's: a norm, neighbouring patches merged to one, then LLaVA's two layers."""
    merged = meeting.width * meeting.whole.size("spatial_merge_size") ** 2
    return {
        "multi_modal_projector.norm": meeting.width,
        "multi_modal_projector.patch_merger": merged * meeting.width,
        **two_linear(meeting, otherwise=False),
    }


def shuffled(meeting: Meeting) -> Parts:
    """InternVL's: `downsample_ratio` says how many neighbouring patches are taken as one; a norm, two layers."""
    ratio = meeting.whole.fraction("downsample_ratio", otherwise=0.5)
    merged, hidden = meeting.width * int(1 / ratio) ** 2, meeting.hidden
    return {"multi_modal_projector": 2 * merged + affine(merged, hidden) + affine(hidden, hidden)}


def one_linear(meeting: Meeting) -> Parts:
    """One linear layer with a bias."""
    return {"multi_modal_projector": affine(meeting.width, meeting.hidden)}


def to_projection_dim(meeting: Meeting) -> Parts:
    """PaliGemma's: one linear layer to `projection_dim`."""
    return {"multi_modal_projector": affine(meeting.width, meeting.whole.size("projection_dim"))}


def scaled(meeting: Meeting) -> Parts:
    """Idefics 3's: `scale_factor` squared patches taken as one, one layer without a bias."""
    return {"connector": meeting.width * meeting.whole.size("scale_factor") ** 2 * meeting.hidden}


def aligner(meeting: Meeting) -> Parts:
    """DeepSeek-VL's: two linear layers."""
    return {"aligner": affine(meeting.width, meeting.hidden) + affine(meeting.hidden, meeting.hidden)}


def cohere(meeting: Meeting, *, normed: bool = False) -> Parts:
    """Cohere's: neighbouring patches as one, a gated layer; a norm before it in Aya."""
    fields, hidden = meeting.whole, meeting.hidden
    merged = meeting.width * fields.size("downsample_factor") ** 2
    inner = fields.size("alignment_intermediate_size", otherwise=hidden if normed else None)
    linear = affine(merged, inner) + affine(inner // 2, hidden)
    return {"multi_modal_projector": linear + 2 * merged * normed}


def lfm2(meeting: Meeting) -> Parts:
    """LFM2-VL's: neighbouring patches as one, a norm where the config says so, two layers."""
    fields, hidden = meeting.whole, meeting.hidden
    merged = meeting.width * fields.size("downsample_factor") ** 2
    inner, biased = fields.size("projector_hidden_size"), fields.flag("projector_bias")
    normed = fields.flag("projector_use_layernorm")
    linear = affine(merged, inner, bias=biased) + affine(inner, hidden, bias=biased)
    return {"multi_modal_projector": linear + 2 * merged * normed}


def voxtral(meeting: Meeting) -> Parts:
    """Voxtral's: sound taken by `intermediate_size` values at a time, two layers without biases."""
    inner = meeting.tower.size("encoder_ffn_dim", "intermediate_size")
    return {"multi_modal_projector": inner * meeting.hidden + meeting.hidden**2}


def perceiver(meeting: Meeting) -> Parts:
    """Idefics 2's: a gated projection, then learnt queries that read the image."""
    fields, text, hidden = meeting.whole, meeting.text, meeting.hidden
    own = fields.part("perceiver_config")
    heads, size = own.size("resampler_n_heads", otherwise=16), own.size("resampler_head_dim", otherwise=96)
    kv_heads = own.size("num_key_value_heads", otherwise=4)
    inner = text.size("intermediate_size")
    layer = 2 * hidden * size * (heads + kv_heads) + 3 * hidden * 4 * hidden + 3 * hidden
    return {
        "connector.modality_projection": 2 * meeting.width * inner + inner * hidden,
        "connector.perceiver_resampler.latents": own.size("resampler_n_latents", otherwise=64) * hidden,
        "connector.perceiver_resampler.layers": (layer, own.size("resampler_depth", otherwise=3)),
        "connector.perceiver_resampler.norm": hidden,
    }


def mllama(meeting: Meeting) -> Parts:
    """Llama 3.2's: one linear layer, from `vision_output_dim` values."""
    return one_linear(meeting)


def got(meeting: Meeting) -> Parts:
    """GOT-OCR's: two convolutions of stride 2, one linear layer."""
    hidden, doubled = meeting.hidden, 2 * meeting.width
    convolved = 9 * meeting.width * doubled + 9 * doubled * hidden
    return {"multi_modal_projector": convolved + affine(hidden, hidden)}


def paddle(meeting: Meeting) -> Parts:
    """PaddleOCR-VL's: a norm, neighbouring patches as one, two layers."""
    merged = meeting.width * meeting.tower.size("spatial_merge_size", otherwise=2) ** 2
    return {"projector": 2 * meeting.width + affine(merged, merged) + affine(merged, meeting.hidden)}


def aria(meeting: Meeting) -> Parts:
    """Aria's: learnt queries, as many as the most that an image asks for, that read the image."""
    width, hidden = meeting.width, meeting.hidden
    crossed = 3 * width * width + 4 * affine(width, width) + affine(width, width) + 4 * width
    return {
        "multi_modal_projector.query": _most_queries(meeting.whole) * width,
        "multi_modal_projector.cross_attn": crossed,
        "multi_modal_projector.layer_norm": 2 * width,
        "multi_modal_projector.feed_forward": width * hidden + hidden * hidden,
    }


def _most_queries(fields: Fields) -> int:
    """As many as an image may ask for; a most that the config states outweighs its table."""
    most = "max_value_projector_patch_to_query_dict"
    if fields.has(most):
        return fields.size(most)
    stated = fields.part("projector_patch_to_query_dict")
    if not stated.config:
        fields.assumed[f"{fields.path}projector_patch_to_query_dict"] = "256 at most"
        return 256
    return max(stated.size(name) for name in stated.config)


def qformer(meeting: Meeting) -> Parts:
    """BLIP-2's Q-Former: learnt queries that read the image, then one linear layer."""
    own = meeting.whole.part("qformer_config")
    return _qformer(meeting, text=own.flag("use_qformer_text_input", otherwise=False))


def qformer_with_text(meeting: Meeting) -> Parts:
    """InstructBLIP's Q-Former, which reads the instruction too."""
    return _qformer(meeting, text=True, tables=True)


def _qformer(meeting: Meeting, *, text: bool, tables: bool = False) -> Parts:
    own = meeting.whole.part("qformer_config")
    own.defaults = QFORMER_DEFAULTS
    width = own.size("hidden_size")
    return {
        **querying(own, meeting.width, "qformer", text=text),
        "qformer.embeddings": tables * (own.size("vocab_size") + own.size("max_position_embeddings")) * width,
        "query_tokens": meeting.whole.size("num_query_tokens") * width,
        "language_projection": affine(width, meeting.hidden),
    }


QFORMER_DEFAULTS = {
    "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "vocab_size": 30_522,
    "max_position_embeddings": 512, "cross_attention_frequency": 2,
}  # fmt: skip


def querying(own: Fields, read: int, place: str, *, text: bool) -> Parts:
    """The layers of a Q-Former over queries, every `cross_attention_frequency`-th of which reads the tower."""
    width, inner = own.size("hidden_size"), own.size("intermediate_size")
    layers, period = own.size("num_hidden_layers", limit=LAYER_LIMIT), own.size("cross_attention_frequency")
    block = mlp(width, inner) + 2 * width
    crossed = 2 * affine(width, width) + 2 * affine(read, width) + 2 * width
    parts: Parts = {
        f"{place}.layernorm": 2 * width,
        f"{place}.encoder.layer": (attention(width) + 2 * width + block, layers),
        f"{place}.encoder.layer.crossattention": (crossed, -(-layers // period)),
    }
    if text:
        parts[f"{place}.encoder.layer.intermediate"] = (block, layers)
    return parts


def granite_speech(meeting: Meeting) -> Parts:
    """Granite Speech's: a Q-Former with as many queries as a window of sound is shortened to, one linear layer."""
    fields = meeting.whole
    own = fields.part("projector_config")
    own.defaults = QFORMER_DEFAULTS
    width = own.size("hidden_size")
    queries = fields.size("window_size") // fields.size("downsample_rate")
    if fields.config.get("has_lora_adapter", True):
        fields.note("model.adapter_left_out")
    return {
        **querying(
            own, own.size("encoder_hidden_size", otherwise=1408), "projector.qformer",
            text=own.flag("use_qformer_text_input", otherwise=False),
        ),
        "projector.query": queries * width,
        "projector.linear": affine(width, meeting.hidden),
    }  # fmt: skip


def phi4_image(meeting: Meeting) -> Parts:
    """Phi-4's for images: two learnt separators, two layers."""
    width, hidden = meeting.width, meeting.hidden
    return {
        "image_embed.separators": 2 * width,
        "image_embed.projection": affine(width, hidden) + affine(hidden, hidden),
    }


def phi4_sound(meeting: Meeting) -> Parts:
    """Phi-4's for sound: two layers for sound alone, two more for sound beside an image."""
    meeting.whole.note("model.adapter_left_out")
    return {
        "audio_embed.projections": 2 * (affine(meeting.width, meeting.hidden) + affine(meeting.hidden, meeting.hidden))
    }


def kosmos2(meeting: Meeting) -> Parts:
    """Kosmos-2's: learnt queries that read the image through one layer of attention."""
    hidden = meeting.hidden
    queries = meeting.whole.size("latent_query_num") * hidden
    return {"image_to_text_projection": affine(meeting.width, hidden) + queries + attention(hidden)}


def git(meeting: Meeting) -> Parts:
    """GIT's: a linear layer and a norm; a vector for each frame where there are several."""
    frames = meeting.whole.config.get("num_image_with_embedding")
    count = 0 if frames is None else meeting.whole.size("num_image_with_embedding")
    return {
        "visual_projection": affine(meeting.width, meeting.hidden) + 2 * meeting.hidden,
        "img_temporal_embedding": count * meeting.width,
    }


def gemma3n(meeting: Meeting) -> Parts:
    """Gemma 3n's: words of a vocabulary of its own beside what the tower says, each normed, one projection."""
    side, width = meeting.tower, meeting.width
    named = "embed_audio" if "audio" in side.path else "embed_vision"
    words = side.size("vocab_size", otherwise=128)
    return {named: words * width + 2 * width + width * meeting.hidden}


def fuyu(fields: Fields, hidden: int) -> Parts:
    """Fuyu's: one linear layer on the values of a patch, and no tower."""
    values = fields.size("patch_size", otherwise=30) ** 2 * fields.size("num_channels", otherwise=3)
    return {"vision_embed_tokens": affine(values, hidden)}


def florence2(meeting: Meeting) -> Parts:
    """Florence-2's: one projection, a norm, and a table of rows and of columns."""
    for fields in (meeting.whole, meeting.text):  # untied, the two sides and the head share tables in other ways
        if fields.config.get("tie_word_embeddings") is False:
            fields.fault("model.variant_unread", "tie_word_embeddings", value="False", known="true")
    width = meeting.width
    out, places = (
        meeting.tower.size("projection_dim", otherwise=1024),
        meeting.tower.size("max_position_embeddings", otherwise=50),
    )
    return {"multi_modal_projector": width * out + 2 * out + places * width}
