"""All views of a study at once: a file each, or pages of one PDF."""

import datetime as dt
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.views.declared import VIEWS
from explorer.report.deck import export_deck, slides_of
from explorer.report.figure_export import Paper
from tests.plot.drawing import A100, H100, MI300X, decode_study, evaluated, matmul_study

pytestmark = pytest.mark.usefixtures("qapp")

PAPER = Paper(day=dt.date(2026, 11, 30))


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluated(decode_study(H100, A100, MI300X))


def test_a_folder_gets_a_numbered_file_for_each_view_and_keeps_what_else_is_there(
    evaluation: Evaluation, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "deck"
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    written = export_deck(evaluation, folder, ".svg", PAPER)
    slides = [v.name for v in VIEWS.values() if not v.bare]
    assert [p.name[3:-4] for p in written] == [name for name in slides if name in {p.name[3:-4] for p in written}]
    assert {"roofline", "time", "decode", "memory"} <= {p.name[3:-4] for p in written}
    assert [p.name[:3] for p in written] == [f"{i:02}-" for i in range(1, len(written) + 1)]
    assert sorted(folder.iterdir()) == sorted([*written, folder / "notes.txt"])
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_pdf_has_a_page_for_each_view(evaluation: Evaluation, tmp_path: Path) -> None:
    assert export_deck(evaluation, tmp_path / "deck.pdf", paper=PAPER) == [tmp_path / "deck.pdf"]
    pages = len(re.findall(rb"/Type /Page\b", (tmp_path / "deck.pdf").read_bytes()))
    assert pages == len(list(slides_of(evaluation, PAPER)))
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    text = subprocess.run(
        ["pdftotext", "-layout", str(tmp_path / "deck.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    assert text.count("Llama-8B decode, batch 8, context 4,096 ·") == pages
    assert text.count("30 November 2026") == pages


def test_a_view_that_has_nothing_to_say_is_left_out() -> None:
    names = [name for name, _ in slides_of(evaluated(replace(matmul_study(1, 4096, 4096), name="One")), PAPER)]
    assert "roofline" in names
    assert "memory" not in names
    assert "decode" not in names


@pytest.mark.parametrize("name", ["deck.png", "deck.svg"])
def test_one_picture_holds_no_deck(evaluation: Evaluation, tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused) as refused:
        export_deck(evaluation, tmp_path / name, paper=PAPER)
    assert refused.value.problems[0].code == "export.deck"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_clear_line(evaluation: Evaluation, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused) as refused:
        export_deck(evaluation, tmp_path / "file" / "deck", paper=PAPER)
    assert refused.value.problems[0].code == "file.write"
