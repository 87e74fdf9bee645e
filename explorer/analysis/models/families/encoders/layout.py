"""LayoutLMv3: words and where they stand on a page; the page's picture is held, and run where it is given."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack
from explorer.analysis.models.families.encoders.plain import Plain
from explorer.analysis.models.families.encoders.relative import relative_bias
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads import encoders as heads
from explorer.analysis.models.heads.named import labels_of
from explorer.analysis.models.parts import Op, Tensor, elementwise
from explorer.analysis.models.transformer import lookup

FEW_LABELS: Final = 10  # fewer are told by one linear layer


def _layout(fields: Fields, stack: Stack) -> Stack:
    """Six sizes of each word's box, biases of the scores, and the parts that take in a picture."""
    hidden, count = stack.decoder.hidden, fields.size("num_attention_heads")
    places, corner, side = (
        fields.size(f"{name}") for name in ("max_2d_position_embeddings", "coordinate_size", "shape_size")
    )
    fields.check(
        4 * corner + 2 * side == hidden, "model.inner_size_differs", "coordinate_size", stated=4 * corner + 2 * side,
        derived=hidden,
    )  # fmt: skip
    biases = []
    if fields.flag("has_relative_attention_bias"):
        biases.append(relative_bias(count, fields.size("rel_pos_bins"), "rel_pos_bias", "encoder"))
    if fields.flag("has_spatial_attention_bias"):
        bins = fields.size("rel_2d_pos_bins")
        biases += [relative_bias(count, bins, f"rel_pos_{axis}_bias", "encoder") for axis in "xy"]
    boxes = tuple(
        op
        for name, width in (("x", corner), ("y", corner), ("h", side), ("w", side))
        for op in _place(name, places, width)
    )
    added = elementwise("spatial.add", "residual_add", hidden, "embedding")
    extra = _picture(fields, hidden) if fields.flag("visual_embed") else ()
    if extra:
        fields.note("model.pictures_not_run")
    body = replace(stack.decoder, extra=extra)
    labels = labels_of(fields) if fields.has("num_labels", "id2label") else 2
    return replace(stack, decoder=body, more=(*boxes, added, *biases), heads=heads.layout(few=labels < FEW_LABELS))


def _place(name: str, places: int, width: int) -> tuple[Op, ...]:
    """Both corners are looked up in one table; a box has one height and one width."""
    first = lookup(f"{name}_position_embeddings", places, width)
    return (first, replace(first, name=f"{first.name}[2]", tensors=())) if name in "xy" else (first,)


def _picture(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    size, patch, channels = (fields.size(name) for name in ("input_size", "patch_size", "num_channels"))
    fields.check(size % patch == 0, "model.hidden_not_divisible", "patch_size", hidden=size, heads=patch)
    patches = (size // patch) ** 2
    values = {
        "cls_token": hidden, "pos_embed": (patches + 1) * hidden, "patch_embed.proj.bias": hidden,
        "patch_embed.proj.weight": channels * patch * patch * hidden, "LayerNorm.weight": 2 * hidden,
        "norm.weight": 2 * hidden,
    }  # fmt: skip
    return tuple(Tensor(name, count, "vision") for name, count in values.items())


LAYOUT = Plain(pooler="", rules=(only("text_embed", be=True),), finish=_layout)
FAMILIES: Final = (
    Family(
        ("layoutlmv3",),
        EncoderReader(
            "LayoutLMv3",
            LAYOUT,
            {
                "hidden_act": "gelu",
                "max_position_embeddings": 512,
                "type_vocab_size": 2,
                "max_2d_position_embeddings": 1024,
                "coordinate_size": 128,
                "shape_size": 128,
                "has_relative_attention_bias": True,
                "rel_pos_bins": 32,
                "rel_2d_pos_bins": 64,
                "has_spatial_attention_bias": True,
                "visual_embed": True,
                "input_size": 224,
                "num_channels": 3,
                "patch_size": 16,
            },
        ),
    ),
)
