"""GPTQ, AWQ and AutoRound: integers in groups, each with a 16-bit scale and a packed zero."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from explorer.analysis.models.checkpoint.assignment import LINEAR, LINEAR_AND_HEAD, Assignment, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.layouts import integers
from explorer.analysis.models.checkpoint.methods.method import MOST_ENTRIES, MOST_LISTED, Found, Method
from explorer.analysis.models.checkpoint.module_names import ModuleNames

_BITS: Final = (2, 3, 4, 8)
_INDEX: Final = 4  # bytes of the group that an input belongs to
_PACKED: Final = ("auto_gptq", "gptq", "auto_awq", "awq", "auto_round")
_MARKS: Final = frozenset("*+?^$()[]{}|\\")
_WIDE_BITS: Final = (16, 32)


def gptq(method: Method) -> Found:
    """GPTQ and GPTQModel; `dynamic` has modules of their own, and with `lm_head` the head is one of them."""
    skipped = method.names("within", "modules_to_not_convert")
    marlin = method.get("checkpoint_format") == "marlin" or method.get("is_marlin_format") is True
    default = _gptq(method, method.config, "", marlin=marlin)
    rules = [Rule(None, skipped)]
    for name, stated in method.entries("dynamic").items():
        field = "dynamic"
        names = method.named([f"re:{name.removeprefix('-:').removeprefix('+:')}"], "whole", field)
        if not isinstance(stated, Mapping):
            method.unread(field, stated, "an object for each module")
            break
        values = {**method.config, **stated}
        rules.append(Rule(None if name.startswith("-:") else _gptq(method, values, f"{field}.", marlin=marlin), names))
    listed = method.get("modules_in_block_to_quantize")
    if listed is not None and not isinstance(listed, list):
        method.unread("modules_in_block_to_quantize", listed, "a list of names")
    elif listed is not None:
        flat = [name for one in listed for name in (one if isinstance(one, list) else [one])]
        rules += [Rule(default, method.named(flat, "within", "modules_in_block_to_quantize")), Rule(None, kinds=LINEAR)]
    covers = LINEAR_AND_HEAD if method.get("lm_head") is True else LINEAR
    return Found(Assignment(tuple(rules), default, covers))


def _gptq(method: Method, config: Mapping[str, Any], within: str, *, marlin: bool) -> WeightLayout | None:
    bits, group = config.get("bits"), method.group(f"{within}group_size", config.get("group_size"))
    if not method.one_of(f"{within}bits", bits, *_BITS):
        return None
    if marlin:
        return integers(int(str(bits)), group, zeros=False)
    return integers(int(str(bits)), group, zeros=True, given=_INDEX)


def awq(method: Method) -> Found:
    """AWQ: the head stays wide."""
    bits = method.get("bits", "w_bit")
    stated = method.get("group_size", "q_group_size")
    if stated is None:
        method.assumed("group_size", 128)
    group = method.group("group_size", stated, otherwise=128)
    known = method.one_of("bits", bits, 4)
    names = method.names("within", "modules_to_not_convert")
    return Found(Assignment((Rule(None, names),), integers(4, group, zeros=True) if known else None))


def auto_round(method: Method) -> Found:
    """AutoRound, packed as GPTQ or AWQ without the groups' index; `extra_config` has modules of their own."""
    packing = str(method.get("packing_format", otherwise="auto_round")).split(":")[-1]
    method.one_of("packing_format", packing, *_PACKED)
    default = _auto_round(method, method.config, "")
    rules = tuple(_own_rules(method))
    if len(rules) > MOST_ENTRIES:
        method.many("extra_config", len(rules))
    return Found(Assignment(rules[:MOST_ENTRIES], default))


def _own_rules(method: Method) -> Iterator[Rule]:
    """One rule for plain names that follow one another and are stored alike, one for each expression."""
    extra = method.entries("extra_config", MOST_LISTED)
    odd = [stated for stated in extra.values() if not isinstance(stated, Mapping)]
    if odd:
        method.unread("extra_config", odd[0], "an object for each module")
        return
    each = (
        (_auto_round(method, {**method.config, **stated}, f"extra_config.{name}."), _MARKS.isdisjoint(name), name)
        for name, stated in extra.items()
    )
    for (layout, is_plain), found in groupby(each, itemgetter(0, 1)):
        names = [name for *_, name in found]
        if is_plain:
            yield Rule(layout, method.named(names, "wildcard", "extra_config"))
        else:
            yield from (Rule(layout, _expressed(method, name)) for name in names)


def _expressed(method: Method, name: str) -> ModuleNames:
    """The modules of an expression, which is looked for anywhere in the path."""
    return method.named([f"re:{'' if name.startswith('^') else '.*'}{name}"], "whole", "extra_config")


def _auto_round(method: Method, config: Mapping[str, Any], within: str) -> WeightLayout | None:
    bits = config.get("bits")
    if not isinstance(bits, bool) and bits in _WIDE_BITS:
        return None
    if not method.one_of(f"{within}bits", bits, *_BITS, *_WIDE_BITS):
        return None
    if not method.one_of(f"{within}data_type", config.get("data_type", "int"), "int"):
        return None
    return integers(int(str(bits)), method.group(f"{within}group_size", config.get("group_size"), 128), zeros=True)
