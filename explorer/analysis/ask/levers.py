"""What would help: variants of a study worth trying, and how much faster the operators of the step get."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from explorer.analysis.ask.capacity import fewest_devices
from explorer.analysis.ask.step_time import step_time
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.variant import Edit, ScaleDevice, SetCount, SetFormats, Variant

EIGHT_BIT_WEIGHTS: Final = "int8"
EIGHT_BIT_KV: Final = "fp8"
FOUR_BIT: Final = "int4"
_EIGHT_BITS: Final = 8.5  # with the scales that a format of 8 bits may have
_FOUR_BITS: Final = 5.0  # the same of 4 bits
MOST_OFFERED: Final = 1024  # devices of one kind
_LEAST_GAIN: Final = 1.005  # what reads 1.00 is none


class Lever(NamedTuple):
    """A change worth asking for: from an evaluation and a device to the edits that apply there."""

    code: str
    edits: Callable[[Evaluation, DeviceResult], Iterator[Edit]]
    brings_room: bool = False

    def variants(self, evaluation: Evaluation, result: DeviceResult) -> Iterator[Variant]:
        """The edits under the lever's name."""
        return (Variant(label=self.code, edit=edit) for edit in self.edits(evaluation, result))


class Gain(NamedTuple):
    """A variant and how many times faster the step gets; the gain is None where the step takes no time.

    What brings room helps a step that has none, whatever its gain.
    """

    variant: Variant
    gain: float | None
    brings_room: bool = False

    @property
    def useful(self) -> bool:
        """Whether it is worth offering: it brings room, or a gain that can be told from none."""
        return self.gain is not None and (self.brings_room or self.gain >= _LEAST_GAIN)

    @property
    def code(self) -> str:
        """The lever's name."""
        return self.variant.label


def levers(evaluation: Evaluation, entry_id: str) -> tuple[Gain, ...]:
    """Every lever that applies on a device, with its gain."""
    result = evaluation.device(entry_id)
    if result is None:
        return ()
    now = float(result.totals.time_s)
    found = [(v, lever.brings_room) for lever in declared() for v in lever.variants(evaluation, result)]
    return tuple(Gain(v, _gain(now, step_time(evaluation, result, v.edit)), room) for v, room in found)


def _gain(now: float, then: float | None) -> float | None:
    return None if then is None or then <= 0 or now <= 0 else now / then


def _more_devices(_evaluation: Evaluation, result: DeviceResult) -> Iterator[Edit]:
    """The fewest devices that hold what one entry has no room for."""
    count = fewest_devices(result)
    if count is not None and count <= MOST_OFFERED:
        yield SetCount(device=result.entry.id, count=count)


def _eight_bit_weights(evaluation: Evaluation, _result: DeviceResult) -> Iterator[Edit]:
    model, work = evaluation.model, evaluation.study.workload
    if model is not None and _is_wide(evaluation, work.weights or model.weights_format):
        yield SetFormats(weights=EIGHT_BIT_WEIGHTS)


def _eight_bit_kv(evaluation: Evaluation, _result: DeviceResult) -> Iterator[Edit]:
    model, work = evaluation.model, evaluation.study.workload
    if model is not None and model.has_cache and _is_wide(evaluation, work.kv or model.kv_format):
        yield SetFormats(kv=EIGHT_BIT_KV)


def _four_bit_weights(evaluation: Evaluation, _result: DeviceResult) -> Iterator[Edit]:
    model, work = evaluation.model, evaluation.study.workload
    if model is not None and _is_eight_bit(evaluation, work.weights or model.weights_format):
        yield SetFormats(weights=FOUR_BIT)


def _four_bit_kv(evaluation: Evaluation, _result: DeviceResult) -> Iterator[Edit]:
    model, work = evaluation.model, evaluation.study.workload
    if model is not None and model.has_cache and _is_eight_bit(evaluation, work.kv or model.kv_format):
        yield SetFormats(kv=FOUR_BIT)


def _is_eight_bit(evaluation: Evaluation, number_format: str) -> bool:
    return _FOUR_BITS < evaluation.evaluator.formats[number_format].bits <= _EIGHT_BITS


def _is_wide(evaluation: Evaluation, number_format: str) -> bool:
    return evaluation.evaluator.formats[number_format].bits > _EIGHT_BITS


def _twice_the_bandwidth(_evaluation: Evaluation, result: DeviceResult) -> Iterator[Edit]:
    yield ScaleDevice(device=result.entry.id, figure="bandwidth", factor=2.0)


def _twice_the_compute(_evaluation: Evaluation, result: DeviceResult) -> Iterator[Edit]:
    yield ScaleDevice(device=result.entry.id, figure="compute", factor=2.0)


LEVERS = (
    Lever("lever.devices", _more_devices, brings_room=True),
    Lever("lever.weights8", _eight_bit_weights),
    Lever("lever.weights4", _four_bit_weights),
    Lever("lever.kv8", _eight_bit_kv),
    Lever("lever.kv4", _four_bit_kv),
    Lever("lever.bandwidth2", _twice_the_bandwidth),
    Lever("lever.compute2", _twice_the_compute),
)


def declared() -> tuple[Lever, ...]:
    """Every lever, in the order in which they are shown."""
    return LEVERS
