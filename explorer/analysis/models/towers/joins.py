"""Projectors between a tower and a text model: what each wrapper puts there, in values."""

from collections.abc import Callable
from typing import NamedTuple

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.towers.parts import Parts, affine


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
