"""Reading `quantization_config`: fp8, mxfp4, GPTQ, AWQ, bitsandbytes, compressed-tensors, ModelOpt."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.module_patterns import patterns_of, unread
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, brief

Config = Mapping[str, Any]
SYMMETRIC = {32: "int4-sym-g32", 64: "int4-sym-g64", 128: "int4-sym-g128"}
WITH_ZERO = {32: "int4-g32", 64: "int4-g64", 128: "int4"}
KEPT_NAMES = ("modules_to_not_convert", "ignored_layers", "llm_int8_skip_modules", "ignore", "exclude_modules")
BITS_4, BITS_8 = 4, 8
ALGORITHMS = {
    "FP8": ("fp8", "fp8"),
    "FP8_PB_WO": ("fp8-block128", ""),
    "NVFP4": ("nvfp4", "nvfp4"),
    "W4A16_NVFP4": ("nvfp4", ""),
    "MXFP4": ("mxfp4", ""),
    "MXFP8": ("mxfp8", "mxfp8"),
    "W4A16_AWQ": ("int4", ""),
    "W4A8_AWQ": ("int4", "fp8"),
}


def quantised(fields: Fields, config: Config, wide: str) -> Storage:
    """How a quantised checkpoint is stored; a method that is not read leaves a note and wide weights."""
    found = _read(fields, config, wide)
    if found is None:
        fields.note("model.quantisation_unread", method=brief(config.get("quant_method")), format=wide)
        return Storage(wide, wide)
    storage = replace(found, kept=_kept(fields, config), kv=_kv(config) or found.kv)
    if storage.linear_input:
        fields.note("model.input_quantised", format=storage.linear_input, stored=wide)
    return storage


def _read(fields: Fields, config: Config, wide: str) -> Storage | None:
    method = config.get("quant_method")
    if method is None and isinstance(config.get("quant_algo"), str):
        method = "modelopt"
    reader = METHODS.get(method) if isinstance(method, str) else None
    return reader(fields, config, wide) if reader else None


def _kept(fields: Fields, config: Config) -> tuple[str, ...]:
    texts = tuple(dict.fromkeys(text for name in KEPT_NAMES for text in patterns_of(config.get(name))))
    beyond = unread(texts)
    if beyond:
        fields.note("model.patterns_unread", patterns=", ".join(beyond[:20])[:200])
    left_out = set(beyond)
    return tuple(text for text in texts if text not in left_out)


def _kv(config: Config) -> str:
    scheme = config.get("kv_cache_scheme")
    eight = isinstance(scheme, Mapping) and scheme.get("num_bits") == BITS_8 and scheme.get("type") == "float"
    return "fp8" if eight or config.get("kv_cache_quant_algo") == "FP8" else ""


def _fp8(fields: Fields, config: Config, wide: str) -> Storage:
    weights = _block(fields, config.get("weight_block_size"))
    scheme = config.get("activation_scheme")
    return Storage(weights, wide, "fp8" if scheme in ("dynamic", "static") else "")


def _block(fields: Fields, block: object) -> str:
    if block is None:
        return "fp8"
    sizes = list(block) if isinstance(block, list | tuple) else []
    if sizes == [128, 128]:
        return "fp8-block128"
    fields.note("model.block_size_other", value=str(sizes)[:40] if sizes else brief(block))
    return "fp8"


def _row_fp8(_fields: Fields, _config: Config, wide: str) -> Storage:
    return Storage("fp8", wide, "fp8")


def _mxfp4(_fields: Fields, _config: Config, wide: str) -> Storage:
    return Storage("mxfp4", wide)


def _grouped(fields: Fields, config: Config, wide: str) -> Storage | None:
    """GPTQ and AWQ: integers in groups, each with a scale and a zero."""
    bits = next((config[name] for name in ("bits", "w_bit") if name in config), None)
    size = next((config[name] for name in ("group_size", "q_group_size") if name in config), None)
    if bits == BITS_4:
        return Storage(_integers(fields, size, WITH_ZERO), wide)
    if bits == BITS_8:
        if size not in (None, -1):
            fields.note("model.group_scales_uncounted", value=brief(size))
        return Storage("int8", wide)
    return None


def _integers(fields: Fields, size: object, known: Mapping[int, str]) -> str:
    if size in (None, -1):
        return "int4-channel"
    if isinstance(size, int) and size in known:
        return known[size]
    fields.note("model.group_size_other", value=brief(size))
    return known[128]


def _bitsandbytes(_fields: Fields, config: Config, wide: str) -> Storage | None:
    if config.get("load_in_4bit") is True:
        double = config.get("bnb_4bit_use_double_quant") is True
        return Storage("nf4-double" if double else "nf4", wide)
    if config.get("load_in_8bit") is True:
        return Storage("int8", wide, "int8")
    return None


class _Scheme(msgspec.Struct, frozen=True):
    """How values are stored: bits, whether floating, how scales are shared."""

    bits: object
    floating: bool
    strategy: object
    group: object
    symmetric: bool
    block: object


def _scheme(found: object) -> _Scheme | None:
    if not isinstance(found, Mapping):
        return None
    return _Scheme(
        found.get("num_bits"),
        found.get("type") == "float",
        found.get("strategy"),
        found.get("group_size"),
        found.get("symmetric") is not False,
        found.get("block_structure"),
    )


def _compressed(fields: Fields, config: Config, wide: str) -> Storage | None:
    """compressed-tensors: the first group of modules stands for all."""
    groups = config.get("config_groups")
    listed = [g for g in groups.values() if isinstance(g, Mapping)] if isinstance(groups, Mapping) else []
    if not listed:
        return None
    if len(listed) > 1:
        fields.note("model.quantisation_groups", count=len(listed))
    weights = _weights(fields, _scheme(listed[0].get("weights")))
    if weights is None:
        return None
    return Storage(weights, wide, _input(_scheme(listed[0].get("input_activations"))))


def _weights(fields: Fields, scheme: _Scheme | None) -> str | None:
    if scheme is None:
        return None
    if scheme.bits == BITS_8:
        return _eight(fields, scheme)
    if scheme.bits != BITS_4:
        return None
    if scheme.floating:
        return {32: "mxfp4", 16: "nvfp4"}.get(scheme.group if isinstance(scheme.group, int) else 0)
    known = SYMMETRIC if scheme.symmetric else WITH_ZERO
    return _integers(fields, scheme.group if scheme.strategy in ("group", None) else None, known)


def _eight(fields: Fields, scheme: _Scheme) -> str:
    if not scheme.floating:
        return "int8"
    if scheme.strategy == "block":
        return _block(fields, scheme.block)
    return "mxfp8" if scheme.group == 32 else "fp8"


def _input(scheme: _Scheme | None) -> str:
    """The format that inputs of linear layers are quantised to, "" for none."""
    if scheme is None:
        return ""
    if scheme.bits == BITS_8:
        return "fp8" if scheme.floating else "int8"
    return {32: "mxfp4", 16: "nvfp4"}.get(scheme.group, "") if isinstance(scheme.group, int) and scheme.floating else ""


def _modelopt(fields: Fields, config: Config, wide: str) -> Storage | None:
    algorithm = config.get("quant_algo")
    if isinstance(algorithm, str) and algorithm in ALGORITHMS:
        weights, linear_input = ALGORITHMS[algorithm]
        return Storage(weights, wide, linear_input)
    return _compressed(fields, config, wide)


METHODS: dict[str, Callable[[Fields, Config, str], Storage | None]] = {
    "fp8": _fp8,
    "fbgemm_fp8": _row_fp8,
    "mxfp4": _mxfp4,
    "gptq": _grouped,
    "awq": _grouped,
    "bitsandbytes": _bitsandbytes,
    "compressed-tensors": _compressed,
    "compressed_tensors": _compressed,
    "modelopt": _modelopt,
}
