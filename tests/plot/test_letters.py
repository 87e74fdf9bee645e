"""Fonts and lines of text: sizes, ends that are cut, breaks between words and ideographs."""

from itertools import pairwise
from unittest.mock import patch

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from explorer.plot.paint.brushes import colour, pen, ring
from explorer.plot.paint.fonts import Face, fonts, sans
from explorer.plot.paint.wrap import in_one_line, wrapped
from explorer.presentation.palette import DASHES
from tests.plot.hand_made import big
from tests.plot.recorder import Measures, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")


class Squares(Measures):
    """Every letter ten pixels wide."""

    def horizontalAdvance(self, text: str) -> float:  # noqa: N802
        return 10.0 * len(text)


@pytest.fixture
def face() -> Face:
    with patch("explorer.plot.paint.fonts.QFontMetricsF", Squares):
        return Face(QFont(), 20)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 200, ["one two three"]),
        ("one two three", 130, ["one two three"]),
        ("one two three", 129, ["one two", "three"]),
        ("one two three", 70, ["one two", "three"]),
        ("one two three", 69, ["one", "two", "three"]),
        ("  one  two ", 60, ["one", "two"]),
        ("abcdefghij", 40, ["abcd", "efgh", "ij"]),
        ("a abcdefghij kl", 40, ["a", "abcd", "efgh", "ij", "kl"]),
        ("abcd", 5, ["a", "b", "c", "d"]),
        ("訓練加速卡 gpu", 30, ["訓練加", "速卡", "gpu"]),
        ("ab訓練cd", 30, ["ab訓", "練cd"]),
        ("", 50, []),
        ("   ", 10, []),
    ],
)
def test_text_is_broken_where_a_line_is_full(face: Face, text: str, width: float, lines: list[str]) -> None:
    assert wrapped(text, face, width) == lines


def test_the_last_line_that_there_is_room_for_holds_the_rest_and_is_cut(face: Face) -> None:
    assert wrapped("one two three four", face, 70, most=2) == ["one two", "three…"]
    assert wrapped("one two three", face, 70, most=2) == ["one two", "three"]
    assert wrapped("one two three", face, 70, most=1) == ["one tw…"]


def test_a_text_is_cut_only_where_it_is_wider(face: Face) -> None:
    assert face.elided("abcd", 40) == "abcd"
    assert face.elided("abcd", 39) == "ab…"
    assert (face.width("abc"), face.measure("abc")) == (30, 30)


def test_a_face_measures_what_layout_asks_of_it(face: Face) -> None:
    assert (face.cap, face.up, face.down, face.height) == pytest.approx((14.0, 19 * 0.86, 5 * 0.9, 24.0))
    assert face.font.pixelSize() == 20
    with (
        patch.object(Squares, "capHeight", lambda _self: 0.0),
        patch("explorer.plot.paint.fonts.QFontMetricsF", Squares),
    ):
        assert Face(QFont(), 20).cap == pytest.approx(19 * 0.75)
        assert Face(QFont(), 0.2).font.pixelSize() == 1


def test_the_faces_of_a_chart_follow_the_size_of_its_font() -> None:
    with fixed_fonts():
        small, font = fonts(), QFont()
        font.setPointSizeF(30.0)
        large = fonts(font)
    assert (small.unit, large.unit) == pytest.approx((1.0, 40 / 13))
    sizes = [f.font.pixelSize() for f in (small.tick, small.label, small.name, small.title, small.note)]
    assert sizes == [12, 12, 12, 13, 12]
    assert [f.font.pixelSize() for f in (large.tick, large.label, large.name, large.title, large.note)] == [
        37, 38, 37, 39, 38,
    ]  # fmt: skip
    weights = [int(f.font.weight()) for f in (small.tick, small.label, small.name, small.title, small.note)]
    assert weights == [400, 600, 600, 500, 400]


def test_the_font_of_exports_has_families_for_ideographs_and_its_size() -> None:
    assert sans().pixelSize() == 13
    assert sans(20.4).pixelSize() == 20
    with patch("explorer.plot.paint.fonts._present", lambda: ("Inter",)):
        assert sans().families()[:2] == ["Inter", "Noto Sans CJK SC"]
    with patch("explorer.plot.paint.fonts._present", tuple):
        assert sans().families() == QFont().families()


def test_pens_have_flat_ends_round_corners_and_the_dash_of_their_device() -> None:
    solid, dashed = pen("#112233", 2.0), pen("#112233", 3.0, 1, 0.5)
    assert solid.style() == Qt.PenStyle.SolidLine
    assert tuple(dashed.dashPattern()) == DASHES[1]
    assert tuple(pen("#112233", 3.0, 1 + len(DASHES)).dashPattern()) == DASHES[4]  # of the second round another one
    assert (solid.widthF(), dashed.widthF()) == (2.0, 3.0)
    assert (solid.color().alphaF(), dashed.color().alphaF()) == pytest.approx((1.0, 0.5), abs=0.01)
    for made in (solid, dashed):
        assert made.capStyle() == Qt.PenCapStyle.FlatCap
        assert made.joinStyle() == Qt.PenJoinStyle.RoundJoin
    circle = ring("#112233", 2.0)
    assert (circle.joinStyle(), circle.widthF()) == (Qt.PenJoinStyle.MiterJoin, 2.0)
    assert colour("#112233", 0.25).alphaF() == pytest.approx(0.25, abs=0.01)


def test_a_word_of_many_lines_is_cut_with_few_measurements(qapp):
    class Counted(Face):
        measured = 0

        def measure(self, text):
            Counted.measured += len(text)
            return super().measure(text)

    word = "".join(chr(97 + i % 26) for i in range(3000))
    face = Counted(sans(), 12)
    lines = wrapped(word, face, 200)
    assert "".join(lines) == word
    assert all(face.measure(line) <= 200 for line in lines)
    assert all(face.measure(line + after[0]) > 200 for line, after in pairwise(lines))
    assert Counted.measured < 40 * len(word)


@pytest.mark.parametrize(
    ("part", "size", "said"),
    [
        (1.0, 1.0, "Model-7B: held at batch 8"),
        (0.9, 0.9, "Model-7B: held at batch 8"),
        (0.75, 0.75, "Model-7B: held at batch 8"),
        (0.5, 0.7, "held at batch 8"),
        (0.2, 0.7, ""),
    ],
)
def test_a_sentence_with_figures_gets_smaller_then_loses_its_name_and_never_a_figure(
    part: float, size: float, said: str
) -> None:
    whole = "Model-7B: held at batch 8"
    with fixed_fonts():
        face = fonts(big()).label
        found, text = in_one_line(whole, face, part * face.width(whole))
    assert text == said
    assert found.font.pixelSize() == pytest.approx(size * face.font.pixelSize(), abs=1.0)


def test_words_alone_may_be_cut_and_a_long_name_before_what_is_said_of_it() -> None:
    with fixed_fonts():
        face = fonts().label
        wide = face.width("m")
        assert in_one_line("a long heading of words alone", face, 12 * wide)[1].endswith("…")
        long = "A-very-long-name-of-a-model-and-its-maker: held at batch 8"
        text = in_one_line(long, face, 21 * wide)[1]
    begun, dots, rest = text.partition("…")
    assert long.startswith(begun)
    assert (dots, rest) == ("…", ": held at batch 8")
