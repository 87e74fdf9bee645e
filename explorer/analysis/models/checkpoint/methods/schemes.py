"""Groups of modules as compressed-tensors describes them, and how their weights and inputs are stored."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models.checkpoint.assignment import LINEAR, LINEAR_AND_HEAD, Kind, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.layouts import FLOAT, fp8, fp8_blocks, integers, mxfp4, mxfp8, nvfp4
from explorer.analysis.models.checkpoint.methods.method import Method, plain
from explorer.analysis.models.checkpoint.module_names import Style

_CLASSES: Final[Mapping[str, frozenset[Kind]]] = {
    "Linear": LINEAR_AND_HEAD,
    "LinearBase": LINEAR,
    "Embedding": frozenset({"embedding"}),
    "FusedMoE": frozenset({"experts", "fused"}),
}
_EXPERTS: Final = frozenset[Kind]({"experts", "fused"})
_FORMATS: Final = frozenset(
    {"pack-quantized", "int-quantized", "float-quantized", "naive-quantized", "mixed-precision", "nvfp4-pack-quantized"}
    | {"mxfp4-pack-quantized", "mxfp8-quantized"}
)
_SHAPE: Final = 16  # bytes of the shape that packed weights carry along
_INT32: Final = 32


def group_rules(method: Method, style: Style) -> tuple[Rule, ...]:
    """One rule for each group: those that name modules first, then those that name classes of them."""
    named: list[Rule] = []
    classes: list[Rule] = []
    groups = method.entries("config_groups")
    last = {target: key for key, group in groups.items() for target in _targets(group)}
    for key, group in groups.items():
        path = f"config_groups.{key}"
        if not isinstance(group, Mapping):
            method.unread(path, group, "an object")
            continue
        layout = _layout(method, group, path)
        targets = group.get("targets")
        listed = ["Linear"] if targets is None else method.listed(targets, f"{path}.targets")
        kinds = [kinds for target in listed if (kinds := _class(target))]
        texts = [t for t in listed if not _class(t) and last[t] == key]
        for odd in (t for t in texts if t[:1].isupper() and "." not in t):
            method.unread(f"{path}.targets", odd, *_CLASSES)
        if texts:
            named.append(Rule(layout, method.named(texts, style, f"{path}.targets")))
        if kinds:
            classes.append(Rule(layout, kinds=frozenset[Kind]().union(*kinds)))
    return (*named, *reversed(classes))  # as the library's loop has it, the last group for a target stays


def _targets(group: object) -> list[str]:
    found = group.get("targets") if isinstance(group, Mapping) else None
    return [t for t in found if isinstance(t, str)] if isinstance(found, list | tuple) else []


def ignored(method: Method, style: Style, *fields: str) -> tuple[Rule, ...]:
    """Modules that stay as they are, by name or by class."""
    stated = next((name for name in fields if method.config.get(name) is not None), fields[0])
    listed = method.listed(method.config.get(stated), stated)
    kinds = [kinds for target in listed if (kinds := _class(target))]
    return (
        Rule(None, method.named([t for t in listed if not _class(t)], style, stated)),
        *((Rule(None, kinds=frozenset[Kind]().union(*kinds)),) if kinds else ()),
    )


def _class(target: str) -> frozenset[Kind] | None:
    if target in _CLASSES:
        return _CLASSES[target]
    return _EXPERTS if target.endswith("Experts") and "." not in target else None


def _layout(method: Method, group: Mapping[str, Any], path: str) -> WeightLayout | None:
    form = group.get("format") or method.get("format")
    field = f"{path}.format" if group.get("format") else "format"
    if form is not None and not method.one_of(field, form, *_FORMATS):
        return None
    weights, inputs = group.get("weights"), group.get("input_activations")
    if weights is None:
        return None
    if not isinstance(weights, Mapping):
        method.unread(f"{path}.weights", weights, "an object")
        return None
    return _stored(method, weights, inputs if isinstance(inputs, Mapping) else {}, str(form or ""), f"{path}.weights")


def _stored(
    method: Method, weights: Mapping[str, Any], inputs: Mapping[str, Any], form: str, path: str
) -> WeightLayout | None:
    bits = weights.get("num_bits")
    if not method.one_of(f"{path}.type", weights.get("type"), "int", "float"):
        return None
    known = (4, 8) if weights["type"] == "float" else (2, 3, 4, 5, 6, 7, 8)
    if not method.one_of(f"{path}.num_bits", bits, *known):
        return None
    if weights["type"] == "int":
        return _integers(method, weights, inputs, form, path)
    return _float8(method, weights, inputs, path) if bits == 8 else _float4(method, weights, inputs, path)


def _float4(method: Method, weights: Mapping[str, Any], inputs: Mapping[str, Any], path: str) -> WeightLayout | None:
    size = weights.get("group_size")
    if not method.one_of(f"{path}.group_size", size, 16, 32):
        return None
    if size == 32:
        return mxfp4(input_format(inputs))
    return nvfp4(input_format(inputs), tensor=FLOAT + (FLOAT if inputs else 0))


def _float8(method: Method, weights: Mapping[str, Any], inputs: Mapping[str, Any], path: str) -> WeightLayout | None:
    strategy, size = plain(weights.get("strategy")), plain(weights.get("group_size"))
    read = input_format(inputs)
    if strategy is None and size is None:  # ModelOpt: fp32 scales of the weights and of the inputs
        return fp8(read, tensor=FLOAT + (FLOAT if inputs else 0))
    beside = method.wide if inputs.get("dynamic") is False else 0
    if size == 32 and strategy in {None, "group"}:
        return mxfp8(read)
    whole = {
        "tensor": fp8(read, tensor=method.wide + beside),
        "channel": fp8(read, output=method.wide, tensor=beside),
    }
    if strategy in whole:
        return whole[str(strategy)]
    if not method.one_of(f"{path}.strategy", strategy, *whole, "block", "group"):
        return None
    block = weights.get("block_structure") if strategy == "block" else [1, size]
    if isinstance(block, list | tuple) and len(block) == 2 and all(isinstance(n, int) and n > 0 for n in block):
        scale = FLOAT if strategy == "block" else method.wide
        return fp8_blocks(block[0], block[1], read, scale=scale, tensor=beside)
    method.unread(f"{path}.block_structure", block, "two sizes")
    return None


def _integers(
    method: Method, weights: Mapping[str, Any], inputs: Mapping[str, Any], form: str, path: str
) -> WeightLayout | None:
    bits, strategy = int(weights["num_bits"]), plain(weights.get("strategy"))
    size = method.group(f"{path}.group_size", weights.get("group_size"))
    if strategy == "channel" or (strategy is None and size == -1):
        size = -1
    elif strategy == "tensor":
        return WeightLayout(
            f"int{bits}", "int8", bits, input_format(inputs), tensor=method.wide + _static(method, inputs)
        )
    elif not method.one_of(f"{path}.strategy", strategy, "group", "channel", "tensor", None):
        return None
    packed = form == "pack-quantized" or (form != "int-quantized" and bits != 8)
    ordered = plain(weights.get("actorder")) in {True, "group"} and size != -1
    zeros = weights.get("symmetric") is False
    if not packed and bits < 8:  # held in a byte each
        method.unread(f"{path}.num_bits", bits, 8)
        return None
    return integers(
        bits,
        size,
        input_format(inputs),
        zeros=zeros,
        scale=method.wide,
        given=FLOAT if ordered else 0,
        tensor=(_SHAPE if packed else 0) + _static(method, inputs),
        per_word=_INT32 // bits if packed else 1,
        word=_INT32 if packed else 0,
    )


def _static(method: Method, inputs: Mapping[str, Any]) -> float:
    if inputs.get("dynamic") is not False:
        return 0
    return method.wide + (0 if inputs.get("symmetric") is not False else 1)


def input_format(inputs: Mapping[str, Any]) -> str:
    """The format that inputs of linear layers are quantised to, "" for none."""
    bits, floating, size = inputs.get("num_bits"), inputs.get("type") == "float", inputs.get("group_size")
    if bits == 8:
        return ("mxfp8" if size == 32 else "fp8") if floating else "int8"
    if bits == 4 and floating:
        return {32: "mxfp4", 16: "nvfp4"}.get(size, "") if isinstance(size, int) else ""
    return "int4" if bits == 4 and not floating else ""
