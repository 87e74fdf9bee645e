"""What a study says: its evaluation, and as plain data; and what a model holds."""

from typing import Any

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import Model
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.evaluate import evaluate as evaluation_of
from explorer.analysis.study.study import Study
from explorer.api.arguments import (
    AnyModel,
    AnyStudy,
    as_study,
    built_model,
    checked,
    load_catalogue,
    model_entry,
)
from explorer.api.errors import in_words
from explorer.presentation.answer.json_result import evaluation_json


@in_words
def evaluate(study: AnyStudy, catalogue: Catalogue | None = None) -> Evaluation:
    """Evaluate a study: what every operator and the whole step take at least, on every device.

    Parameters
    ----------
    study
        A study, or its file.
    catalogue
        What the number formats and operator kinds mean; the program's own unless given.

    Returns
    -------
    Evaluation
        `devices` has one result for each device of known bandwidth, `active` is the one that the answer speaks of.
        Of a result, `entry.device` is the device; `points` has one point for each row, in order, per call: `row.name`,
        `costs.flops`, `bytes`, `intensity` (FLOP/byte), `time_s`, `total_s` (all calls of the step, s), `bound`;
        `shares` has as many shares of the step's time (sum 1). `totals` are the step's: `time_s` (s, operators one
        after the other), `floor_s` (s, no step can be shorter), `tokens_per_s` (at most, in all; None without
        tokens), `memory_bytes`, `fits`. Of a mixture of experts the floor reads the fewest experts, as if all
        tokens chose alike; `uniform` (`seconds`, `tokens_per_s`, `tokens_per_s_per_request`) is the same with
        random routing, `routed` under the workload's `skew`, by which `time_s` and the batches of
        `explorer.knees` go too. From which batch on something else decides, and what would help,
        `explorer.knees` and `explorer.levers` tell.

    Raises
    ------
    InputError
        The study has faults, no device, or nothing to do.
    """
    known = load_catalogue() if catalogue is None else catalogue
    found = checked(as_study(study), known)
    if not any(entry.visible for entry in found.hardware):
        raise Refused(Problem("api.no_hardware"))
    if not found.active_model and not any(row.enabled for row in found.operators):
        raise Refused(Problem("api.no_work"))
    evaluation = evaluation_of(found, known)
    if evaluation.problems:
        raise Refused(*evaluation.problems)
    return evaluation


@in_words
def as_json(work: AnyStudy | Evaluation) -> dict[str, Any]:
    """The figures as plain data in SI base units, as `roofline-explorer evaluate --json` prints them.

    Parameters
    ----------
    work
        A study, its file, or its evaluation.

    Returns
    -------
    dict
        Undefined figures are None. `["hardware"][i]["operators"]` is a list of dicts with the same keys: a table, for
        pandas and the like.

    Raises
    ------
    InputError
        As in `evaluate`.
    """
    return evaluation_json(as_evaluation(work))


@in_words
def model(source: AnyModel) -> Model:
    """What a model holds.

    Parameters
    ----------
    source
        As `model` in `new_study`.

    Returns
    -------
    Model
        `parameters` and `active_parameters` (those that work on one token) as counts, `layers` by kind,
        `weights_format` and `kv_format` as the config has them, `kv_bytes_per_token(bytes_of_a_value)` in byte,
        which holds up to `smallest_window` tokens; `kv_bytes_per_token_at(context, bytes_of_a_value)` anywhere.

    Raises
    ------
    InputError
        No model is meant, or several are; its file or config has faults, or is of a family that is not known.
    """
    catalogue = load_catalogue()
    entry = model_entry(source, catalogue)
    return built_model(checked(Study(models=(entry,), active_model=entry.id), catalogue))


def as_evaluation(work: AnyStudy | Evaluation) -> Evaluation:
    """The evaluation, or that of the study, checked as `evaluate` does."""
    return work if isinstance(work, Evaluation) else evaluate(work)
