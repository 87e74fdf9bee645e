"""Number formats as people write them: in any case, and as PyTorch and llama.cpp name them."""

from typing import Final, TypeVar

from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.mixes import mix_named, mix_of
from explorer.analysis.study.study import QuickModel, Workload

ALIASES: Final = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "f16": "fp16",
    "float32": "fp32",
    "f32": "fp32",
    "float8_e4m3fn": "fp8",
}
_FIELDS: Final = ("weights", "activations", "kv")
Formatted = TypeVar("Formatted", Workload, QuickModel)


def format_id(text: str, catalogue: Catalogue) -> str:
    """The id of the number format that a text means; the text itself where it means none."""
    wanted = text.strip().removeprefix("torch.").lower()
    wanted = "/".join(ALIASES.get(part, part) for part in wanted.split("/"))
    return next((f.id for f in catalogue.formats if f.id.lower() == wanted), text)


def weights_id(text: str, catalogue: Catalogue) -> str:
    """The id of the mix or number format of a model's weights; a mix of this very name wins.

    A file's F16 is none of fp16 alone: its norms are in fp32.
    """
    if mix_of(text.strip()) is not None:
        return text.strip()
    found = format_id(text, catalogue)
    mix = mix_named(text) if found not in catalogue.format_by_id else None
    return found if mix is None else mix.name


def with_format_ids(part: Formatted, catalogue: Catalogue) -> Formatted:
    """A workload or a quick model with its formats under their ids."""
    written = {name: text for name in _FIELDS if (text := getattr(part, name, None))}
    found = {name: format_id(text, catalogue) for name, text in written.items()}
    if "weights" in written and (isinstance(part, Workload) or found["weights"] not in catalogue.format_by_id):
        found["weights"] = weights_id(written["weights"], catalogue)
    return replace(part, **found)
