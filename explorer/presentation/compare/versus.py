"""A device beside the baseline, as JSON has it."""

from typing import Any

from explorer.analysis.ask.comparison.ratios import Ratio, ratio_of
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import names_in

Json = dict[str, Any]


def baseline_json(evaluation: Evaluation) -> Json:
    """What `evaluate --baseline --json` adds: the name of the device that ratios are to."""
    baseline = evaluation.baseline
    return {"baseline": None if baseline is None else names_in(evaluation)[baseline.entry.id].label}


def vs_baseline_json(evaluation: Evaluation, result: DeviceResult) -> Json:
    """A device beside the baseline: `time` and `tokens_per_s` over the baseline's, None where one has no room.

    Where the routing of experts decides on any device, on each also `routed_tokens_per_s`, which the table of the
    comparison follows.
    """
    baseline = evaluation.baseline
    mixture = any(d.totals.routing_matters for d in evaluation.devices)
    if baseline is None or False in {result.totals.fits, baseline.totals.fits}:
        return {"time": None, "tokens_per_s": None, **({"routed_tokens_per_s": None} if mixture else {})}
    here, there = result.totals, baseline.totals
    launches = result.launches_unknown or baseline.launches_unknown
    time = Ratio(None, "launches") if launches else ratio_of(float(here.time_s), float(there.time_s))
    pace = ratio_of(_number(here.tokens_per_s), _number(there.tokens_per_s))
    found = {"time": time.value, "tokens_per_s": pace.value}
    if mixture:
        routed = ratio_of(_number(here.routed.tokens_per_s), _number(there.routed.tokens_per_s))
        found["routed_tokens_per_s"] = routed.value
    return found


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
