"""The memory bar: what is held, of what, and what fits."""

import msgspec

import explorer.presentation.views.decode_texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.capacity import left_over
from explorer.analysis.ask.knees import knees
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.parts import part_key


class MemoryPart(msgspec.Struct, frozen=True):
    """One part of the bar: bytes, and its text in the legend."""

    part: str
    size: float
    text: str


class MemoryView(msgspec.Struct, frozen=True):
    """The bar's parts against the capacity, and its words."""

    title: str
    fit_text: str
    segments: tuple[MemoryPart, ...]
    capacity: float | None
    over: bool

    @property
    def held(self) -> float:
        """All bytes."""
        return sum(s.size for s in self.segments)


def fit_batch(evaluation: Evaluation, device: DeviceResult) -> int | None:
    """The largest batch that fits; does not depend on the current one."""
    found = knees(evaluation, device.entry.id)
    return None if found is None else found.fit_batch


def memory_view(
    evaluation: Evaluation,
    device: DeviceResult,
    fit: int | None,
    look: Look = ENGLISH,
) -> MemoryView:
    """What the step holds on one device, where `fit` is the largest batch that fits (None: not asked)."""
    held, totals = evaluation.memory, device.totals
    sizes = [(part, float(held.of(part))) for part in held.parts]
    segments = tuple(
        MemoryPart(
            part,
            size,
            render(Message(f"{part_key(part, evaluation.model)}.sized", {"bytes": capacity(size, look.unit)}), look),
        )
        for part, size in sizes
        if size > 0
    )
    title = _title(float(totals.memory_bytes), totals.capacity, look)
    return MemoryView(title, _fit_text(evaluation, device, fit, look), segments, totals.capacity, totals.fits is False)


def _title(held: float, available: float | None, look: Look) -> str:
    if available is None:
        return render(Message("memory.title_unknown", {"held": capacity(held, look.unit)}), look)
    shown, of = capacity(held, look.unit), capacity(available, look.unit)
    if shown.split(" ")[-1] == of.split(" ")[-1]:
        shown = shown.split(" ", maxsplit=1)[0]
    return render(Message("memory.title", {"held": shown, "capacity": of}), look)


def _fit_text(evaluation: Evaluation, device: DeviceResult, batch: int | None, look: Look) -> str:
    left = left_over(device)
    if left is None or evaluation.model is None:
        return ""
    if left >= 0:
        if batch is None:
            return render(Message("memory.fits"), look)
        return render(Message("memory.fits_batch", {"batch": f"{batch:,}"}), look)
    if batch is None:
        return render(Message("memory.over", {"missing": capacity(-left, look.unit)}), look)
    if batch == 0:
        return render(Message("memory.fits_none"), look)
    return render(Message("memory.over_batch", {"batch": f"{batch:,}"}), look)
