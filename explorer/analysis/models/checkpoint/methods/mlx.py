"""MLX: every layer that multiplies is quantised, the embedding too; a module may have bits and groups of its own."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models.checkpoint.assignment import LINEAR_AND_HEAD, Assignment, Kind, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.layouts import affine, mxfp4, mxfp8, nvfp4
from explorer.analysis.models.checkpoint.methods.method import Found, Method

_BITS: Final = (2, 3, 4, 5, 6, 8)
_OWN: Final = frozenset({"bits", "group_size", "mode", "quant_method", "linear_class", "quantize_input"})
_MODES: Final = {"mxfp4": (mxfp4, 4, 32), "mxfp8": (mxfp8, 8, 32), "nvfp4": (nvfp4, 4, 16)}


def mlx(method: Method) -> Found:
    """The rules of `quantization`: what is stated for a module counts before what is stated for all."""
    alike: dict[WeightLayout | None, list[str]] = {}
    for name, stated in method.config.items():
        if stated is False:
            alike.setdefault(None, []).append(name)
        elif isinstance(stated, Mapping):
            layout = _layout(method, {**_globals(method), **stated}, f"{name}.")
            alike.setdefault(layout, []).extend((name, *_experts(name)))
        elif name not in _OWN and stated is not True:
            method.unread(name, stated, "false", "an object")
    rules = [Rule(layout, method.named(names, "whole", names[0])) for layout, names in alike.items()]
    default = _layout(method, _globals(method), "")
    covers = LINEAR_AND_HEAD | frozenset[Kind]({"embedding", "router"})
    return Found(Assignment(tuple(rules), default, covers, ties=True))


def _experts(name: str) -> tuple[str, ...]:
    """MLX holds all experts of a layer in one module, `switch_mlp`."""
    return (name.replace("switch_mlp", "experts"),) if "switch_mlp" in name else ()


def _globals(method: Method) -> Mapping[str, Any]:
    return {name: method.config.get(name) for name in ("bits", "group_size", "mode")}


def _layout(method: Method, stated: Mapping[str, Any], within: str) -> WeightLayout | None:
    mode = stated.get("mode") or "affine"
    if not method.one_of(f"{within}mode", mode, "affine", *_MODES):
        return None
    bits = stated.get("bits")
    if mode != "affine":
        made, values, size = _MODES[mode]
        known = method.one_of(f"{within}bits", bits if bits is not None else values, values)
        return (
            made() if known and method.one_of(f"{within}group_size", stated.get("group_size") or size, size) else None
        )
    if not method.one_of(f"{within}bits", bits, *_BITS):
        return None
    group = method.group(f"{within}group_size", stated.get("group_size"), otherwise=64)
    if group == -1:
        method.unread(f"{within}group_size", group, "32", "64", "128")
        return None
    return affine(int(str(bits)), group, scale=2 * method.wide)
