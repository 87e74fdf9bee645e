"""How a checkpoint is stored: dtype, `quantization_config`, and the modules it leaves unquantised."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from explorer.analysis.models.fields import Fields, shown

WIDE_FORMATS = frozenset({"fp64", "fp32", "tf32", "bf16", "fp16"})
DTYPES = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32"}
PATTERN_LIMIT = 300
PREFIXES = ("model.", "language_model.", "transformer.")


@dataclass(frozen=True)
class Storage:
    """Formats of a checkpoint: weights, activations, the format linear inputs are quantised to if any.

    `kept` are patterns of modules left unquantised, `experts` is the experts' own format and `kv` that of the KV
    cache ("": that of the weights and of the activations).
    """

    weights: str
    activations: str
    linear_input: str = ""
    kept: tuple[str, ...] = ()
    experts: str = ""
    kv: str = ""

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(p for p in self.kept if "*" not in p)

    @cached_property
    def _globs(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(_glob(p)) for p in self.kept if "*" in p)

    def keeps(self, module: str) -> bool:
        """Whether a module (`layers.0.mlp.gate`) stays unquantised: a pattern names it, a parent or a part of it."""
        if not self.kept:
            return False
        parts = module.split(".")
        slices = (".".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1))
        return any(s in self._exact for s in slices) or any(g.match(module) for g in self._globs)


def _glob(pattern: str) -> str:
    """A regular expression for a pattern whose `*` stands for one part of a path."""
    return r"\.".join("[^.]*" if "*" in part else re.escape(part) for part in pattern.split(".")) + r"(?:\.|$)"


def read_storage(fields: Fields, *nested: Fields) -> Storage:
    """Formats from dtype and `quantization_config` of a config or of one nested in it."""
    wide = _dtype((fields, *nested))
    found = fields.config.get("quantization_config")
    if found is None:
        return Storage(wide, wide)
    if not isinstance(found, Mapping):
        fields.fault("model.not_an_object", "quantization_config", value=shown(found))
        return Storage(wide, wide)
    return _quantised(fields, found, wide)


def _dtype(all_fields: tuple[Fields, ...]) -> str:
    for fields in all_fields:
        for name in ("torch_dtype", "dtype"):
            value = fields.config.get(name)
            if value is not None:
                return _known_dtype(fields, name, value)
    all_fields[0].note("model.dtype_assumed", format="bf16")
    return "bf16"


def _known_dtype(fields: Fields, name: str, value: object) -> str:
    known = DTYPES.get(value.removeprefix("torch.")) if isinstance(value, str) else None
    if known is None:
        fields.fault("model.dtype_unknown", name, value=shown(value), known=", ".join(DTYPES))
    return known or "bf16"


def _quantised(fields: Fields, config: Mapping[str, Any], wide: str) -> Storage:
    method = config.get("quant_method")
    kept = _patterns(config.get("modules_to_not_convert"))
    if method == "fp8":
        return _fp8(fields, config, wide, kept)
    if method == "mxfp4":
        return Storage("mxfp4", wide, "", kept)
    if method in ("gptq", "awq") and config.get("bits") in (4, 8):
        return _grouped_integers(fields, config, wide, kept)
    fields.note("model.quantisation_unread", method=shown(method), format=wide)
    return Storage(wide, wide)


def _fp8(fields: Fields, config: Mapping[str, Any], wide: str, kept: tuple[str, ...]) -> Storage:
    block = config.get("weight_block_size")
    weights = "fp8" if block is None else "fp8-block128"
    if block is not None and list(block if isinstance(block, list | tuple) else ()) != [128, 128]:
        fields.note("model.block_size_other", value=shown(block) if not isinstance(block, list) else str(block)[:40])
        weights = "fp8"
    if config.get("activation_scheme") not in ("dynamic", "static"):
        return Storage(weights, wide, "", kept)
    fields.note("model.input_quantised", format="fp8", stored=wide)
    return Storage(weights, wide, "fp8", kept)


def _grouped_integers(fields: Fields, config: Mapping[str, Any], wide: str, kept: tuple[str, ...]) -> Storage:
    if config["bits"] == 4 and config.get("group_size") != 128:
        fields.note("model.group_size_other", value=shown(config.get("group_size")))
    return Storage(f"int{config['bits']}", wide, "", kept)


def _patterns(found: object) -> tuple[str, ...]:
    if not isinstance(found, list | tuple):
        return ()
    short = (p for p in found if isinstance(p, str) and 0 < len(p) <= PATTERN_LIMIT)
    return tuple(dict.fromkeys(_local(p) for p in short))


def _local(pattern: str) -> str:
    """A pattern from the list of layers on, whatever the checkpoint's outer modules are called."""
    for prefix in PREFIXES * 2:
        pattern = pattern.removeprefix(prefix)
    return pattern.removesuffix(".weight")
