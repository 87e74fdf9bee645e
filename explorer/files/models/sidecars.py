"""Files beside a config.json that say how its weights are quantised, where the config itself does not."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.faults import led_by_name
from explorer.files.disk.places import is_file
from explorer.files.models.config import read_config

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


def with_sidecar(config: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A config with `quantization_config` from a file beside it, where it has none of its own.

    Raises
    ------
    Refused
        The file beside it is damaged.
    """
    text = config.get("text_config")
    inner = text if isinstance(text, Mapping) else {}
    if any(part.get(name) for part in (config, inner) for name in ("quantization_config", "quantization")):
        return config
    for name, read in SIDECARS.items():
        path = folder / name
        if is_file(path):
            with led_by_name(path):
                return {**config, "quantization_config": dict(read(read_config(path)))}
    return config
