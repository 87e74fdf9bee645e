"""Files beside a config.json that say how its weights are quantised, where the config itself does not."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.faults import led_by_name
from explorer.files.disk.places import is_named
from explorer.files.disk.text import printable, read_text
from explorer.files.models.config import LIMIT, parse_config

Stated = Mapping[str, Any]


def _of_modelopt(found: Stated) -> Stated:
    inner = found.get("quantization")
    if not isinstance(inner, Mapping):
        raise Refused(Problem("config.not_an_object_inside", "quantization"))
    return {"quant_method": "modelopt", **inner}


def _of_gptq(found: Stated) -> Stated:
    return {"quant_method": "gptq", **found}


def _of_awq(found: Stated) -> Stated:
    return {"quant_method": "awq", **found}


SIDECARS: Final[Mapping[str, Callable[[Stated], Stated]]] = {
    "hf_quant_config.json": _of_modelopt,
    "quantize_config.json": _of_gptq,  # AutoGPTQ, before configs said it
    "quant_config.json": _of_awq,
}


_OWN: Final = ("quantization_config", "quantization")
_TELLING: Final = (("quant_algo",), ("bits", "w_bit"), ("group_size", "q_group_size"))  # what no two may differ in
_SAME: Final = {
    "intel/auto-round": "auto-round",
    "compressed_tensors": "compressed-tensors",
    "modelopt_fp4": "modelopt",
}


def with_sidecar(config: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A config with `quantization_config` from a file beside it, where it has none of its own.

    Raises
    ------
    Refused
        The file beside it is damaged, cannot be read, or says another thing than the config.
    """
    text = config.get("text_config")
    inner = text if isinstance(text, Mapping) else {}
    own = next((part[name] for part in (config, inner) for name in _OWN if part.get(name)), None)
    stated, source = own, "config.json"
    for name, read in SIDECARS.items():
        path = folder / name
        if not is_named(path):
            continue
        with led_by_name(path):
            found = dict(read(parse_config(read_text(path, LIMIT))))
        if stated is None:
            stated, source = found, name
        elif isinstance(stated, Mapping) and (field := _difference(stated, found)):
            values = {"file": name, "other": source, "field": field}
            raise Refused(Problem("config.quantised_twice", values=values))
    return config if own is not None or stated is None else {**config, "quantization_config": stated}


def _difference(one: Stated, other: Stated) -> str:
    """The first field that both state and that differs, as messages name it; "" where they agree."""
    from explorer.analysis.models.checkpoint.quantisation import method_of

    methods = [_SAME.get(str(m), m) for m in (method_of(one), method_of(other))]
    if methods[0] != methods[1]:
        return "quant_method: {}, {}".format(*map(printable, methods))
    for names in _TELLING:
        values = [next((part[n] for n in names if part.get(n) is not None), None) for part in (one, other)]
        if None not in values and values[0] != values[1]:
            return f"{names[0]}: {printable(values[0])}, {printable(values[1])}"
    return ""
