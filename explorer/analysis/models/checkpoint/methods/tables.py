"""bitsandbytes and HQQ: blocks that run through the whole matrix."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models.checkpoint.assignment import LINEAR, LINEAR_AND_HEAD, Assignment, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.float8 import covered
from explorer.analysis.models.checkpoint.methods.layouts import FLOAT, affine
from explorer.analysis.models.checkpoint.methods.method import Found, Method

_BLOCK: Final = 64
_TABLE: Final = 16 * FLOAT
_NESTED_TABLE: Final = 256 * FLOAT
_PACKED: Final = {8: 8.0, 4: 4.0, 3: 3.2, 2: 2.0, 1: 1.0}  # bits that a value takes: ten of three bits fill a word
_SKIPPED: Final = "llm_int8_skip_modules"


def bitsandbytes(method: Method) -> Found:
    """bitsandbytes: 4-bit values by a table, or 8 bit with a scale for each row; experts in one tensor stay wide."""
    rules = (Rule(None, method.names("within", _SKIPPED)), Rule(None, kinds=frozenset({"fused"})))
    return Found(Assignment(rules, _bitsandbytes(method), covered(method, _SKIPPED)))


def _bitsandbytes(method: Method) -> WeightLayout | None:
    if method.get("load_in_4bit") is True and method.get("load_in_8bit") is True:
        method.unread("load_in_8bit", method.get("load_in_8bit"), "false beside load_in_4bit: true")
        return None
    if method.get("load_in_4bit") is True:
        kind = method.get("bnb_4bit_quant_type", otherwise="fp4")
        if not method.one_of("bnb_4bit_quant_type", kind, "nf4", "fp4"):
            return None
        double = method.get("bnb_4bit_use_double_quant") is True
        name = "nf4-double" if double else "nf4"
        return WeightLayout(
            name if kind == "nf4" else name.replace("nf4", "bnb-fp4"), "nf4", 4, flat=_BLOCK, nested=double,
            tensor=_TABLE + (_NESTED_TABLE if double else 0),
        )  # fmt: skip
    if method.get("load_in_8bit") is True:
        return WeightLayout("int8", "int8", 8, "int8", output=FLOAT, tensor=1)
    method.unread("load_in_4bit", method.get("load_in_4bit"), "load_in_4bit or load_in_8bit: true")
    return None


def hqq(method: Method) -> Found:
    """HQQ: a scale and a zero in 16 bit for each group; modules may have parameters of their own, by last names."""
    stated = method.mapping("quant_config")
    skipped = method.get("skip_modules", otherwise=["lm_head"])
    rules = [Rule(None, method.named(skipped, "within", "skip_modules"))]
    if "weight_quant_params" in stated:
        default = _hqq(method, stated, "quant_config")
    else:
        default = None
        rules += [
            Rule(_hqq(method, one, f"quant_config.{name}"), method.named([name], "within", "quant_config"))
            for name, one in stated.items()
            if isinstance(one, Mapping)
        ]
        if not stated:
            method.unread("quant_config", method.get("quant_config"), "weight_quant_params")
    covers = LINEAR if isinstance(skipped, list) and "lm_head" in skipped else LINEAR_AND_HEAD
    return Found(Assignment(tuple(rules), default, covers))


def _hqq(method: Method, stated: Mapping[str, Any], within: str) -> WeightLayout | None:
    weights = stated.get("weight_quant_params")
    if not isinstance(weights, Mapping):
        method.unread(f"{within}.weight_quant_params", weights, "an object")
        return None
    for name in ("scale_quant_params", "zero_quant_params"):
        if stated.get(name) is not None:
            method.unread(f"{within}.{name}", stated[name], "null")
    bits, group = weights.get("nbits"), weights.get("group_size")
    if not method.one_of(f"{within}.weight_quant_params.nbits", bits, *_PACKED):
        return None
    size = method.group(f"{within}.weight_quant_params.group_size", group)
    number = int(str(bits))
    if size == -1:
        like = "int8" if number > 4 else "int4"
        return WeightLayout(f"int{number}-affine-channel", like, _PACKED[number], output=2 * method.wide)
    return affine(number, size, scale=2 * method.wide, stored=_PACKED[number])
