"""What a caller from Python means: names, files, dicts and numpy's numbers as parts of a study."""

import json
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device
from explorer.analysis.models import Model
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import HardwareEntry, ModelEntry, QuickModel, Study
from explorer.files.catalogue import load_catalogue as read_catalogue
from explorer.files.disk.faults import convert
from explorer.files.disk.text import printable
from explorer.files.models.config import parse_config
from explorer.files.models.format_names import with_format_ids
from explorer.files.study.study import read_study
from explorer.files.typed.arguments import named_devices, named_model

AnyPath = str | os.PathLike[str]
AnyStudy = Study | Evaluation | AnyPath
AnyDevice = AnyPath | Device | HardwareEntry
AnyModel = AnyPath | Mapping[str, Any] | ModelEntry


@lru_cache(maxsize=1)
def load_catalogue() -> Catalogue:
    """What the program knows out of the box: `devices`, `presets`, number `formats` and operator `kinds`.

    Rates are in FLOP/s and byte/s, capacities in byte, times in s. It is read once.
    """
    return read_catalogue()


def as_path(path: AnyPath) -> Path:
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise Refused(Problem("api.path", values={"got": printable(path)}))
    return Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib's raises where there is no home


def as_study(study: AnyStudy) -> Study:
    if isinstance(study, Evaluation):
        return study.study
    if not isinstance(study, Study | str | os.PathLike):
        raise Refused(Problem("api.study", values={"got": printable(study)}))
    return study if isinstance(study, Study) else read_study(as_path(study))


def hardware_entries(asked: AnyDevice | Iterable[AnyDevice], catalogue: Catalogue) -> Iterable[HardwareEntry]:
    """The devices that a caller means, none twice."""
    several = (
        [asked] if isinstance(asked, str | Device | HardwareEntry) or not isinstance(asked, Iterable) else list(asked)
    )
    found: dict[str, HardwareEntry] = {}
    entries: tuple[HardwareEntry, ...]
    for one in several:
        if isinstance(one, HardwareEntry | Device):
            entries = (one if isinstance(one, HardwareEntry) else HardwareEntry(id=one.id, device=one),)
        else:
            entries = named_devices([str(as_path(one))], Study(), catalogue)
        found.update({entry.id: entry for entry in entries})
    return found.values()


def model_entry(source: AnyModel, catalogue: Catalogue) -> ModelEntry:
    """The model that a caller means, under an id of its own."""
    if isinstance(source, ModelEntry):
        return source
    if not isinstance(source, Mapping):
        return named_model(str(as_path(source)), Study(), catalogue)
    if "params" in source:
        quick = with_format_ids(convert(python_numbers(source), QuickModel, "model"), catalogue)
        return ModelEntry(id="quick", name="quick model", source="typed", quick=quick)
    try:
        config = parse_config(json.dumps(source, default=_plain))
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused(Problem("api.config", "model", {"reason": printable(str(error), 120)})) from None
    return ModelEntry(id="model", name=str(config.get("model_type", "model")), source="dict", config=config)


def python_numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers out of numpy's arrays as Python's own."""
    return {name: _plain_inside(value) for name, value in values.items()}


def _plain_inside(value: object) -> object:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [_plain_inside(each) for each in value]
    return value


def checked(study: Study, catalogue: Catalogue) -> Study:
    """The study, its values of the types that a file's would have; raise Refused.

    It is made anew: what a caller changed inside, a config's field, counts, and not what was read of it before.
    """
    if not isinstance(catalogue, Catalogue):
        raise Refused(Problem("api.catalogue", values={"got": printable(catalogue)}))
    try:
        plain = msgspec.to_builtins(study, enc_hook=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused(Problem("api.value", values={"reason": printable(str(error), 120)})) from None
    study = convert(plain, Study)
    if problems := study_problems(study, catalogue):
        raise Refused(*problems)
    return study


def _plain(value: object) -> object:
    """A number or an array of numpy as Python's own."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{printable(value)} is no plain value")


def built_model(study: Study) -> Model:
    """The active model, in full."""
    evaluation = evaluate(replace(study, hardware=()), load_catalogue())
    if evaluation.model is None:
        raise Refused(*evaluation.problems)
    return evaluation.model
