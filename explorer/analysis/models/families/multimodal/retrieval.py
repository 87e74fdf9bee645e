"""ColPali: PaliGemma whose every token becomes a short vector, in one pass."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.vision.wrapped import WRAPPED
from explorer.analysis.models.families.vision.wrapper import Wrapper
from explorer.analysis.models.parts import Architecture, Dim, linear
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import PREFILL


class Retriever(msgspec.Struct, frozen=True):
    """A model in `vlm_config` without its head: a vector of `embedding_dim` values for each token."""

    inner: Wrapper
    label: str

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        return {"embedding_dim": 128}

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        outputs = fields.size("embedding_dim")
        made = self.inner(self._inner(fields), storage)
        head = next(op for op in made.after if op.name == "lm_head")
        width = int(next(float(value) for name, value in head.dims if name == "k" and isinstance(value, int | float)))
        projection = linear("embedding_proj_layer", width, outputs, "head", parent="", bias=True, storage="wide")
        after = (*(op for op in made.after if op.group != "head"), projection)
        before = tuple(replace(op, dims=tuple(_alone(dim) for dim in op.dims)) for op in made.before)
        fields.note("model.encoder_only")
        layers = tuple(replace(layer, caches=()) for layer in made.layers)
        return replace(made, before=before, layers=layers, after=after, tied=False, phases=(PREFILL,))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return self.inner.max_context(self._inner(fields))

    def _inner(self, fields: Fields) -> Fields:
        inner = fields.within("vlm_config")
        inner.defaults = self.inner.defaults
        return inner


def _alone(dim: tuple[str, Dim]) -> tuple[str, Dim]:
    """The table of embeddings is no head."""
    return (dim[0], 0.0) if dim[0] == "tied" else dim


FAMILIES: Final = (Family(("colpali",), Retriever(WRAPPED["paligemma"], "ColPali")),)
