"""`render` from the command line: one view or all, texts, blocks, pinned axes, sizes by name."""

import struct
from pathlib import Path

import pytest

from explorer.cli.main import main

STUDY = "resources/studies/llama-8b-decode.roofline.yaml"


@pytest.fixture(autouse=True)
def at_root(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)


def render(*arguments: str) -> int:
    return main(["render", STUDY, *arguments], lambda _path: 0, lambda _path: 0)


def texts(path: Path) -> str:
    return " ".join(part.split(">", 1)[1].split("<", 1)[0] for part in path.read_text("utf-8").split("<text")[1:])


def size(path: Path) -> tuple[int, int]:
    found: tuple[int, int] = struct.unpack(">II", path.read_bytes()[16:24])
    return found


def test_all_views_are_written_and_named_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert render("--all", "-o", str(tmp_path / "deck")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(tmp_path / "deck" / "01-roofline.png")
    assert sorted(map(Path, lines)) == sorted((tmp_path / "deck").iterdir())
    assert render("--all", "--title", "Mine", "-o", str(tmp_path / "deck")) == 2
    assert "leave them out with --all" in capsys.readouterr().err


def test_texts_blocks_and_date_are_as_asked(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    assert render("--view", "time", "--title", "Ours", "--blocks", "table", "--date", "2026-11-30", "-o", str(out)) == 0
    shown = texts(out)
    assert "Ours" in shown
    assert "What would help" not in shown
    assert "30 November 2026" in shown
    assert "Llama-3.1-8B decode, batch 8, context 4,096" in shown
    assert render("--bare", "-o", str(out)) == 0
    assert "batch 8, context" not in texts(out)
    assert render("--blocks", "none", "-o", str(out)) == 0
    assert "What would help" not in texts(out)


def test_two_exports_with_pinned_axes_can_be_laid_over_each_other(tmp_path: Path) -> None:
    axes = []
    for batch in ("1", "512"):
        out = tmp_path / f"{batch}.svg"
        pins = ("--x-range", "0.1,1000", "--y-range", "1e9,1e15")
        assert render("--view", "chart", "--batch", batch, *pins, "-o", str(out)) == 0
        ticks = [t for t in ("0.1", "10", "100", "1 P", "1 T") if f">{t}</text>" in out.read_text("utf-8")]
        axes.append(
            [(t, part.rsplit("<text", 1)[1]) for t in ticks for part in [out.read_text().split(f">{t}</text>")[0]]]
        )
    assert axes[0] == axes[1]
    assert len(axes[0]) >= 4


@pytest.mark.parametrize(
    ("name", "pixels"), [("4:3", (1440, 1080)), ("A4-portrait", (794, 1123)), ("500x300", (500, 300))]
)
def test_a_size_has_a_name_or_two_sides(tmp_path: Path, name: str, pixels: tuple[int, int]) -> None:
    assert render("--size", name, "-o", str(tmp_path / "a.png")) == 0
    assert size(tmp_path / "a.png") == pixels


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--x-range", "10,1"), "for example 0.1,1000"),
        (("--x-range", "nonsense"), "for example 0.1,1000"),
        (("--date", "tomorrow"), "2026-12-01"),
        (("--blocks", "table,legs"), "“legs”"),
        (("--size", "big"), "1600x900"),
        (("--all", "--format", "svg"), "a folder or a .pdf"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert render(*arguments, "-o", str(tmp_path / "a.svg")) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("x.txt", ("--all",), "a folder or a .pdf; “x.txt” is neither"),
        ("deck", ("--all", "--view", "time"), "leave them out with --all"),
        ("x.png", ("--format", "svg"), "--format svg and “x.png” contradict"),
        ("x.pdf", ("--all", "--format", "svg"), "--format svg and “x.pdf” contradict"),
        ("x.png", ("--view", "time", "--x-range", "1,10"), "--x-range does nothing to the view time"),
        ("x.png", ("--view", "time", "--y-range", "1,10"), "--y-range does nothing to the view time"),
        ("x.png", ("--bare", "--blocks", "table"), "--blocks does nothing with --bare"),
        ("x.png", ("--view", "chart", "--blocks", "table"), "--blocks does nothing with --view chart"),
        ("x.png", ("--blocks", "none,table"), "“none” leaves every block out and stands alone; the blocks are: table"),
        ("x.png", ("--blocks", ""), "no block is named; give none, or some of: table"),
        ("x.png", ("--x-range=1e-300,1e300",), "may reach from 1e-12 to 1e+24"),
        ("x.png", ("--title", "long " * 101), "The title has 504 characters; a slide has room for 500"),
        ("x.png", ("--subtitle", "long " * 101), "The subtitle has 504 characters"),
        ("x.png", ("--weights", ""), "--weights is empty"),
        ("x.png", ("--view", " "), "--view is empty"),
    ],
)
def test_a_flag_that_would_do_nothing_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, arguments: tuple[str, ...], said: str
) -> None:
    assert render(*arguments, "-o", str(tmp_path / name)) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_all_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert render("-o", str(tmp_path)) == 2
    told = capsys.readouterr().err
    assert "is a folder" in told
    assert "--all" in told


def test_a_folder_that_is_there_may_be_named_like_a_file(tmp_path: Path) -> None:
    (tmp_path / "deck.new").mkdir()
    assert render("--all", "--format", "svg", "-o", str(tmp_path / "deck.new")) == 0
    assert (tmp_path / "deck.new" / "01-roofline.svg").is_file()


def test_an_empty_title_leaves_it_out_and_a_long_one_is_kept_whole(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    assert render("-o", str(out), "--title", "") == 0
    assert "waits for memory on all three devices" not in texts(out)
    assert render("-o", str(out), "--title", ("word " * 98) + "the end") == 0
    assert "the end" in texts(out)


def test_a_view_with_nothing_to_show_is_refused_with_the_reason_and_writes_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert render("--vary", "what-ifs", "--view", "paired", "-o", str(tmp_path / "a.png")) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "The view “paired” has nothing to show: " in told.err
    assert told.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
