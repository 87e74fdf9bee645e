"""Tables for spreadsheets, pages and terminals."""

import csv
import io

import pytest
from msgspec.structs import replace

import explorer.presentation.sentences  # noqa: F401
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from explorer.presentation.look import Look
from explorer.presentation.tables.columns import Column, as_text, number
from explorer.presentation.words.messages import Message
from explorer.report.console import evaluation_text
from explorer.report.tables import table_text
from explorer.report.text_table import aligned_text, markdown_text, separated_text

Pair = tuple[str, float | None]
COLUMNS: tuple[Column[Pair], ...] = (
    Column("name", Message("column.name"), lambda r: r[0], as_text, right=False),
    Column("time", Message("column.time"), lambda r: r[1], number, "s"),
)
ROWS: list[Pair] = [("a|b, c", 0.1), ("q", 4096.0), ("none", None)]


def opened(name: str) -> Evaluation:
    return evaluate(read_study(example_path(name)), load_catalogue(devices=False))


def test_csv_holds_base_units_in_full_precision() -> None:
    assert separated_text(COLUMNS, ROWS, ",") == 'Operator,Time (s)\n"a|b, c",0.1\nq,4096\nnone,\n'


def test_tsv_is_separated_by_tabs() -> None:
    assert separated_text(COLUMNS, ROWS[1:2], "\t") == "Operator\tTime (s)\nq\t4096\n"


def test_markdown_escapes_what_would_break_a_row() -> None:
    assert markdown_text(COLUMNS, ROWS[:1]).splitlines() == [
        "| Operator | Time |",
        "| :-- | --: |",
        "| a\\|b, c | 0.100 |",
    ]


def test_aligned_text_puts_figures_to_the_right() -> None:
    assert aligned_text(COLUMNS, ROWS[1:]).splitlines() == ["Operator   Time", "q         4,096", "none          –"]


def test_a_table_translates_its_headers() -> None:
    look = Look(translate=lambda _context, text: {"Time": "时间"}.get(text, text))
    text = markdown_text(COLUMNS, [], look)
    assert text.startswith("| Operator | 时间 |")


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_the_table_of_a_study_whose_devices_are_hidden_still_names_its_columns(kind: str) -> None:
    shown = opened("llama-8b-decode")
    hidden = tuple(replace(e, visible=False) for e in shown.study.hardware)
    text = table_text(evaluate(replace(shown.study, hardware=hidden), load_catalogue(devices=False)), kind)
    assert text == table_text(shown, kind).partition("\n")[0] + "\n"


def test_the_table_of_a_study_lists_every_visible_device() -> None:
    evaluation = opened("llama-8b-decode")
    rows = list(csv.DictReader(io.StringIO(table_text(evaluation, "csv"))))
    assert len(rows) == 3 * len(evaluation.rows)
    assert {r["Device"] for r in rows} == {d.entry.device.name for d in evaluation.devices}
    study = evaluation.study
    hidden = (replace(study.hardware[0], visible=False), *study.hardware[1:])
    two = evaluate(replace(study, hardware=hidden), evaluation.catalogue)
    assert len(table_text(two, "tsv").splitlines()) == 1 + 2 * len(evaluation.rows)


def test_the_markdown_of_a_study_begins_with_the_answer() -> None:
    text = table_text(opened("llama-8b-decode"), "md")
    assert text.startswith("Waiting for memory on all three.")
    assert text.count("Operators on") == 3


def test_each_device_has_its_own_times() -> None:
    evaluation = opened("llama-8b-decode")
    rows = [r for r in csv.DictReader(io.StringIO(table_text(evaluation, "csv"))) if r["Operator"] == "q_proj"]
    expected = [d.points[2].time_s for d in evaluation.devices]
    assert [float(r["Time (s)"]) for r in rows] == pytest.approx(expected)


def test_the_text_for_a_terminal_names_what_was_evaluated() -> None:
    text = evaluation_text(opened("llama-8b-decode"))
    assert "Llama-3.1-8B, decode, batch 8, context 4,096, weights bf16, activations bf16, KV bf16" in text
    assert "Operators on H100 SXM5, per call:" in text
    assert "What would help on H100 SXM5: 8-bit weights 1.56×" in text
    assert "2× bandwidth 2.00×. Of no use here: 2× compute. " in " ".join(text.split())


def test_no_line_of_the_terminal_text_ends_in_blanks() -> None:
    assert all(line == line.rstrip() for line in evaluation_text(opened("bert-large")).splitlines())


def test_a_page_says_what_its_figures_hold_for_and_names_devices_as_the_window_does() -> None:
    page = table_text(opened("llama-8b-decode"), "md")
    line = "Llama-3.1-8B, decode, batch 8, context 4,096, weights bf16, activations bf16, KV bf16, launch graph"
    assert any(part.startswith(line) for part in page.split("\n"))
    assert "Operators on H100 SXM5, per call:" in page
    assert "NVIDIA H100" not in page.split("Operators on")[1]


def test_operators_bear_the_ratio_to_a_baseline_that_was_asked_for() -> None:
    """At batch 256 q_proj takes 11.3 us on the H100 and 27.5 us on the A100."""
    study = read_study(example_path("llama-8b-decode"))
    work = replace(study.workload, batch=256, context=1024)
    view = replace(study.view, baseline=study.hardware[1].id)
    evaluation = evaluate(replace(study, workload=work, view=view), load_catalogue(devices=False))
    for text in (evaluation_text(evaluation, compared=True), table_text(evaluation, "md", compared=True)):
        assert "Time / that on A100 SXM4 80GB" in text
        assert any("q_proj" in line and "11.3 µs" in line and "0.41×" in line for line in text.splitlines())
        own = next(line for line in text.splitlines() if "lm_head" in line and "862 µs" in line) if "|" in text else ""
        assert "×" not in own
    assert "Time / that on" not in evaluation_text(evaluation)
    assert evaluation_text(evaluation, compared=True).count("Verdicts that flip") == 1
