import subprocess
from pathlib import Path

import pytest

from devtools import environment, project


def test_settings_that_lead_into_another_installation_do_not_reach_the_program() -> None:
    given = {"PYTHONPATH": "/other", "VIRTUAL_ENV": "/other", "PYTHONHOME": "/x", "PIP_TARGET": "/x", "LANG": "C"}
    own = project.own_environment(given)
    assert own == {"PYTHONPATH": str(project.ROOT), "PIP_USER": "0", "LANG": "C"}


def test_running_needs_only_what_the_program_imports_and_developing_needs_all(checkout: Path) -> None:
    assert environment.requirements("run") == ["a>=1"]
    assert environment.requirements("develop") == ["a>=1", "b"]


def test_the_stamp_changes_with_pins_and_dependencies_but_not_with_other_settings(checkout: Path) -> None:
    first = environment.stamp("run")
    pyproject = environment.PYPROJECT
    pyproject.write_text(pyproject.read_text() + "[tool.ruff]\nline-length=100\n")
    assert environment.stamp("run") == first
    pyproject.write_text(pyproject.read_text().replace("a>=1", "a>=2"))
    second = environment.stamp("run")
    environment.CONSTRAINTS.write_text("a==2.0\n")
    assert len({first, second, environment.stamp("run"), environment.stamp("develop")}) == 4


def test_a_stamped_environment_is_left_as_it_is(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment.STAMP.write_text(environment.stamp("run"))
    monkeypatch.setattr(environment, "install", lambda _: pytest.fail("installed again"))
    monkeypatch.setattr(environment, "need_qt_libraries", lambda _: None)
    environment.ensure("run")


def test_an_environment_that_can_run_is_completed_for_developing(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels: list[str] = []
    environment.STAMP.write_text(environment.stamp("run"))
    monkeypatch.setattr(environment, "sound", lambda: True)
    monkeypatch.setattr(environment, "install", levels.append)
    monkeypatch.setattr(environment, "need_qt_libraries", lambda _: None)
    environment.ensure("develop")
    environment.ensure("develop")
    environment.ensure("run")
    assert levels == ["develop"]


def test_an_interrupted_environment_is_made_anew(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remains = environment.VENV / "half-unpacked-package"
    remains.touch()
    environment.STAMP.write_text(environment.stamp("run"))
    environment.UNFINISHED.touch()
    monkeypatch.setattr(environment, "sound", lambda: True)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "", ""))
    monkeypatch.setattr(environment, "need_qt_libraries", lambda _: None)
    environment.ensure("run")
    assert not remains.exists()
    assert not environment.UNFINISHED.exists()
    assert environment.installed() == set(), "the stand-in made no Python, so nothing counts as installed"


def test_a_failed_installation_leaves_the_mark_that_makes_the_next_start_begin_anew(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "sound", lambda: True)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1, "", ""))
    with pytest.raises(project.Stop):
        environment.ensure("run")
    assert environment.UNFINISHED.exists()
