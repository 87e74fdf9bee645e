"""What README and CONTRIBUTING name is there."""

import re
from pathlib import Path

import pytest

from devtools.commands import COMMANDS

PAPERS = ("README.md", ".github/CONTRIBUTING.md")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_file_and_folder_that_a_paper_names_is_there(root: Path, paper: str) -> None:
    text = re.sub(r"^```.*?^```", "", (root / paper).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    named = set(re.findall(r"`((?:explorer|tests|packaging|resources|hardware|\.ci|\.github)/[\w./-]*)`", text))
    assert named
    assert sorted(name for name in named if not (root / name).exists()) == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_link_of_a_paper_leads_somewhere(root: Path, paper: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (root / paper).read_text("utf-8"))
    assert links
    assert [link for link in links if not (root / paper).parent.joinpath(link).exists()] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_every_command_of_dev_that_a_paper_names_exists(root: Path, paper: str) -> None:
    named = set(re.findall(r"packaging/dev\.py ([a-z-]+)", (root / paper).read_text("utf-8")))
    assert named
    assert named <= set(COMMANDS)


def test_every_command_of_dev_is_told_of(root: Path) -> None:
    papers = "".join((root / paper).read_text("utf-8") for paper in PAPERS)
    assert [name for name in COMMANDS if f"dev.py {name}" not in papers] == []
