"""PNG, SVG and PDF of one study look alike; text stays text."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import Look
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.views.declared import VIEWS
from explorer.presentation.words.messages import render_problem
from explorer.report.figure_export import export_figure
from tests.plot.drawing import A100, CHINESE, H100, MI300X, decode_study, device, evaluated

pytestmark = pytest.mark.usefixtures("qapp")

SIZE = (1600, 900)
# The viewers rasterise glyphs and antialias each in their own way: what is compared is the picture blurred to
# blocks of 8 pixels, where a shifted label, another font or a missing line shows and an edge's shade does not.
BLOCK = 8
MEAN_TOLERANCE = 2.0  # of 255, over the picture; light text on dark is blended with another gamma in each viewer
WORST_TOLERANCE = 60.0  # of 255, in any block; a title moved by one space makes 136


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluated(decode_study(H100, A100, MI300X))


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> Theme:
    found: Theme = request.param
    return found


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


def test_the_svg_looks_like_the_png_in_rsvg(evaluation: Evaluation, theme: Theme, tmp_path: Path) -> None:
    tool = _tool("rsvg-convert")
    export_figure(evaluation, tmp_path / "a.png", SIZE, look=Look(theme))
    export_figure(evaluation, tmp_path / "a.svg", SIZE, look=Look(theme))
    _run(tool, str(tmp_path / "a.svg"), "-o", str(tmp_path / "rsvg.png"))
    _assert_alike(tmp_path / "a.png", tmp_path / "rsvg.png")


def test_the_svg_looks_like_the_png_in_chromium(evaluation: Evaluation, theme: Theme, tmp_path: Path) -> None:
    tool = _tool("chromium")
    export_figure(evaluation, tmp_path / "a.png", SIZE, look=Look(theme))
    export_figure(evaluation, tmp_path / "a.svg", SIZE, look=Look(theme))
    _run(
        tool, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
        f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={SIZE[0]},{SIZE[1]}",
        f"--screenshot={tmp_path / 'web.png'}", (tmp_path / "a.svg").as_uri(),
    )  # fmt: skip
    _assert_alike(tmp_path / "a.png", tmp_path / "web.png")


def test_the_pdf_looks_like_the_png(evaluation: Evaluation, theme: Theme, tmp_path: Path) -> None:
    tool = _tool("pdftoppm")
    export_figure(evaluation, tmp_path / "a.png", SIZE, look=Look(theme))
    export_figure(evaluation, tmp_path / "a.pdf", SIZE, look=Look(theme))
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
