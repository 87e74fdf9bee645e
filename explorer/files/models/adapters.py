"""What an adapter adds to the model it was made for."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models import Model
from explorer.analysis.models.parts import Op
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.expand import built_model
from explorer.files.disk.text import printable
from explorer.files.models.presets import load_presets

_ALIKE: Final = ("-instruct", "-chat", "-it", "-base", "-hf")  # endings that change no tensor
_EVERY: Final = "all-linear"
_RANKS: Final = 65_536
_MORE: Final = ("modules_to_save", "rank_pattern", "use_dora", "target_parameters", "layers_to_transform")


def adapter_problem(found: Mapping[str, Any]) -> Problem:
    """The refusal of an adapter: of what, and how much its rank adds where that model is known."""
    base, kind = found.get("base_model_name_or_path"), found.get("peft_type")
    values: dict[str, str | int] = {"kind": printable(kind) if isinstance(kind, str) else "LoRA"}
    if not isinstance(base, str) or not base:
        return Problem("neighbour.adapter_alone", values=values)
    values["base"] = printable(base)
    rank = found.get("r")
    model = _known(base)
    if model is None or not isinstance(rank, int) or isinstance(rank, bool) or not 0 < rank < _RANKS:
        return Problem("neighbour.adapter", values=values)
    if any(found.get(name) for name in _MORE):
        return Problem("neighbour.adapter", values=values)
    added = rank * _sizes(model, found.get("target_modules"))
    if not added:
        return Problem("neighbour.adapter", values=values)
    more: dict[str, str | int] = {"rank": rank, "parameters": added, "megabytes": f"{added * 2 / 1e6:,.1f}"}
    return Problem("neighbour.adapter_sized", values={**values, **more})


def _known(base: str) -> Model | None:
    wanted = _plain(base)
    for entry in load_presets():
        if entry.source and _plain(entry.source) == wanted:
            try:
                return built_model(entry)
            except Refused:
                return None
    return None


def _plain(name: str) -> str:
    short = name.lower().rstrip("/").rpartition("/")[2].removeprefix("meta-")
    for ending in _ALIKE:
        short = short.removesuffix(ending)
    return short


def _sizes(model: Model, targets: object) -> int:
    """Inputs and outputs of the modules it stands beside, over all layers; 0 where they are not a plain list."""
    listed = [targets] if isinstance(targets, str) else targets
    if not isinstance(listed, list) or not all(
        (isinstance(t, str) and t.isidentifier()) or t == _EVERY for t in listed
    ):
        return 0
    each = ((len(layer.indices), op) for layer in model.architecture.layers for op in layer.ops)
    return sum(times * _size(op) for times, op in each if op.kind == "matmul" and _meant(op, listed))


def _meant(op: Op, listed: list[str]) -> bool:
    return op.storage == "linear" if _EVERY in listed else op.name.rpartition(".")[2] in listed


def _size(op: Op) -> int:
    dims = dict(op.dims)
    return int(float(dims["n"]) + float(dims["k"]))  # type: ignore[arg-type]
