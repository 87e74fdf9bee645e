"""What would help: the step re-evaluated with one thing changed, gains in the time of its operators."""

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from explorer.analysis.device import Device
from explorer.analysis.roofs import Roof
from explorer.analysis.study import HardwareEntry

if TYPE_CHECKING:
    from explorer.analysis.evaluate import Evaluation

EIGHT_BIT_WEIGHTS = "int8"
EIGHT_BIT_KV = "fp8"


class Lever(NamedTuple):
    """One change and how many times faster the step gets; None where the change does not apply."""

    code: str
    gain: float | None


def levers(evaluation: "Evaluation", entry_id: str) -> tuple[Lever, ...]:
    """8-bit weights, 8-bit KV cache, twice the bandwidth, twice the compute."""
    result = evaluation.device(entry_id)
    if result is None:
        return ()
    now = float(result.totals.time_s)
    roof = result.roof
    return (
        Lever("lever.weights8", _gain(now, _with_formats(evaluation, result.entry, weights=True))),
        Lever("lever.kv8", _gain(now, _with_formats(evaluation, result.entry, weights=False))),
        Lever("lever.bandwidth2", _gain(now, _time(evaluation, _twice(roof, "bandwidth")))),
        Lever("lever.compute2", _gain(now, _time(evaluation, _twice(roof, "compute")))),
    )


def faster(device: Device, *, bandwidth: float = 1.0, compute: float = 1.0) -> Device:
    """A copy of a device with rates multiplied; its outermost memory only."""
    first = device.memory[0]
    outer = replace(first, bandwidth=None if first.bandwidth is None else first.bandwidth * bandwidth)
    peaks = tuple(replace(p, rate=p.rate * compute) for p in device.peaks)
    return replace(device, memory=(outer, *device.memory[1:]), peaks=peaks)


def _gain(now: float, then: float | None) -> float | None:
    return None if then is None or then <= 0 or now <= 0 else now / then


def _time(evaluation: "Evaluation", roof: Roof) -> float:
    return float(evaluation.on(roof)[2].time_s)


def _twice(roof: Roof, what: str) -> Roof:
    """A device twice as fast in one respect; made once, for a slider asks at every step."""
    if what not in roof.variants:
        roof.variants[what] = Roof(faster(roof.device, **{what: 2.0}), roof.count)
    return roof.variants[what]


def _with_formats(evaluation: "Evaluation", entry: HardwareEntry, *, weights: bool) -> float | None:
    study = evaluation.study
    evaluator = evaluation.evaluator
    model = evaluator.model
    if model is None:
        return None
    now = (study.workload.weights or model.weights_format) if weights else (study.workload.kv or model.kv_format)
    if evaluator.formats[now].bits <= 8.5:
        return None
    work = replace(study.workload, **({"weights": EIGHT_BIT_WEIGHTS} if weights else {"kv": EIGHT_BIT_KV}))
    changed = replace(study, workload=work, hardware=(entry,))
    return float(type(evaluation)(changed, evaluation.catalogue, evaluation).devices[0].totals.time_s)
