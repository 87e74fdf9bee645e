"""A phase is one file, one line of a table and its words: registered, it is known at every door."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.check import study_problems
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.files.study.study import read_study
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.slide.finding import finding
from tests.verify_phase import NEW, VERIFY, register_verify

ASKED = (
    "evaluate",
    "--model",
    "Llama-3.1-8B",
    "--hardware",
    "H100 SXM5",
    "--batch",
    "8",
    "--context",
    "4096",
    "--json",
)


@pytest.fixture
def verify(monkeypatch: pytest.MonkeyPatch) -> None:
    register_verify(monkeypatch)


@pytest.mark.usefixtures("verify")
def test_a_registered_phase_is_evaluated_on_the_command_line(run: Callable) -> None:
    found, decode = (json.loads(run(*ASKED, "--phase", phase).out) for phase in ("verify", "decode"))
    assert found["workload"]["phase"] == "verify"
    rows, others = ({r["name"]: r for r in f["hardware"][0]["operators"]} for f in (found, decode))
    assert list(rows) == list(others)
    assert rows["q_proj"]["flops"] == NEW * others["q_proj"]["flops"] == 2 * 8 * NEW * 4096 * 4096
    assert rows["attention"]["flops"] > 4.9 * others["attention"]["flops"]
    totals = found["hardware"][0]["totals"]
    assert totals["tokens_per_s"] == pytest.approx(8 * NEW / totals["floor_s"])
    assert found["hardware"][0]["decode"]["knee_batch"] > 0


@pytest.mark.usefixtures("verify")
def test_help_names_it_and_an_encoder_has_none(
    run: Callable, refused: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("evaluate", "--help")
    out = capsys.readouterr().out
    assert ",verify}" in out
    assert "train" not in out
    line = refused("evaluate", "--model", "BERT-base", "--hardware", "H100 SXM5", "--phase", "verify")
    assert "writes no text: it has no decode" in line


@pytest.mark.usefixtures("verify")
def test_a_study_in_it_is_read_written_and_spoken_of(tmp_path: Path) -> None:
    opened = opening_study()
    study = replace(opened, workload=replace(opened.workload, phase="verify"))
    assert study_problems(study) == ()
    evaluation = evaluate(study, load_catalogue())
    assert evaluation.phase is VERIFY
    assert "Llama-3.1-8B verify" in finding(evaluation)
    assert "checking takes at least" in plain_text(answer(evaluation))


def test_an_unregistered_one_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    path = tmp_path / "a.roofline.yaml"
    path.write_text("format: 2\nworkload: {phase: verify}\n", encoding="utf-8")
    with pytest.raises(Refused) as refused:
        read_study(path)
    (problem,) = refused.value.problems
    assert problem.path.endswith("workload.phase")
    assert (problem.code, problem.values) == ("field.choice", {"got": "verify", "allowed": "prefill, decode"})
