"""What the study's step comes to on a machine: times, tokens, memory, shares; missing where there is no room."""

from collections.abc import Callable, Sequence
from typing import Final

from explorer.analysis.ask.capacity import batch_held
from explorer.analysis.ask.comparison.figures.figure import ComparedFigure, FigureUnit, FoundFigure, known, missing
from explorer.analysis.ask.comparison.figures.first_token import one_prompt
from explorer.analysis.ask.comparison.figures.machine_figures import machine_of
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.ask.knees import knees
from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.resources import BOUNDS, Bound
from explorer.analysis.step.rows import Number

Find = Callable[[Subject], FoundFigure]
_PER_HOUR: Final = 3600.0


def has_room(subject: Subject) -> bool:
    """Whether the step fits, as far as that is known; what was measured did."""
    if subject.measured is not None:
        return True
    return subject.result is None or subject.result.totals.fits is not False


def _of_step(find: Callable[[Evaluation, DeviceResult], FoundFigure], *, held: bool = True) -> Find:
    """A figure of a step that can be placed and, where `held` says so, for which there is room."""

    def found(subject: Subject) -> FoundFigure:
        if subject.evaluation is None or subject.result is None:
            return FoundFigure(None, subject.why or Note("compare.why.not_evaluated"))
        if not subject.evaluation.rows:
            return missing("no_rows")
        return find(subject.evaluation, subject.result) if has_room(subject) or not held else missing("no_room")

    return found


