"""Studies of older formats open as they were; those of newer ones are refused in one sentence."""

from pathlib import Path

import pytest
import yaml

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.problem import Refused
from explorer.analysis.study.study import FORMAT
from explorer.files.study.examples import example_studies
from explorer.files.study.study import read_study, study_from_text, study_to_text
from explorer.presentation.words.messages import render_problem

EXAMPLES = [e.path for e in example_studies()]


def as_format_1(path: Path) -> str:
    """An example as the program wrote it before there were variants."""
    text = path.read_text("utf-8")
    assert text.startswith("format: 2\n")
    return text.replace("format: 2\n", "format: 1\n", 1)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_an_example_of_format_1_opens_as_the_same_study(path: Path) -> None:
    found = study_from_text(as_format_1(path))
    assert found == read_study(path)
    assert found.format == FORMAT == 2
    assert (found.what_ifs, found.plan, found.workload.groups) == ((), (), ())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_what_is_written_says_the_new_format(path: Path) -> None:
    written = study_to_text(study_from_text(as_format_1(path)))
    assert yaml.safe_load(written)["format"] == 2
    assert study_from_text(written) == read_study(path)


def test_a_newer_format_is_refused_in_one_sentence_whatever_it_holds() -> None:
    with pytest.raises(Refused) as caught:
        study_from_text("format: 3\nwhat_ifs: {odd: true}\nnew: 1\n", "s.yaml")
    (problem,) = caught.value.problems
    assert render_problem(problem) == (
        "s.yaml: format: This study has format 3, this program reads up to format 2; update the program."
    )
