"""What a notebook asks of an evaluation: where decode changes its nature, and what would help."""

from typing import Any

from explorer.analysis.ask.knees import Knees
from explorer.analysis.ask.knees import knees as knees_of
from explorer.analysis.ask.levers import Gain
from explorer.analysis.ask.levers import levers as levers_of
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.api.arguments import AnyStudy
from explorer.api.errors import in_words
from explorer.api.results import as_evaluation
from explorer.files.disk.text import printable
from explorer.files.typed.comparison import compared_study
from explorer.presentation.compare.plain import comparison_data


@in_words
def knees(work: AnyStudy | Evaluation, device: str = "") -> Knees | None:
    """From which batch on something else decides a decode step.

    Parameters
    ----------
    work
        A study, its file, or its evaluation.
    device
        One of the evaluation's devices, by `entry.id`, its name or its short one; the active one unless given.

    Returns
    -------
    Knees
        Batches, each None where there is none: `kv_half_batch` (the KV cache is half of what is moved), `ridge_batch`
        (compute takes as long as memory), `knee_batch` (the largest whose doubling still gives `workload.knee_factor`
        times the tokens a second), `fit_batch` (the largest that fits). None as a whole in prefill or without a model.

    Raises
    ------
    InputError
        As in `evaluate`; or the evaluation has no such device.
    """
    evaluation = as_evaluation(work)
    return knees_of(evaluation, _device(evaluation, device))


@in_words
def levers(work: AnyStudy | Evaluation, device: str = "") -> tuple[Gain, ...]:
    """What would help, in the order in which the window shows it.

    Parameters
    ----------
    work, device
        As in `knees`.

    Returns
    -------
    tuple of Gain
        `code` is what would be changed ("lever.bandwidth2": twice the bandwidth), `gain` how many times faster the
        step gets; None where it takes no time. `useful` tells whether the window offers it: a gain over 1.00, or room
        for a step that does not fit ("lever.devices": as many devices as hold it).

    Raises
    ------
    InputError
        As in `knees`.
    """
    evaluation = as_evaluation(work)
    return levers_of(evaluation, _device(evaluation, device))


@in_words
def compare(work: AnyStudy | Evaluation, baseline: str = "", vary: str = "machines") -> dict[str, Any]:
    """Everything side by side, each figure against a baseline, as plain data.

    Parameters
    ----------
    work
        A study, its file, or its evaluation.
    baseline
        The device that ratios are to: an `entry.id` or a part of a name of a visible device; the one that the study's
        view has, else the active one, unless given.
    vary
        "machines", "models", "formats", "what-ifs" or "measurements".

    Returns
    -------
    dict
        `baseline` and `finding` in words; `rows` in the order of the view, each with `name`, the `baseline` it is
        compared with, and `figures` by name: `value` (SI base units, None where it is missing, and `why`), `unit`,
        `ratio` and `difference` to the baseline's, `best`; `flips`: operators that wait for something else elsewhere.

    Raises
    ------
    InputError
        As in `evaluate`; or no visible device is meant, or nothing of that kind can be compared.
    """
    evaluation = as_evaluation(work)
    seen = compared_study(evaluation.study, str(baseline) or None, str(vary))
    return comparison_data(evaluation.viewed(seen))


def _device(evaluation: Evaluation, asked: str) -> str:
    ids = [result.entry.id for result in evaluation.devices]
    if not asked:
        return "" if evaluation.active is None else evaluation.active.entry.id
    if asked in ids:
        return asked
    names = {r.entry.id: (r.entry.device.name, r.entry.device.short) for r in evaluation.devices}
    found = [ident for ident, known in names.items() if asked in known]
    if len(found) != 1:  # twins have one name
        raise Refused(Problem("api.device", values={"got": printable(asked), "known": ", ".join(map(printable, ids))}))
    return found[0]
