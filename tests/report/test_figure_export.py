"""PNG, SVG and PDF of one study look alike; text stays text."""

import datetime as dt
import html
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.study import read_study
from explorer.plot.paint.layout import ChartLayout
from explorer.plot.views.slide import SlideLayout, paint_view
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure
from explorer.presentation.slide.conditions import conditions
from explorer.presentation.slide.slide import build_slide, built
from explorer.presentation.views.declared import VIEWS
from explorer.presentation.words.messages import render_problem
from explorer.report.deck import slides_of
from explorer.report.figure_export import Paper, export_day, pinned, reason_of
from explorer.report.figure_export import export_figure as exported
from explorer.report.paper_sizes import SIZES
from tests.plot.drawing import A100, CHINESE, H100, MI300X, decode_study, device, evaluated, matmul_study

pytestmark = pytest.mark.usefixtures("qapp")

SIZE = (1600, 900)
LOOKED_AT = [*((view, LIGHT) for view in VIEWS), ("roofline", DARK)]
# The viewers rasterise glyphs and antialias each in their own way: what is compared is the picture blurred to
# blocks of 8 pixels, where a shifted label, another font or a missing line shows and an edge's shade does not.
BLOCK = 8
MEAN_TOLERANCE = 2.0  # of 255, over the picture; light text on dark is blended with another gamma in each viewer
WORST_TOLERANCE = 60.0  # of 255, in any block; a title moved by one space makes 136


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    dated = zip((H100, A100, MI300X), (2022, 2020, 2023), strict=True)
    return evaluated(decode_study(*(replace(device, year=year) for device, year in dated)))


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> Theme:
    found: Theme = request.param
    return found


def export_figure(
    evaluation: Evaluation,
    path: Path,
    size: tuple[int, int] = SIZE,
    scale: float = 1.0,
    look: Look = ENGLISH,
    view: str = "roofline",
    texts: dict[str, str] | None = None,
    **more: Any,
) -> None:
    exported(evaluation, path, Paper(size=size, scale=scale, look=look, texts=texts or {}, **more), view)


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _blocks(path: Path) -> np.ndarray:  # type: ignore[type-arg]
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB"), dtype=np.float64)
    assert pixels.shape == (SIZE[1], SIZE[0], 3)
    rows, columns = SIZE[1] // BLOCK, SIZE[0] // BLOCK
    return pixels[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, 3).mean(axis=(1, 3))


def _assert_alike(one: Path, other: Path) -> None:
    difference = np.abs(_blocks(one) - _blocks(other)).max(axis=2)
    assert difference.mean() < MEAN_TOLERANCE
    assert difference.max() < WORST_TOLERANCE


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_tolerance_sees_a_label_that_moved(evaluation: Evaluation, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "one.png")
    export_figure(evaluation, tmp_path / "other.png", texts={"title": "Llama-8B decode waits for bandwidth"})
    with pytest.raises(AssertionError):
        _assert_alike(tmp_path / "one.png", tmp_path / "other.png")


@pytest.mark.parametrize(("view", "theme"), LOOKED_AT)
def test_the_svg_looks_like_the_png_in_rsvg(evaluation: Evaluation, view: str, theme: Theme, tmp_path: Path) -> None:
    tool = _tool("rsvg-convert")
    export_figure(evaluation, tmp_path / "a.png", SIZE, look=Look(theme), view=view)
    export_figure(evaluation, tmp_path / "a.svg", SIZE, look=Look(theme), view=view)
    _run(tool, str(tmp_path / "a.svg"), "-o", str(tmp_path / "rsvg.png"))
    _assert_alike(tmp_path / "a.png", tmp_path / "rsvg.png")


@pytest.mark.parametrize(("view", "theme"), LOOKED_AT)
def test_the_svg_looks_like_the_png_in_chromium(
    evaluation: Evaluation, view: str, theme: Theme, tmp_path: Path
) -> None:
    tool = _tool("chromium")
    export_figure(evaluation, tmp_path / "a.png", SIZE, look=Look(theme), view=view)
    export_figure(evaluation, tmp_path / "a.svg", SIZE, look=Look(theme), view=view)
    _run(
        tool, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
        f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={SIZE[0]},{SIZE[1]}",
        f"--screenshot={tmp_path / 'web.png'}", (tmp_path / "a.svg").as_uri(),
    )  # fmt: skip
    _assert_alike(tmp_path / "a.png", tmp_path / "web.png")


