"""Studies from a file, or from a model, devices and a workload."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.edit_models import with_file_size
from explorer.analysis.study.study import Study, Workload
from explorer.api.arguments import (
    AnyDevice,
    AnyModel,
    AnyPath,
    AnyStudy,
    as_path,
    as_study,
    built_model,
    checked,
    hardware_entries,
    load_catalogue,
    model_entry,
    python_numbers,
)
from explorer.api.errors import in_words
from explorer.files.disk.faults import convert
from explorer.files.models.format_names import with_format_ids
from explorer.files.study.study import read_study


@in_words
def load_study(path: AnyPath) -> Study:
    """Read a study's file.

    Parameters
    ----------
    path
        A `*.roofline.yaml` file, of any format that the program ever wrote.

    Raises
    ------
    InputError
        The file cannot be read, or has faults: each is named with its field.
    """
    return read_study(as_path(path))


@in_words
def new_study(
    model: AnyModel | None = None,
    hardware: AnyDevice | Iterable[AnyDevice] = (),
    *,
    name: str = "",
    file_bytes: float | None = None,
    **workload: Any,
) -> Study:
    """Make a study of a model on devices.

    Parameters
    ----------
    model
        A preset or part of its name, a file or folder (`config.json`, GGUF, safetensors), a config as a dict, or a
        dict of `params`, `layers`, `kv_heads`, `head_dim` and, where they are known, `weights`, `kv`, `file_bytes`.
    hardware
        One or several devices: of the catalogue, by an unambiguous part of a name, by a hardware file, or by figures
        ("2TB/s,300TFLOP/s,80GB"). The answer speaks of the first.
    name
        A name of the study, for its pictures.
    file_bytes
        The size of the model's file of weights (byte), where only that is known of it: its tensors are stored as in the
        mix of that size.
    **workload
        As in `with_workload`.

    Raises
    ------
    InputError
        No model or device is meant, or several are; a file, config or value has faults.
    """
    catalogue = load_catalogue()
    study = Study(name=name, hardware=tuple(hardware_entries(hardware, catalogue)))
    if model is not None:
        entry = model_entry(model, catalogue)
        if file_bytes is not None:
            entry = with_file_size(entry, file_bytes)
        study = replace(study, models=(entry,), active_model=entry.id)
    return _at(study, workload)


@in_words
def with_workload(study: AnyStudy, **workload: Any) -> Study:
    """The same study under another workload; what is not given stays.

    Parameters
    ----------
    study
        A study, which is not changed, or its file.
    **workload
        `phase` ("decode" or "prefill"), `batch` (sequences), `context` (tokens of each), the formats `weights`,
        `activations` and `kv` ("fp8", "Q4_K", ...; None: as the model's config says; `weights` may be a mix of
        llama.cpp's, "Q4_K_M"), `launch` ("graph" or "eager"), `attention_count` ("causal" or "full"), `logits` ("last"
        or "all"), `skew` of the routing to experts (0: random, 1: all tokens alike), `reserve` (byte), `expected` (two
        shares).

    Raises
    ------
    InputError
        There is no such field, its value cannot be, or the model has no such phase.
    """
    return _at(as_study(study), workload)


def _at(study: Study, changes: Mapping[str, Any]) -> Study:
    """The study with changes of its workload, checked."""
    catalogue = load_catalogue()
    fields = {**msgspec.to_builtins(study.workload), **python_numbers(changes)}
    work = with_format_ids(convert(fields, Workload, "workload"), catalogue)
    found = checked(replace(study, workload=work), catalogue)
    if found.active_model:
        model = built_model(found)
        if "phase" in changes and work.phase not in model.phases:
            raise Refused(Problem("model.no_decode", "workload.phase", {"model": model.name}))
    return found
