import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devtools import commands, environment, project, words
from tests.hostile import Hostile


@pytest.mark.parametrize("arguments", [[], ["mine.roofline.yaml"]])
def test_without_a_screen_the_window_is_refused_in_one_line_that_tells_how_to_render(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "has_screen", lambda _: False)
    assert commands.main(["run", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "python3 packaging/dev.py run render -o figure.png" in said


@pytest.mark.parametrize("arguments", [["render", "-o", "x.png"], ["evaluate", "--json"], ["--help"]])
def test_commands_that_open_no_window_need_no_screen(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[Any]] = []
    monkeypatch.setattr(commands, "has_screen", lambda _: False)
    monkeypatch.setattr(environment, "ensure", lambda _: None)
    monkeypatch.setattr(commands, "call", lambda command: started.append(command) or 7)
    assert commands.main(["run", *arguments]) == 7
    assert started[0][-len(arguments) :] == arguments


@pytest.mark.parametrize("word", ["instal", ""])
def test_an_unknown_command_prints_the_usage_and_exits_with_2(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main([word]) == 2
    assert "screenshots" in capsys.readouterr().err


def test_the_program_that_dev_starts_runs_nothing_of_the_folder_one_works_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    hostile = Hostile(tmp_path / "hostile")
    monkeypatch.chdir(hostile.folder)
    for name, value in hostile.environment(PYTHONPATH=".").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(environment, "ensure", lambda _level: None)
    monkeypatch.setattr(commands, "VENV_PYTHON", Path(sys.executable))
    assert commands.main(["run", "hardware", "none-such"]) == 2
    assert "No device is named" in capfd.readouterr().err
    assert commands.main(["run", "measure", "s.roofline.yaml", "--python", sys.executable]) == 2
    assert "has no torch" in capfd.readouterr().err
    assert hostile.ran == []


def test_every_python_that_dev_starts_elsewhere_than_in_the_checkout_is_kept_from_the_folder_one_works_in(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[list[str]] = []

    def record(line: list[Any], **more: Any) -> subprocess.CompletedProcess[str]:
        if more.get("cwd") != project.ROOT:
            lines.append(list(map(str, line)))
        return subprocess.CompletedProcess(line, 0, "", "")

    (checkout / ".venv" / "pyvenv.cfg").write_text(str(checkout / ".venv"), encoding="utf-8")
    monkeypatch.setattr(environment.subprocess, "run", record)
    monkeypatch.setattr(environment, "need_venv_module", lambda: None)
    monkeypatch.setattr(commands, "call", lambda line, _extra=None, cwd=None: record(line, cwd=cwd).returncode)
    monkeypatch.setattr(commands, "need_packer_tools", lambda: None)
    monkeypatch.setattr(environment, "ensure", lambda _level: None)
    assert environment.sound()
    environment.install("run")
    (checkout / ".venv" / "pyvenv.cfg").unlink()
    environment.make_venv()
    for command in commands.COMMANDS:
        assert commands.main([command]) in {0, 2}
    pythons = [line for line in lines if not line[1].endswith(".py")]  # a script's own folder is first on its path
    assert len(pythons) >= 4
    assert [line for line in pythons if line[1] != "-P"] == []


OWN_WORDS = sorted(name for name, command in commands.COMMANDS.items() if not command.passes_on)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would be started or installed, instead of doing it."""
    lines: list[list[str]] = []
    monkeypatch.setattr(environment, "ensure", lambda level: lines.append(["install", level]))
    monkeypatch.setattr(commands, "need_packer_tools", lambda: lines.append(["packer"]))
    monkeypatch.setattr(commands, "call", lambda line, *_, **__: lines.append(list(map(str, line))) or 0)
    return lines


@pytest.mark.parametrize("option", ["--help", "-h"])
@pytest.mark.parametrize("name", sorted(set(commands.COMMANDS) - {"run"}))
def test_every_command_answers_help_with_its_usage_and_does_nothing(
    name: str, option: str, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    for given in ([option], ["word", option]):
        with pytest.raises(SystemExit) as end:
            commands.main([name, *given])
        assert end.value.code == 0
    assert capsys.readouterr().out.count(f"usage: python3 packaging/dev.py {name}") == 2
    assert started == []


def test_help_of_run_is_the_programs(started: list[list[str]]) -> None:
    assert commands.main(["run", "--help"]) == 0
    assert started[-1][-3:] == ["-m", "explorer", "--help"]


@pytest.mark.parametrize("unknown", [["--hlep"], ["-x"], ["--read"], ["one", "two"], ["--seed=none"]])
@pytest.mark.parametrize("name", OWN_WORDS)
def test_words_that_a_command_does_not_know_are_refused_in_one_line_before_anything_is_done(
    name: str, unknown: list[str], started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        commands.main([name, *unknown])
    assert end.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"dev.py {name}: " in said.err
    assert started == []


@pytest.mark.parametrize("name", ["test", "bench"])
def test_words_after_test_and_bench_are_pytests(name: str, started: list[list[str]]) -> None:
    assert commands.main([name, "--unheard-of", "-k", "x"]) == 0
    assert started[-1][-3:] == ["--unheard-of", "-k", "x"]


def test_a_tool_gets_the_words_that_were_given(started: list[list[str]]) -> None:
    assert commands.main(["screenshots", "pictures", "--readme"]) == 0
    assert started[-1][-5:] == ["-P", "-m", "devtools.screenshots", "pictures", "--readme"]


def test_the_usage_names_every_command_and_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(f"\n  {name} " in said for name in commands.COMMANDS)
    assert "screenshots [--readme] [--contact] [FOLDER]  " in said


@pytest.mark.parametrize("name", ["smoke_test", "screenshots", "wheel"])
def test_a_tool_that_is_started_by_itself_explains_itself_too(root: Path, tmp_path: Path, name: str) -> None:
    """As it would draw pictures into a folder of that name."""
    paths = {"PYTHONPATH": os.pathsep.join([str(root), str(root / "packaging")])}
    for word, code in (("--help", 0), ("--hlep", 2)):
        done = subprocess.run(
            [sys.executable, "-P", "-m", f"devtools.{name}", word],
            cwd=tmp_path,
            env=os.environ | paths,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == code, done.stderr
        assert done.stdout.startswith("usage: " if code == 0 else "")
        assert done.stderr.count("\n") == (code == 2)
    assert list(tmp_path.iterdir()) == []


def test_the_words_of_mutate_are_those_of_its_tool() -> None:
    tool = pytest.importorskip("devtools.mutate.__main__")
    asked = vars(tool.parser().parse_args([]))
    known = vars(words.MUTATE.parse_args([]))
    assert known == {name: asked.get(name, "missing") for name in known}
    hidden = {a.dest for a in tool.parser()._actions if a.help == argparse.SUPPRESS}
    assert set(asked) - hidden == set(known)
