"""The chart's own undo of zoom; never mixed with the study's."""

from explorer.plot.live.ranges import Ranges

LIMIT = 100


class ZoomHistory:
    """Views left behind and views gone back from; None stands for "fit"."""

    def __init__(self) -> None:
        self._back: list[Ranges | None] = []
        self._forward: list[Ranges | None] = []

    def leave(self, view: Ranges | None) -> None:
        """A new gesture begins from `view`."""
        if not self._back or self._back[-1] != view:
            self._back.append(view)
            del self._back[:-LIMIT]
        self._forward.clear()

    def back(self, current: Ranges | None) -> Ranges | None:
        """The view before; call only while `can_go_back`."""
        self._forward.append(current)
        return self._back.pop()

    def forward(self, current: Ranges | None) -> Ranges | None:
        """The view gone back from; call only while `can_go_forward`."""
        self._back.append(current)
        return self._forward.pop()

    def clear(self) -> None:
        """Another study: nothing to go back to."""
        self._back.clear()
        self._forward.clear()

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)
