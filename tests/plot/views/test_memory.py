"""Memory on paper: type as large as the height of the page lets it be."""

import pytest
from PySide6.QtCore import QRectF

from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.plot.paint.fonts import sans
from explorer.plot.views.memory import content_height, page_scale_of
from explorer.plot.views.page import LARGEST
from explorer.presentation.views.memory import MemoryChart, memory_chart
from tests.plot.drawing import decode_study

pytestmark = pytest.mark.usefixtures("qapp")
PAGES = [(950, 640), (1500, 520), (1100, 900), (620, 1000)]


def chart(count: int) -> MemoryChart:
    catalogue = load_catalogue()
    devices = [d for d in catalogue.devices if d.vendor == "NVIDIA"][:count]
    return memory_chart(evaluate(decode_study(*devices), catalogue))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("count", [1, 3, 8])
def test_all_of_it_fits_and_what_is_small_fills_the_height(page: tuple[int, int], count: int) -> None:
    shown, rect = chart(count), QRectF(10, 20, *page)
    scale = page_scale_of(shown, rect)
    taken = content_height(shown, rect.width() / scale, sans()) * scale
    assert taken <= rect.height() + 0.5
    larger = scale / 0.96
    assert scale == LARGEST or content_height(shown, rect.width() / larger, sans()) * larger > rect.height(), (
        "a larger scale would have fitted, too"
    )


def test_eight_devices_leave_no_fifth_of_a_slide_empty() -> None:
    shown, rect = chart(8), QRectF(0, 0, 950, 720)
    scale = page_scale_of(shown, rect)
    assert content_height(shown, rect.width() / scale, sans()) * scale > 0.9 * rect.height()
