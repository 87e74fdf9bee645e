"""Labels of points: beside their point or at the end of a leader, the biggest shares first, the rest dropped."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from explorer.plot.paint.by_points.placer import KeptPlace, Placer, Wording
from explorer.plot.paint.fonts import Face, Fonts
from explorer.plot.paint.geometry import Frame, Text, level_plates
from explorer.plot.paint.labels import Space
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure, Mark

_SMALL = 0.02  # shares under this speak softly
_MANY = 24  # selected or faulty marks that have a label in any case, no more
RING = 3.5  # units from a mark to the ring around it

Key = tuple[str, str, int]  # device, leading row, which of its texts


def place_labels(
    figure: Figure,
    marks: Sequence[Mark],
    positions: npt.NDArray[np.float64],
    radii: npt.NDArray[np.float64],
    space: Space,
    first: int,
    frame: Frame,
    fonts: Fonts,
    theme: Theme,
    held: Mapping[Key, KeptPlace],
) -> tuple[list[Text], dict[Key, KeptPlace]]:
    """Labels that find room in `space`, and where they stand: the largest share first, selected points, faults.

    The boxes of the marks stand in `space` from place `first` on. A label keeps the place that it `held`, as long as
    that is free: nothing jumps during a drag.
    """
    places = positions.tolist()
    largest = largest_mark(marks)
    order = sorted(range(len(marks)), key=lambda i: (i != largest, *_rank(marks[i], figure)))
    placed: list[Text] = []
    places_held: dict[Key, KeptPlace] = {}
    placer = Placer(
        space,
        first,
        fonts.unit,
        lambda x, width: level_plates(theme, frame, figure.zone, x, width),
        plated=figure.clouded,
    )
    demanded = {i for i, mark in enumerate(marks) if mark.over or chosen(mark, figure)}
    if len(demanded) > _MANY:  # each would search all the plot for a place
        demanded = set()
    for i in order:
        mark = marks[i]
        for n, texts in enumerate(_texts(mark, figure)):
            face, colour = _look(mark, figure, fonts, theme)
            said = Wording(texts, face, colour, must=n == 0 and (i == largest or i in demanded))
            key = (mark.device, mark.rows[0], n)
            point = (*places[i], float(radii[i]))
            found, at = placer.place(said, point, _touching(i, positions, radii, fonts.unit), held.get(key))
            if found is not None:
                placed.append(found)
            places_held[key] = at
    return placed, places_held


def chosen(mark: Mark, figure: Figure) -> bool:
    """Whether a mark holds a selected row."""
    return bool(figure.selection) and not figure.selection.isdisjoint(mark.rows)


def around(mark: Mark, figure: Figure) -> float:
    """Units that the rings of a selection and of a fault add to a mark's radius."""
    return (RING + 1.0) * chosen(mark, figure) + (RING + 1.0) * mark.over


def largest_mark(marks: Sequence[Mark]) -> int | None:
    """The place of the point with the largest share of the time, which is labelled whatever happens."""
    named = [i for i, m in enumerate(marks) if m.label and m.active and not m.measured]
    return max(named, key=lambda i: marks[i].area, default=None)


def _texts(mark: Mark, figure: Figure) -> list[tuple[str, ...]]:
    """The texts of a mark, each with its shorter wordings."""
    texts = [(mark.label, *mark.shorter)] if mark.label else []
    if not mark.label and chosen(mark, figure) and mark.active:
        texts = [(", ".join(mark.rows[:3]),)]
    if mark.gain_text and chosen(mark, figure):
        texts.append((mark.gain_text,))
    return texts


def _rank(mark: Mark, figure: Figure) -> tuple[bool, bool, float]:
    return not (chosen(mark, figure) and mark.active), not mark.over, -mark.area


def _look(mark: Mark, figure: Figure, fonts: Fonts, theme: Theme) -> tuple[Face, str]:
    if mark.over:
        return fonts.label, theme.warning
    if mark.measured or (mark.area < _SMALL and not chosen(mark, figure)):
        return fonts.note, theme.muted
    return fonts.label, theme.accent if chosen(mark, figure) else theme.text


def _touching(
    one: int, positions: npt.NDArray[np.float64], radii: npt.NDArray[np.float64], unit: float
) -> npt.NDArray[np.bool_]:
    """Which points touch one of them: its leader may leave through these."""
    apart = np.hypot(positions[:, 0] - positions[one, 0], positions[:, 1] - positions[one, 1])
    return np.asarray(apart < radii + (radii[one] + 4 * unit))