def _least(_evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
    return known(_positive(result.totals.floor_s), "no_rows")


def _routed(_evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
    """As routing reads experts; where compute decides that changes nothing, and the seconds are the same."""
    return known(_positive(result.totals.routed.seconds), "no_routing")


def routing_matters(found: Sequence[Subject]) -> bool:
    """Whether the step of any subject depends on which experts are read."""
    return any(s.result is not None and s.result.totals.routing_matters for s in found)


def _as_far_as_known(result: DeviceResult, value: float | None) -> FoundFigure:
    """A figure of the operators' times, which are bounds from below where launches are unknown."""
    if value is None or not result.launches_unknown:
        return known(value, "no_rows")
    return FoundFigure(value, Note("compare.note.launches_unknown"), least=True)


def _by_operator(_evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
    return _as_far_as_known(result, _positive(result.totals.time_s))


def _expected(end: int) -> Callable[[Evaluation, DeviceResult], FoundFigure]:
    def found(_evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
        return _as_far_as_known(result, _positive(result.totals.expected_s[end]))

    return found


def _tokens(*, each: bool) -> Callable[[Evaluation, DeviceResult], FoundFigure]:
    def found(evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
        pace = result.totals.routed
        rate = pace.tokens_per_s_per_request if each else pace.tokens_per_s
        if rate is None:
            return missing("no_model" if evaluation.model is None else "no_rows")
        per_input = evaluation.tokens_per_input
        return FoundFigure(float(rate)) if per_input is None else FoundFigure(float(rate) / per_input, None, "inputs")

    return found


def _first_token(subject: Subject) -> FoundFigure:
    """The prefill of one prompt at the study's context, at least; experts as the workload's routing reads them."""
    evaluation = subject.evaluation
    if evaluation is None or subject.result is None:
        return FoundFigure(None, subject.why or Note("compare.why.not_evaluated"))
    prompt = one_prompt(evaluation)
    result = None if prompt is None else prompt.device(subject.entry.id)
    if result is None or evaluation.model is None:
        return missing("no_model" if evaluation.model is None else "no_prompt")
    return (
        missing("no_room") if result.totals.fits is False else known(_positive(result.totals.routed.seconds), "no_rows")
    )


def prompts_routed(found: Sequence[Subject]) -> bool:
    """Whether the first token of any subject depends on which experts are read."""
    prompts = [(s, one_prompt(s.evaluation)) for s in found if s.evaluation is not None and s.result is not None]
    results = [prompt.device(s.entry.id) for s, prompt in prompts if prompt is not None]
    return any(result is not None and result.totals.routing_matters for result in results)


def _held(evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
    return missing("no_model") if evaluation.model is None else known(float(result.totals.memory_bytes))


def _fits(evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
    if evaluation.model is None:
        return missing("no_model")
    fits = result.totals.fits
    return missing("no_capacity") if fits is None else FoundFigure(1.0 if fits else 0.0)


def _largest_batch(evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
    """The largest batch that fits at the study's context."""
    if evaluation.model is None:
        return missing("no_model")
    capacity = result.totals.capacity
    return missing("no_capacity") if capacity is None else known(batch_held(evaluation, capacity), "any_batch")


def _knee(evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
    found = knees(evaluation, result.entry.id)
    return missing("no_decode") if found is None else known(found.knee_batch, "no_knee")


def _share(bound: Bound) -> Callable[[Evaluation, DeviceResult], FoundFigure]:
    def found(_evaluation: Evaluation, result: DeviceResult) -> FoundFigure:
        return missing("launch_shares") if result.launches_unknown else known(result.bound_shares[bound], "no_rows")

    return found


def _per_joule(subject: Subject) -> FoundFigure:
    """Tokens per second / the sheet's power of all devices: tokens per joule, no bound as less may be drawn."""
    rate, machine = IN_ALL(subject), machine_of(subject)
    if rate.value is None:
        return rate
    power = machine.device.tdp_w
    unit: FigureUnit = "tokens_per_joule" if rate.unit is None else "inputs_per_joule"
    return FoundFigure(rate.value / machine.times(power), None, unit) if power else missing("no_power")


def _per_price(subject: Subject) -> FoundFigure:
    """Tokens per second x 3600 / price per hour of all devices: tokens for one unit of the price, at most."""
    rate, machine = IN_ALL(subject), machine_of(subject)
    if rate.value is None:
        return rate
    price = machine.device.price_per_hour
    unit: FigureUnit = "tokens_per_price" if rate.unit is None else "inputs_per_price"
    return FoundFigure(rate.value * _PER_HOUR / machine.times(price), None, unit) if price else missing("no_price")


def _positive(value: Number) -> float | None:
    return float(value) if float(value) > 0 else None


IN_ALL: Final = _of_step(_tokens(each=False))

STEP_FIGURES: Final = (
    ComparedFigure("at_least", "step", "time", "smaller", _of_step(_least)),
    ComparedFigure("routed", "step", "time", "smaller", _of_step(_routed), asked=routing_matters),
    ComparedFigure("by_operator", "step", "time", "smaller", _of_step(_by_operator)),
    ComparedFigure("expected_low", "step", "time", "smaller", _of_step(_expected(0))),
    ComparedFigure("expected_high", "step", "time", "smaller", _of_step(_expected(1))),
    ComparedFigure("per_request", "rate", "tokens", "larger", _of_step(_tokens(each=True))),
    ComparedFigure("in_all", "rate", "tokens", "larger", IN_ALL),
    ComparedFigure("first_token", "prompt", "time", "smaller", _first_token),
    ComparedFigure("held", "memory", "bytes", "smaller", _of_step(_held, held=False)),
    ComparedFigure("fits", "memory", "yes_no", "", _of_step(_fits, held=False), ""),
    ComparedFigure("largest_batch", "memory", "count", "larger", _of_step(_largest_batch, held=False)),
    ComparedFigure("knee", "memory", "count", "", _of_step(_knee, held=False)),
    *(
        ComparedFigure(f"{bound}_share", "share", "share", "", _of_step(_share(bound)), "difference")
        for bound in BOUNDS
    ),
    ComparedFigure("per_joule", "at_power", "tokens_per_joule", "larger", _per_joule),
    ComparedFigure("per_price", "at_most", "tokens_per_price", "larger", _per_price, optional=True),
)
