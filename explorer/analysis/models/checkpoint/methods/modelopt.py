"""NVIDIA ModelOpt, in config.json or in hf_quant_config.json beside it; names are wildcards."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from explorer.analysis.models.checkpoint.assignment import LINEAR_AND_HEAD, Assignment, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.compressed import scheme_of_cache
from explorer.analysis.models.checkpoint.methods.layouts import FLOAT, fp8, fp8_blocks, integers, mxfp4, mxfp8, nvfp4
from explorer.analysis.models.checkpoint.methods.method import KV_SCALES, MOST_LISTED, Found, Method, plain
from explorer.analysis.models.checkpoint.methods.schemes import group_rules, ignored

_OF_CACHE: Final = ("kv_cache_quant_algo", "kv_cache_scheme")
_BOTH: Final = 2 * FLOAT  # one scale of the weights, one of the inputs
_MIXED: Final = "MIXED_PRECISION"
_CACHES: Final = {"FP8": "fp8", "NVFP4": "nvfp4", "INT8": "int8", "NONE": ""}
ALGORITHMS: Final[
    Mapping[str, Callable[[int, int], WeightLayout]]
] = {  # of the group's size and the bytes of a wide value
    "FP8": lambda _g, _w: fp8("fp8", tensor=_BOTH),
    "FP8_PER_CHANNEL_PER_TOKEN": lambda _g, _w: fp8("fp8", output=FLOAT),
    "FP8_PC_PT": lambda _g, _w: fp8("fp8", output=FLOAT),
    "FP8_PB_WO": lambda _g, _w: fp8_blocks(128, 128),
    "FP8_BLOCK_SCALES": lambda _g, _w: fp8_blocks(128, 128, "fp8"),
    "NVFP4": lambda _g, _w: nvfp4("nvfp4", tensor=_BOTH),
    "NVFP4_AWQ": lambda _g, w: nvfp4("nvfp4", given=w, tensor=_BOTH),
    "W4A16_NVFP4": lambda _g, _w: nvfp4(tensor=FLOAT),
    "W4A8_NVFP4_FP8": lambda _g, _w: nvfp4("fp8", tensor=_BOTH),
    "MXFP4": lambda _g, _w: mxfp4(),
    "W4A16_MXFP4": lambda _g, _w: mxfp4(),
    "W4A8_MXFP4_FP8": lambda _g, _w: mxfp4("fp8"),
    "MXFP8": lambda _g, _w: mxfp8("mxfp8"),
    "W4A16_AWQ": lambda g, w: integers(4, g, zeros=False, given=w),
    "W4A8_AWQ": lambda g, w: integers(4, g, "fp8", zeros=False, given=w, tensor=_BOTH),
    "INT8_SQ": lambda _g, w: integers(8, -1, "int8", zeros=False, scale=FLOAT, given=w, tensor=FLOAT),
}
_SIZES: Final = {"NVFP4": 16, "MXFP4": 32, "MXFP8": 32}


def modelopt(method: Method) -> Found:
    """The rules of one algorithm for all, of several for layers by name, or of groups."""
    rules = ignored(method, "wildcard", "exclude_modules", "ignore")
    algorithm = plain(method.get("quant_algo"))
    default = None
    if algorithm == _MIXED and method.mapping("quantized_layers"):
        rules = (*rules, *_by_layer(method))
    elif algorithm in ALGORITHMS:
        default = _layout(method, method.config, "")
        if method.mapping("config_groups") and _named_targets(method):
            rules, default = (*rules, *group_rules(method, "wildcard")), None
    elif method.mapping("config_groups"):
        rules = (*rules, *group_rules(method, "wildcard"))
    elif algorithm != "NONE" and (algorithm is not None or method.get(*_OF_CACHE) is None):
        method.unread("quant_algo", algorithm, *ALGORITHMS, _MIXED)
    kv = _cache(method)
    return Found(Assignment(rules, default, LINEAR_AND_HEAD), kv, KV_SCALES if kv else 0.0)


def _named_targets(method: Method) -> bool:
    """Whether groups name modules, and are more than one algorithm for every linear layer."""
    groups = [g for g in method.mapping("config_groups").values() if isinstance(g, Mapping)]
    return any(g.get("targets") not in (None, ["Linear"]) for g in groups)


def _by_layer(method: Method) -> tuple[Rule, ...]:
    """Layers of one algorithm and size of groups together."""
    alike: dict[tuple[object, object], list[str]] = {}
    for name, stated in method.entries("quantized_layers", MOST_LISTED).items():
        about = stated if isinstance(stated, Mapping) else {"quant_algo": stated}
        alike.setdefault((plain(about.get("quant_algo")), plain(about.get("group_size"))), []).append(name)
    return tuple(
        Rule(
            _layout(method, {"quant_algo": algorithm, "group_size": size}, "quantized_layers."),
            method.named(names, "wildcard", "quantized_layers"),
        )
        for (algorithm, size), names in alike.items()
    )


def _layout(method: Method, stated: Mapping[str, Any], within: str) -> WeightLayout | None:
    algorithm, size = stated.get("quant_algo"), stated.get("group_size")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        method.unread(f"{within}quant_algo", algorithm, *ALGORITHMS)
        return None
    fixed = next((n for name, n in _SIZES.items() if name in algorithm), None)
    if fixed is not None:
        method.one_of(f"{within}group_size", size, fixed, None)
    elif "W4" in algorithm:
        method.fields.note("model.scales_assumed", method=algorithm)
    return ALGORITHMS[algorithm](method.group(f"{within}group_size", size, otherwise=128), method.wide)


def _cache(method: Method) -> str:
    algorithm = method.get("kv_cache_quant_algo")
    if algorithm is None:
        return scheme_of_cache(method)
    if isinstance(algorithm, str) and algorithm in _CACHES:
        return _CACHES[algorithm]
    method.unread_cache("kv_cache_quant_algo", algorithm, *_CACHES)
    return ""
