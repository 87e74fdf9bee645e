"""Measurements pasted from a spreadsheet or from our own copy."""

import time

import pytest
from msgspec.structs import replace

from explorer.analysis.study.study import Measurement
from explorer.files.typed.pasted_measurements import parse_measurements
from explorer.presentation.tables.measurement_columns import measurement_columns, measurement_rows
from explorer.ui.grid.tsv import tsv, with_inputs
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B

STUDY = study(own("up", "matmul"), on=(device(ident="h100"), device(ident="a100")))
ROWS = ["up"]


def one(text: str) -> Measurement:
    found, problems = parse_measurements(text, STUDY, ROWS)
    assert problems == ()
    (measurement,) = found
    return measurement


def why(text: str) -> str:
    found, problems = parse_measurements(text, STUDY, ROWS)
    assert found == ()
    return problems[0].code


def test_a_line_without_header_is_name_operator_device_time():
    found = one("run\tup\tH100\t5.79 ms")
    assert (found.name, found.row, found.device, found.time_s) == ("run", "up", "h100", 5.79e-3)


def test_an_empty_operator_is_a_whole_step_with_tokens_per_second():
    found = one("tg128\t\tA100\t\t115.5\tdecode\t1\t512\tllama-bench")
    assert found.row is None
    assert (found.tokens_per_s, found.phase, found.batch, found.context) == (115.5, "decode", 1, 512)
    assert found.source == "llama-bench"


def test_columns_are_known_by_their_headers_in_any_order():
    found = one("Tokens/s (tokens/s)\tOn\tPhase\tName\n42\ta100\ttg\tmine")
    assert (found.tokens_per_s, found.device, found.phase, found.name) == (42.0, "a100", "decode", "mine")


def test_our_own_copy_can_be_pasted_back():
    before = replace(
        STUDY,
        models=(LLAMA_8B,),
        active_model="8B",
        measurements=(
            Measurement(id="1", name="step", device="h100", tokens_per_s=100.0, batch=2, context=64, phase="decode"),
            Measurement(id="2", name="call", device="a100", row="up", time_s=1e-3, source="me"),
        ),
    )
    columns = measurement_columns()
    shown = [c for c in columns if c.shown]
    text = tsv(measurement_rows(before, {}), with_inputs(shown, columns))
    found, problems = parse_measurements(text, before, ROWS)
    assert problems == ()
    named = tuple(replace(m, id=str(i), model="") for i, m in enumerate(found, start=1))
    assert named == before.measurements


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("run\tup\tH100", "pasted.no_figure"),
        ("run\tup\tH100\t-1 ms", "pasted.no_figure"),
        ("run\tgone\tH100\t1 ms", "pasted.not_known"),
        ("run\tup\tnowhere\t1 ms", "pasted.not_known"),
        ("run\tup\tH100\t1,5 ms", "quantity.comma"),
        ("run\t\tH100\t1 ms\t\tnever", "pasted.not_known"),
        ("run\t\tH100\t1 ms\t\tdecode\t1.5", "study.range"),
        ("", "pasted.empty"),
    ],
)
def test_what_cannot_be_read_says_why(line, code):
    assert why(line) == code


def test_good_lines_are_kept_beside_bad_ones():
    found, problems = parse_measurements("a\tup\tH100\t1 ms\nb\tup\tnowhere\t1 ms\nc\tup\tH100\t2 ms", STUDY, ROWS)
    assert [m.name for m in found] == ["a", "c"]
    assert [p.path for p in problems] == ["line 2, device"]


def test_a_long_list_of_wrong_names_is_answered_as_fast_as_a_right_one():
    rows = [f"operator {i}" for i in range(20_000)]
    begun = time.process_time()
    found, problems = parse_measurements("run\tgone\tH100\t1 ms\n" * 10_000, STUDY, rows)
    assert time.process_time() - begun < 2
    assert (found, len(problems)) == ((), 10_000)
    assert str(problems[0].values["known"]).startswith("operator 0, operator 1, ")
    assert len(str(problems[0].values["known"])) == 200
