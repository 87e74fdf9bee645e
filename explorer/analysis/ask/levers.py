"""What would help: the step re-evaluated with one thing changed, gains in the time of its operators."""

from typing import NamedTuple

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.resources import Kind

EIGHT_BIT_WEIGHTS = "int8"
EIGHT_BIT_KV = "fp8"


class Lever(NamedTuple):
    """One change and how many times faster the step gets; None where the change does not apply."""

    code: str
    gain: float | None


def levers(evaluation: Evaluation, entry_id: str) -> tuple[Lever, ...]:
    """8-bit weights, 8-bit KV cache, twice the bandwidth, twice the compute."""
    result = evaluation.device(entry_id)
    if result is None:
        return ()
    now = float(result.totals.time_s)
    return (
        Lever("lever.weights8", _gain(now, _with_formats(evaluation, result.machine, weights=True))),
        Lever("lever.kv8", _gain(now, _with_formats(evaluation, result.machine, weights=False))),
        Lever("lever.bandwidth2", _gain(now, _faster_time(result, bandwidth=2.0))),
        Lever("lever.compute2", _gain(now, _faster_time(result, compute=2.0))),
    )


def faster(device: Device, *, bandwidth: float = 1.0, compute: float = 1.0) -> Device:
    """A copy of a device with rates multiplied; its outermost memory only."""
    first = device.outermost
    outer = replace(first, bandwidth=None if first.bandwidth is None else first.bandwidth * bandwidth)
    peaks = tuple(replace(p, rate=p.rate * compute) for p in device.peaks)
    return replace(device.with_outermost(outer), peaks=peaks)


def _gain(now: float, then: float | None) -> float | None:
    return None if then is None or then <= 0 or now <= 0 else now / then


def _faster_time(result: DeviceResult, *, bandwidth: float = 1.0, compute: float = 1.0) -> float:
    """Seconds of the step's operators on a device that is faster by these factors."""
    factors: dict[Kind, float] = {"memory": bandwidth, "compute": compute}
    return float(result.modelled.faster_sum(factors) + result.own.faster_sum(factors))


def _with_formats(evaluation: Evaluation, machine: Machine, *, weights: bool) -> float | None:
    """Seconds of the step's operators with 8-bit weights or KV cache; None where the model has them."""
    evaluator = evaluation.evaluator
    work, model = evaluation.study.workload, evaluator.model
    if model is None:
        return None
    now = (work.weights or model.weights_format) if weights else (work.kv or model.kv_format)
    if evaluator.formats[now].bits <= 8.5:
        return None
    changed = evaluator.under(replace(work, **({"weights": EIGHT_BIT_WEIGHTS} if weights else {"kv": EIGHT_BIT_KV})))
    step = changed.step()
    rows = changed.model_rows(step)
    placed = changed.on(changed.stacked(rows, changed.costs(rows, step), step), machine)
    return float(sum(p.sum_s for p in placed) + changed.own.on(machine, eager=changed.eager).sum_s)
