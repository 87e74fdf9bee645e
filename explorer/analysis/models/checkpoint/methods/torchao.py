"""torchao: one config object for all layers, or one for each name."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models.checkpoint.assignment import LINEAR, LINEAR_AND_HEAD, Assignment, Kind, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.layouts import FLOAT, affine, fp8, integers
from explorer.analysis.models.checkpoint.methods.method import Found, Method

_TYPES: Final = {  # the names that stood for the config objects before
    "int8_weight_only": "Int8WeightOnlyConfig",
    "int4_weight_only": "Int4WeightOnlyConfig",
    "int8_dynamic_activation_int8_weight": "Int8DynamicActivationInt8WeightConfig",
    "float8_weight_only": "Float8WeightOnlyConfig",
    "float8_dynamic_activation_float8_weight": "Float8DynamicActivationFloat8WeightConfig",
}
_BY_NAME: Final = ("ModuleFqnToConfig", "FqnToConfig")


def torchao(method: Method) -> Found:
    """The rules of `quant_type`."""
    listed = method.names("within", "modules_to_not_convert")
    outer = method.get("include_input_output_embeddings") is True
    covers = LINEAR_AND_HEAD | frozenset[Kind]({"embedding"}) if outer else LINEAR_AND_HEAD if listed.texts else LINEAR
    stated = method.get("quant_type")
    default, data = None, _data(stated)
    rules = [Rule(None, listed)]
    if isinstance(stated, str):
        default = _layout(method, _TYPES.get(stated, stated), method.mapping("quant_type_kwargs"))
    elif _type(stated) in _BY_NAME:
        named: Any = next((data[n] for n in ("fqn_to_config", "module_fqn_to_config") if n in data), {})
        for name, one in named.items() if isinstance(named, Mapping) else ():
            layout = None if one is None else _layout(method, _type(one), _data(one))
            if name == "_default":
                default = layout
            else:
                rules.append(Rule(layout, method.named([name], "whole", "quant_type")))
    else:
        default = _layout(method, _type(stated), data)
    return Found(Assignment(tuple(rules), default, covers, ties=outer))


def _type(stated: object) -> object:
    inner = stated.get("default", stated) if isinstance(stated, Mapping) else None
    return inner.get("_type") if isinstance(inner, Mapping) else None


def _data(stated: object) -> Mapping[str, Any]:
    inner = stated.get("default", stated) if isinstance(stated, Mapping) else None
    found = inner.get("_data") if isinstance(inner, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _layout(method: Method, name: object, data: Mapping[str, Any]) -> WeightLayout | None:
    if not method.one_of("quant_type", name, *_TYPES.values()):
        return None
    group = data.get("group_size")
    if name == "Int8WeightOnlyConfig":
        return integers(8, method.group("quant_type.group_size", group), zeros=False, scale=method.wide)
    if name == "Int4WeightOnlyConfig":
        return affine(4, method.group("quant_type.group_size", group, otherwise=128), scale=2 * method.wide)
    if name == "Int8DynamicActivationInt8WeightConfig":
        return integers(8, -1, "int8", zeros=False, scale=method.wide)
    rows = name == "Float8WeightOnlyConfig" or "PerRow" in str(data.get("granularity"))
    inputs = "" if name == "Float8WeightOnlyConfig" else "fp8"
    return fp8(inputs, output=FLOAT) if rows else fp8(inputs, tensor=FLOAT)
