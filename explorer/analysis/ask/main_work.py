"""What most of a step's work asks of a device: operand format and peak, and other peaks that rows meet."""

import math

from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.machines.peaks import PeakChoice, WantedPeak
from explorer.analysis.step.machines.single import Machine

_ABOVE = 1.001  # beyond rounding


def main_demand(evaluation: Evaluation) -> WantedPeak:
    """What the study's main work asks of any device: unit, operand format, accumulator (for `Machine.peak`).

    The tensor row that computes most decides, as it does for the roof in the chart.
    """
    return evaluation.main


def ridge_of(choice: PeakChoice, machine: Machine) -> float | None:
    """FLOP/byte where a peak meets a device's bandwidth."""
    return choice.rate / machine.bandwidth if choice.rate and machine.bandwidth else None


def value_format(evaluation: Evaluation) -> str:
    """The activation format, whose values are counted where bytes are not."""
    model = evaluation.model
    rows = evaluation.rows
    chosen = evaluation.study.workload.activations or (model.activations_format if model else None)
    return chosen or (rows[0].activations if rows else "bf16")


def value_bytes(evaluation: Evaluation) -> float:
    """Bytes of one such value."""
    return evaluation.evaluator.formats[value_format(evaluation)].bytes


def met_peaks(result: DeviceResult) -> tuple[PeakChoice, ...]:
    """Peaks other than the main one that a row meets: it is bound by them, or stands above the main peak."""
    main = result.main_peak.rate or math.inf
    found: dict[float, PeakChoice] = {}
    for point in (*result.placed, *result.own.beyond(main)):
        rate = point.peak.rate
        if rate is None or rate == main or rate in found or not point.costs.flops:
            continue
        if point.bound == "compute" or point.performance > main * _ABOVE:
            found[rate] = point.peak
    return tuple(found.values())
