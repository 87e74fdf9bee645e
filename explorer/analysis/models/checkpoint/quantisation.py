"""Reading `quantization_config`: which method it is; the reader of each is loaded when a config names it."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from explorer.analysis.models.checkpoint import methods
from explorer.analysis.models.checkpoint.methods.method import Found, Method
from explorer.analysis.models.config.fields import Fields, brief

Config = Mapping[str, Any]
METHODS: Final[Mapping[str, tuple[str, str]]] = {  # module and function of the reader
    "fp8": ("float8", "fine_grained"),
    "fbgemm_fp8": ("float8", "fbgemm"),
    "mxfp4": ("float8", "micro_scaled"),
    "gptq": ("grouped", "gptq"),
    "awq": ("grouped", "awq"),
    "auto-round": ("grouped", "auto_round"),
    "intel/auto-round": ("grouped", "auto_round"),
    "bitsandbytes": ("tables", "bitsandbytes"),
    "hqq": ("tables", "hqq"),
    "compressed-tensors": ("compressed", "compressed"),
    "compressed_tensors": ("compressed", "compressed"),
    "modelopt": ("modelopt", "modelopt"),
    "modelopt_fp4": ("modelopt", "modelopt"),
    "quark": ("quark", "quark"),
    "torchao": ("torchao", "torchao"),
    "exl2": ("exllama", "exl2"),
    "exl3": ("exllama", "exl3"),
    "mlx": ("mlx", "mlx"),
}


def method_of(config: Config) -> object:
    """The method that a `quantization_config` names, or is known by where it names none."""
    method = config.get("quant_method")
    if method is not None:
        return method
    if "quant_algo" in config or "kv_cache_quant_algo" in config:
        return "modelopt"
    if "config_groups" in config:
        return "compressed-tensors"
    return "mlx" if "bits" in config and "group_size" in config else None


def quantised(fields: Fields, config: Config, wide: str) -> Found | None:
    """How a quantised checkpoint is stored; None, and a fault of its field, for a method that is not read."""
    method = method_of(config)
    if not isinstance(method, str) or method not in METHODS:
        known = ", ".join(METHODS)
        fields.fault("model.quantisation_value", "quantization_config.quant_method", value=brief(method), known=known)
        return None
    module, name = METHODS[method]
    reader: Callable[[Method], Found] = getattr(import_module(f"{methods.__name__}.{module}"), name)
    return reader(Method(fields, config, wide))
