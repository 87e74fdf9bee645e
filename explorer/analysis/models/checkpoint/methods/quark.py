"""AMD Quark: one scheme for all layers, others by wildcards."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models.checkpoint.assignment import LINEAR_AND_HEAD, Assignment, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.layouts import FLOAT, fp8, fp8_blocks, integers, mxfp4, mxfp8
from explorer.analysis.models.checkpoint.methods.method import KV_SCALES, Found, Method, plain

_FLOATS: Final = ("fp8_e4m3", "fp8_e5m2")


def quark(method: Method) -> Found:
    """The rules of `global_quant_config`, `layer_quant_config` and `exclude`."""
    if method.mapping("layer_type_quant_config"):
        method.unread("layer_type_quant_config", method.config["layer_type_quant_config"], "{}")
    exported = method.mapping("export").get("weight_format", "real_quantized")
    method.one_of("export.weight_format", exported, "real_quantized")
    rules = [Rule(None, method.names("wildcard", "exclude"))]
    for name, stated in method.entries("layer_quant_config").items():
        layout = _layout(method, stated, f"layer_quant_config.{name}")
        rules.append(Rule(layout, method.named([name], "wildcard", "layer_quant_config")))
    default = _layout(method, method.config.get("global_quant_config"), "global_quant_config")
    kv = _cache(method)
    return Found(Assignment(tuple(rules), default, LINEAR_AND_HEAD), kv, KV_SCALES if kv else 0.0)


def _layout(method: Method, stated: object, path: str) -> WeightLayout | None:
    parts = stated if isinstance(stated, Mapping) else {}
    weight, inputs = _one(parts.get("weight")), _one(parts.get("input_tensors"))
    if weight is None:
        if not isinstance(stated, Mapping) or parts.get("weight") is not None:
            method.unread(f"{path}.weight", parts.get("weight"), "one scheme")
        return None
    kind, scheme, size = (plain(weight.get(name)) for name in ("dtype", "qscheme", "group_size"))
    read = _input(inputs)
    static = FLOAT if inputs is not None and inputs.get("is_dynamic") is False else 0
    if kind == "fp4" and scheme == "per_group" and size == 32:
        return mxfp4(read)
    if kind in _FLOATS:
        made = {
            "per_tensor": fp8(read, tensor=FLOAT + static),
            "per_channel": fp8(read, output=FLOAT, tensor=static),
        }
        if scheme == "per_group" and isinstance(size, int) and size > 0:
            exponents = weight.get("scale_format") == "e8m0" and size == 32
            return mxfp8(read) if exponents else fp8_blocks(1, size, read, tensor=static)
        if scheme in made:
            return made[str(scheme)]
        method.unread(f"{path}.weight.qscheme", scheme, *made, "per_group")
        return None
    return _integers(method, weight, read, path)


def _integers(method: Method, weight: Mapping[str, Any], read: str, path: str) -> WeightLayout | None:
    kind = weight.get("dtype")
    if not method.one_of(f"{path}.weight.dtype", kind, "fp4", *_FLOATS, "int8", "uint8", "int4", "uint4"):
        return None
    if not method.one_of(f"{path}.weight.qscheme", weight.get("qscheme"), "per_group", "per_channel"):
        return None
    if kind == "fp4":
        method.unread(f"{path}.weight.group_size", weight.get("group_size"), 32)
        return None
    group = weight.get("group_size") if weight.get("qscheme") == "per_group" else -1
    size = method.group(f"{path}.weight.group_size", group)
    method.fields.note("model.scales_assumed", method="Quark")
    zeros = weight.get("symmetric") is False or str(kind).startswith("uint")
    return integers(8 if str(kind).endswith("8") else 4, size, read, zeros=zeros)


def _one(found: object) -> Mapping[str, Any] | None:
    """A scheme; of a list of two-level schemes none, which are not read."""
    if isinstance(found, list) and len(found) == 1:
        return _one(found[0])
    return found if isinstance(found, Mapping) else None


def _input(inputs: Mapping[str, Any] | None) -> str:
    if inputs is None:
        return ""
    kind = inputs.get("dtype")
    if kind in _FLOATS:
        return "fp8"
    return {"fp4": "mxfp4", "int8": "int8", "int4": "int4"}.get(str(kind), "")


def _cache(method: Method) -> str:
    """fp8 where the outputs of the keys' and values' projections are stored so."""
    found = method.mapping("kv_cache_quant_config")
    kinds = {
        plain((_one(one.get("output_tensors")) or {}).get("dtype"))
        for one in found.values()
        if isinstance(one, Mapping)
    }
    kinds.discard(None)
    if not kinds:
        return ""
    if kinds <= set(_FLOATS):
        return "fp8"
    method.unread_cache("kv_cache_quant_config", min(map(str, kinds)), *_FLOATS)
    return ""