@pytest.mark.parametrize(("view", "theme"), LOOKED_AT)
def test_the_pdf_looks_like_the_png(evaluation: Evaluation, view: str, theme: Theme, tmp_path: Path) -> None:
    tool = _tool("pdftoppm")
    export_figure(evaluation, tmp_path / "a.png", SIZE, look=Look(theme), view=view)
    export_figure(evaluation, tmp_path / "a.pdf", SIZE, look=Look(theme), view=view)
    done = subprocess.run(
        [tool, "-r", "96", "-png", "-singlefile", str(tmp_path / "a.pdf"), str(tmp_path / "page")],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stderr == ""  # a reader finds nothing to complain of
    _assert_alike(tmp_path / "a.png", tmp_path / "page.png")


def test_text_stays_text_in_the_svg_with_families_to_fall_back_to(evaluation: Evaluation, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    texts = [part.split(">", 1)[1].split("<", 1)[0] for part in svg.split("<text")[1:]]
    shown = " ".join(texts)
    for wanted in ("waits for memory on all three devices", "H100 989 TFLOP/s", "3.35 TB/s", "ridge 295", "attention"):
        assert wanted in shown
    assert "sans-serif" in svg
    assert "Noto Sans CJK SC" in svg
    assert "<clipPath" not in svg
    assert "<image" not in svg


def test_text_in_the_pdf_can_be_selected_and_its_fonts_are_embedded(evaluation: Evaluation, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.pdf")
    text = _run(_tool("pdftotext"), "-layout", str(tmp_path / "a.pdf"), "-")
    for wanted in ("Llama-8B decode waits for memory on all three devices", "MI300X 1,307 TFLOP/s", "What would help"):
        assert wanted in text
    fonts = _run(_tool("pdffonts"), str(tmp_path / "a.pdf")).splitlines()[2:]
    assert fonts
    assert all(line.split()[-5] == "yes" for line in fonts)


def test_a_png_grows_with_its_scale_and_says_its_resolution(evaluation: Evaluation, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.png", (800, 450))
    export_figure(evaluation, tmp_path / "b.png", (800, 450), scale=3.0)
    with Image.open(tmp_path / "a.png") as one, Image.open(tmp_path / "b.png") as three:
        assert three.size == (2400, 1350)
        assert three.info["dpi"][0] == pytest.approx(288, abs=0.5)
        small = np.asarray(three.convert("RGB").resize(one.size, Image.Resampling.BOX), dtype=float)
        assert np.abs(small - np.asarray(one.convert("RGB"), dtype=float)).mean() < 2.5


def test_chinese_device_names_stay_within_the_picture(tmp_path: Path) -> None:
    study = decode_study(device(CHINESE, 400e12, 1.6e12), device("昇腾 910B", 376e12, 1.2e12))
    export_figure(evaluated(replace(study, name="大模型解码")), tmp_path / "a.png", look=Look(LIGHT))
    with Image.open(tmp_path / "a.png") as image:
        pixels = np.asarray(image.convert("RGB"), dtype=int)
    paper = np.array([255, 255, 255])
    for edge in (pixels[:, :20], pixels[:, -20:], pixels[:12], pixels[-12:]):
        assert (edge == paper).all()


@pytest.mark.parametrize("size", [(1600, 900), (1200, 900), (900, 1200), (640, 360)])
def test_any_proportion_can_be_exported(evaluation: Evaluation, size: tuple[int, int], tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.png", size)
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == size


def test_the_chart_alone_can_be_exported(evaluation: Evaluation, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.svg", (800, 600), view="chart")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "Arithmetic intensity" in svg
    assert "What would help" not in svg


def _svg_texts(path: Path) -> str:
    return " ".join(part.split(">", 1)[1].split("<", 1)[0] for part in path.read_text("utf-8").split("<text")[1:])


@pytest.mark.parametrize("view", list(VIEWS))
@pytest.mark.parametrize("option", ["title", "subtitle"])
def test_every_view_bears_the_texts_asked_for(evaluation: Evaluation, view: str, option: str, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.svg", view=view, texts={option: "My own words"})
    assert "My own words" in _svg_texts(tmp_path / "a.svg")


@pytest.mark.parametrize("view", list(VIEWS))
def test_what_a_view_shows_stays_whole_under_a_title(evaluation: Evaluation, view: str, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.svg", view=view)
    export_figure(evaluation, tmp_path / "b.svg", view=view, texts={"title": "My own words"})
    if VIEWS[view].bare:
        lost = set(_svg_texts(tmp_path / "a.svg").split()) - set(_svg_texts(tmp_path / "b.svg").split())
        assert not {word for word in lost if word.isalpha()}


@pytest.mark.parametrize("view", list(VIEWS))
def test_every_view_takes_theme_size_and_scale(evaluation: Evaluation, theme: Theme, view: str, tmp_path: Path) -> None:
    export_figure(evaluation, tmp_path / "a.png", (1000, 640), 1.5, Look(theme), view, {"title": "Mine"})
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (1500, 960)
        corner = image.convert("RGB").getpixel((2, 2))
    assert f"#{''.join(f'{part:02x}' for part in corner)}" == theme.panel.lower()  # type: ignore[union-attr]


@pytest.mark.parametrize("view", list(VIEWS))
def test_every_view_is_told_in_the_language_and_unit_of_the_look(
    evaluation: Evaluation, view: str, tmp_path: Path
) -> None:
    look = Look(unit="GiB", translate=lambda _context, text: f"☺{text}")
    export_figure(evaluation, tmp_path / "a.svg", view=view, look=look)
    told = _svg_texts(tmp_path / "a.svg")
    assert "☺" in told
    assert " GB" not in told


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("a.gif", {}, "export.format"),
        ("a.png", {"view": "nothing"}, "export.view"),
        ("a.png", {"size": (10, 10)}, "export.size"),
        ("a.png", {"scale": 100.0}, "export.size"),
        ("a.png", {"scale": float("nan")}, "export.size"),
        ("missing/a.png", {}, "file.write"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_one_clear_line(
    evaluation: Evaluation, tmp_path: Path, name: str, arguments: dict[str, object], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        export_figure(evaluation, tmp_path / name, **arguments)  # type: ignore[arg-type]
    assert [p.code for p in refused.value.problems] == [code]
    line = render_problem(refused.value.problems[0])
    assert "\n" not in line
    assert code not in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("view", ["decode", "memory", "frontier", "speedup", "paired", "rooflines"])
def test_a_view_that_has_nothing_to_show_is_refused_with_the_reason(tmp_path: Path, view: str) -> None:
    alone = evaluated(replace(matmul_study(1, 4096, 4096), name="One"))
    reason = reason_of(built(view, alone))
    assert reason.endswith(".")
    with pytest.raises(Refused) as refused:
        export_figure(alone, tmp_path / "a.png", view=view)
    said = [render_problem(p) for p in refused.value.problems]
    assert said == [f"The view “{view}” has nothing to show: {reason}"]
    assert list(tmp_path.iterdir()) == []


def test_a_figure_is_made_without_a_screen_and_without_widgets(tmp_path: Path) -> None:
    script = (
        "import os, sys; os.environ.pop('QT_QPA_PLATFORM', None); os.environ.pop('DISPLAY', None)\n"
        "from pathlib import Path\n"
        "from explorer.report.figure_export import export_figure\n"
        "from tests.plot.drawing import decode_study, evaluated\n"
        f"export_figure(evaluated(decode_study()), Path({str(tmp_path / 'a.png')!r}))\n"
        "assert 'PySide6.QtWidgets' not in sys.modules and 'pyqtgraph' not in sys.modules\n"
    )
    _run(sys.executable, "-c", script)
    assert (tmp_path / "a.png").stat().st_size > 20_000


@pytest.mark.parametrize("view", list(VIEWS))
@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_study_gives_the_same_bytes_twice(
    evaluation: Evaluation, view: str, suffix: str, tmp_path: Path
) -> None:
    here, day = tmp_path / f"a{suffix}", dt.date(2026, 11, 30)
    exported(evaluation, here, Paper(day=day), view)
    exported(evaluation, tmp_path / f"b{suffix}", Paper(day=day), view)
    assert here.read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_a_pdf_is_the_same_in_every_process_and_of_the_footers_day(tmp_path: Path) -> None:
    script = (
        "import datetime as dt, hashlib\n"
        "from explorer.report.figure_export import Paper, figure_bytes\n"
        "from tests.plot.drawing import decode_study, evaluated\n"
        "found = figure_bytes(evaluated(decode_study()), '.pdf', Paper(day=dt.date(2026, 11, 30)))\n"
        "assert b'/CreationDate (D:20261130000000' in found\n"
        "print(hashlib.sha256(found).hexdigest())\n"
    )
    assert _run(sys.executable, "-c", script) == _run(sys.executable, "-c", script)


@pytest.mark.parametrize("view", [v.name for v in VIEWS.values() if not v.bare])
@pytest.mark.parametrize("size", list(SIZES.values()))
@pytest.mark.parametrize(
    "long", ["", "A name that is far longer than the place that it has, by a good deal", "昇腾九一〇加速卡"]
)
def test_parts_of_every_slide_stand_apart_and_leave_no_third_of_it_empty(
    view: str, size: tuple[int, int], long: str
) -> None:
    named = [device(f"{long} {i}".strip(), 400e12 + i, 2e12) for i in range(2)] if long else [A100, MI300X]
    found = evaluated(decode_study(H100, *named))
    slide = built(view, found, day=dt.date(2026, 11, 30))
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    laid = paint_view(view, painter, QRectF(0, 0, *size), slide, LIGHT)
    painter.end()
    assert isinstance(laid, SlideLayout)
    assert laid.left_out == ()
    parts = [laid.heading, laid.view, laid.foot, *(rect for _, rect in laid.blocks)]
    page = laid.rect.adjusted(-0.5, -0.5, 0.5, 0.5)
    assert all(page.contains(part) for part in parts)
    for i, one in enumerate(parts):
        assert not any(one.adjusted(1, 1, -1, -1).intersects(other) for other in parts[i + 1 :])
    filled = sum(part.width() * part.height() for part in parts)
    assert filled > 2 / 3 * laid.rect.width() * laid.rect.height()


@pytest.mark.parametrize("view", [v.name for v in VIEWS.values() if not v.bare])
@pytest.mark.parametrize("left", ["table", "help", "read"])
def test_every_block_of_every_view_can_be_left_out(
    evaluation: Evaluation, view: str, left: str, tmp_path: Path
) -> None:
    whole = build_slide(evaluation, view=view, blocks=("table", "help", "read"))
    chosen = tuple(b.name for b in whole.blocks if b.name != left)
    export_figure(evaluation, tmp_path / "a.svg", view=view, blocks=chosen)
    svg = (tmp_path / "a.svg").read_text("utf-8")
    assert [name for name in ("table", "help", "read") if f'<g id="{name}"' in svg] == list(chosen)
    assert "Llama-8B decode, batch 8" in _svg_texts(tmp_path / "a.svg")


def test_figures_are_never_cut_on_any_slide_of_an_example(root: Path, tmp_path: Path) -> None:
    for file in sorted((root / "resources" / "studies").glob("*.roofline.yaml")):
        found = evaluate(read_study(file), load_catalogue(devices=False))
        for view, _ in slides_of(found):
            export_figure(found, tmp_path / "a.svg", view=view)
            texts = _svg_texts(tmp_path / "a.svg")
            assert not re.search(r"(^|\s)[\d.,]+…", texts), (file.name, view)
            expected = conditions(found)
            flat = "".join(texts.split())
            assert "".join(expected.split()) in html.unescape(flat), (file.name, view)


def test_axes_are_pinned_where_asked_and_else_as_they_are(evaluation: Evaluation) -> None:
    both = pinned(evaluation, (0.1, 1000.0), (1e9, 1e15)).study.view
    assert (both.x_range, both.y_range) == ((-1.0, 3.0), (9.0, 15.0))
    own = build_figure(evaluation)
    one = pinned(evaluation, (0.1, 1000.0), None).study.view
    assert (one.x_range, one.y_range) == ((-1.0, 3.0), own.y_range)
    assert pinned(evaluation, None, None) is evaluation


def test_charts_with_the_same_pinned_axes_lie_over_each_other_to_the_pixel(tmp_path: Path) -> None:
    others = (matmul_study(1, 4096, 4096), decode_study(H100), decode_study(H100, A100, MI300X))
    lines = []
    for i, study in enumerate(others):
        figure = built("roofline", pinned(evaluated(study), (0.1, 1e4), (1e9, 1e16)), bare=True)
        assert isinstance(figure, Figure)
        chart = _laid(figure)
        lines.append([chart.static.frame.plot.getRect(), chart.static.frame.x(2.0), chart.static.frame.y(12.0)])
        assert bool(figure.strips) is (i > 0)
    assert lines[0] == lines[1] == lines[2]


def _laid(figure: Figure) -> ChartLayout:
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    laid = paint_view("roofline", painter, QRectF(0, 0, *SIZE), figure, LIGHT)
    painter.end()
    assert isinstance(laid, ChartLayout)
    return laid


def test_the_day_of_a_build_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764460800")
    assert export_day() == dt.date(2025, 11, 30)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "nonsense")
    assert export_day() >= dt.date(2025, 12, 1)
