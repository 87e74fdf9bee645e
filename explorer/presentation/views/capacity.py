"""The answer to “does it fit?” in words."""

import explorer.presentation.views.capacity_texts  # noqa: F401 - registers the sentences used here
from explorer.analysis.ask.capacity import CapacityFit, capacity_fit
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.ledger import Ledger
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.parts import part_key


def capacity_sentences(evaluation: Evaluation, device: DeviceResult, look: Look = ENGLISH) -> list[str]:
    """Whether the step fits on a device, on how many it would, and how far context and batch may go."""
    found = capacity_fit(evaluation, device)
    if found is None or evaluation.model is None:
        return []
    said = _Said(evaluation, device, found, look)
    return [said.whether(), *said.limits(), *said.at_model_context()]


class _Said:
    """The sentences on one device."""

    def __init__(self, evaluation: Evaluation, device: DeviceResult, found: CapacityFit, look: Look) -> None:
        self._evaluation = evaluation
        self._fit = found
        self._look = look
        self._name = names_in(evaluation, look)[device.entry.id].bare

    def whether(self) -> str:
        """Needed against capacity, and the fewest devices where that is another number."""
        found = self._fit
        needed, of = self._pair(float(found.held.total), found.capacity)
        values: dict[str, Value] = {
            **self._work(),
            "device": self._devices(found.count),
            "needed": needed,
            "capacity": of,
            "parts": self._parts(found.held),
        }
        if found.fits:
            return self._say(self._whole("fit.yes"), values)
        if found.devices is None:
            return self._say(self._whole("fit.never"), values)
        return self._say(self._whole("fit.no"), {**values, "enough": self._devices(found.devices)})

    def limits(self) -> list[str]:
        """The longest context and the largest batch, where there is room for any."""
        found = self._fit
        values: dict[str, Value] = {**self._work(), "device": self._devices(found.on)}
        lines: list[str] = []
        if self._evaluation.tokens_per_input is not None:
            return lines
        if found.longest_context:
            longest: dict[str, Value] = {**values, "longest": f"{found.longest_context:,}"}
            beyond = found.model_context is not None and found.longest_context > found.model_context
            model = f"{found.model_context:,}" if found.model_context else ""
            lines.append(self._say("fit.context_beyond" if beyond else "fit.context", {**longest, "model": model}))
        if found.largest_batch:
            lines.append(self._say("fit.batch", {**values, "largest": f"{found.largest_batch:,}"}))
        return lines

    def at_model_context(self) -> list[str]:
        """What the model's own longest context takes."""
        found = self._fit
        if found.at_model_context is None or found.model_context is None or found.devices_there is None:
            return []
        if self._evaluation.tokens_per_input is not None:
            return []
        values: dict[str, Value] = {
            **self._work(),
            "model": f"{found.model_context:,}",
            "needed": capacity(float(found.at_model_context.total), self._look.unit),
            "parts": self._parts(found.at_model_context),
            "device": self._devices(found.devices_there),
        }
        return [self._say("fit.at_model_context", values)]

    def _whole(self, key: str) -> str:
        """The sentence without a context, where inputs of a fixed size have none."""
        return key if self._evaluation.tokens_per_input is None else f"{key}_inputs"

    def _work(self) -> dict[str, Value]:
        work, model = self._evaluation.study.workload, self._evaluation.model
        name, own = ("", "") if model is None else (model.name, model.weights_format)
        return {
            "name": name,
            "weights": work.weights or own,
            "batch": f"{work.batch:,}",
            "context": f"{work.context:,}",
        }

    def _devices(self, count: int) -> str:
        key = "fit.one" if count == 1 else "fit.several"
        return self._say(key, {"device": self._name, "count": f"{count:,}"})

    def _parts(self, held: Ledger) -> str:
        sizes = [(part, float(held.of(part))) for part in held.parts]
        told = [
            self._say(f"{part_key(p, self._evaluation.model)}.sized", {"bytes": capacity(size, self._look.unit)})
            for p, size in sizes
            if size > 0
        ]
        return self._say("answer.list", {}).join(told)

    def _pair(self, needed: float, of: float) -> tuple[str, str]:
        """Two sizes with at least four digits, so that a near miss shows, the unit said once where it is one."""
        first, second = capacity(needed, self._look.unit, 4), capacity(of, self._look.unit)
        if first.split(" ")[-1] == second.split(" ")[-1]:
            first = first.split(" ", maxsplit=1)[0]
        return first, second

    def _say(self, key: str, values: dict[str, Value]) -> str:
        return render(Message(key, values), self._look)
