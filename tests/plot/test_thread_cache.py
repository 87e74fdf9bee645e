"""What one thread remembers of fonts is not another thread's."""

import threading

import pytest

from explorer.plot.paint.fonts import Fonts, fonts
from explorer.plot.paint.thread_cache import per_thread
from tests.plot.recorder import fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")


def _beside(faces: list[Fonts]) -> None:
    thread = threading.Thread(target=lambda: faces.append(fonts()))
    thread.start()
    thread.join()


def test_a_thread_that_paints_has_fonts_of_its_own_and_keeps_them() -> None:
    mine, others = fonts(), list[Fonts]()
    assert fonts() is mine
    _beside(others)
    assert others[0].tick is not mine.tick
    assert others[0].tick.width("1,024 FLOP/byte") == mine.tick.width("1,024 FLOP/byte")


def test_what_was_measured_is_measured_once() -> None:
    face, asked = fonts().tick, list[str]()
    with fixed_fonts():
        face = fonts().tick
        measured = face._metrics.horizontalAdvance
        face._metrics = type("Metrics", (), {"horizontalAdvance": lambda _, t: asked.append(t) or measured(t)})()
        assert face.width("H100") == face.width("H100")
    assert asked == ["H100"]


def test_an_error_of_the_function_is_its_own() -> None:
    @per_thread(2)
    def fails(name: str) -> int:
        return int(name.absent)  # type: ignore[attr-defined]

    for _ in range(2):
        with pytest.raises(AttributeError, match="absent"):
            fails("a")
