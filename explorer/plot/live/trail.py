"""Where the biggest points of a drag have been."""

from msgspec.structs import replace

from explorer.presentation.roofline.figure import Figure, Mark

LENGTH = 24
MARKS = 3


class Trail:
    """Places of the biggest marks while one drag lasts."""

    def __init__(self) -> None:
        self._drag = ""
        self._past: list[tuple[Mark, ...]] = []

    def follow(self, before: Figure | None, drag: str) -> None:
        """The figure is about to be replaced by an edit; `drag` names the drag it belongs to, "" none."""
        if drag != self._drag:
            self._past.clear()
            self._drag = drag
        if drag and before is not None:
            self._add(biggest(before))

    def _add(self, marks: tuple[Mark, ...]) -> None:
        if marks and (not self._past or _places(self._past[-1]) != _places(marks)):
            self._past.append(marks)
        if len(self._past) > LENGTH:  # thinned rather than cut: the trail reaches back to where the drag began
            del self._past[1::2]

    def clear(self) -> None:
        """Forget: another edit came."""
        self._past.clear()

    def on(self, figure: Figure) -> Figure:
        """The figure with the trail behind its marks."""
        if not self._past and not figure.trail:
            return figure
        return replace(figure, trail=tuple(self._past))


def biggest(figure: Figure) -> tuple[Mark, ...]:
    """The predicted marks with the largest shares, those of the active device where one is."""
    active = {r.key for r in figure.roofs if r.active}
    marks = [m for m in figure.marks if not m.measured and (not active or m.device in active)]
    return tuple(sorted(marks, key=lambda m: -m.area)[:MARKS])


def _places(marks: tuple[Mark, ...]) -> list[tuple[float, float]]:
    return [(m.x, m.y) for m in marks]
