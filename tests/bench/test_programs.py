"""Nothing of the folder one works in is run, by whatever way another program is started."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.bench import programs, python_search
from explorer.bench.drive import drive
from explorer.bench.interpreter import Interpreter, command, sent
from explorer.bench.jobs import Job
from explorer.bench.programs import absolute_only, neutral_folder, output_of, own_environment, show_folder, whole_path
from explorer.bench.python_search import FoundPython, candidates, probe
from explorer.bench.runner import Runner
from explorer.presentation.words.messages import render, render_problem
from tests.hostile import BEFORE_US, Hostile

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs of shell lines")
VERSIONS = Path.home() / ".pyenv" / "versions"
PYTHONS = [
    sys.executable,
    *map(str, sorted(VERSIONS.glob("*/bin/python"))),
    *map(str, Path("/usr/bin").glob("python3")),
]
LLAMA = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
    "num_hidden_layers": 1, "num_attention_heads": 4, "vocab_size": 128,
}  # fmt: skip


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hostile:
    """The folder, where this very process works now."""
    made = Hostile(tmp_path / "hostile")
    monkeypatch.chdir(made.folder)
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    return made


@pytest.mark.parametrize("python", PYTHONS)
def test_the_probe_of_a_python_of_any_age_runs_nothing_of_the_folder(python, hostile):
    found = probe(FoundPython(python, "path"))
    assert hostile.ran == []
    assert found.python or "/3.6" in python or "/2.7" in python


@pytest.mark.parametrize("python", PYTHONS)
def test_a_worker_in_a_python_of_any_age_runs_nothing_of_the_folder(python, hostile):
    text = render_problem(drive(Interpreter(python), Job(command="hello")).problem)
    assert "has no torch" in text or "timing needs 3.9 or newer" in text
    assert hostile.ran == []


def test_the_handed_folder_with_a_module_is_not_run(shared, tmp_path, monkeypatch):
    folder = tmp_path / "handed"
    shutil.copytree(shared / "cases" / "hostile" / "hostile-cwd", folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    monkeypatch.chdir(folder)
    for python in PYTHONS:
        probe(FoundPython(python, "path"))
        drive(Interpreter(python), Job(command="hello"))
    assert sorted(p.name for p in folder.iterdir()) == ["json.py", "s.roofline.yaml"]


@pytest.mark.parametrize("text", ["probe", "worker"])
def test_a_python_that_knows_no_safe_path_is_kept_from_the_folder_by_the_first_words_it_is_told(text, hostile):
    """As a Python before 3.11 runs it, even where the folder were not a neutral one."""
    told = python_search._PROBE if text == "probe" else command(Interpreter("python"))[1][-1]
    job = sent(b'{"protocol": 1, "command": "hello"}')
    variables = {n: v for n, v in own_environment().items() if n != "PYTHONSAFEPATH"}
    line = [sys.executable, "-c", told]
    done = subprocess.run(line, input=job, env=variables, cwd=hostile.folder, capture_output=True, check=False)
    assert b"torch" in done.stdout, done.stderr
    assert hostile.ran == []


def test_no_python_is_a_candidate_by_a_relative_path(hostile, tmp_path):
    (tmp_path / "home" / ".conda").mkdir(parents=True)
    (tmp_path / "home" / ".conda" / "environments.txt").write_text(".\n\nbin\n", encoding="utf-8")
    found = candidates(home=tmp_path / "home")
    assert found
    assert all(Path(f.path).is_absolute() and hostile.folder not in Path(f.path).parents for f in found)
    assert candidates(home=Path()) == found


def test_a_program_is_never_looked_for_in_the_folder(hostile):
    assert Path(whole_path("sh")).is_absolute()
    with pytest.raises(OSError, match="nvidia-none"):
        whole_path("nvidia-none")
    (hostile.folder / "only-here").write_text("#!/bin/sh\n", encoding="utf-8")
    (hostile.folder / "only-here").chmod(0o755)
    with pytest.raises(FileNotFoundError):
        whole_path("only-here")


def test_a_path_that_the_user_names_is_taken_from_where_he_stands(hostile, monkeypatch):
    monkeypatch.setenv("HOME", "/home/of")
    assert whole_path("venv/bin/python") == str(hostile.folder / "venv/bin/python")
    assert whole_path("./python") == str(hostile.folder / "python")
    assert whole_path("~/venv/bin/python") == "/home/of/venv/bin/python"


def test_a_link_of_a_venv_stays_one(tmp_path):
    (tmp_path / "python").symlink_to(sys.executable)
    assert whole_path(str(tmp_path / "python")) == str(tmp_path / "python")


def test_a_search_path_keeps_what_means_the_same_everywhere():
    assert absolute_only(os.pathsep.join(["", "/a", ".", "b/c", "/d", ""])) == os.pathsep.join(["/a", "/d"])


def test_another_program_sees_neither_a_relative_path_nor_what_leads_a_python_elsewhere(hostile):
    seen = own_environment()
    assert not {"PYTHONPATH", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONUSERBASE", "PYTHONPLATLIBDIR"} & set(seen)
    assert seen["PATH"] == absolute_only(os.environ["PATH"])
    printed = output_of([sys.executable, "-c", "import os; print(os.getcwd(), os.environ['PATH'])"])
    assert printed.decode().split() == [neutral_folder(), seen["PATH"]]


def test_packages_that_the_user_installed_for_himself_are_still_found(tmp_path, monkeypatch):
    """Python's -I would leave them out, and torch may be among them."""
    base = Path(sys.base_prefix, "bin", "python3")
    site = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    (tmp_path / site / "torch").mkdir(parents=True)
    (tmp_path / site / "torch" / "__init__.py").touch()
    (tmp_path / site / "torch-9.8.dist-info").mkdir()
    (tmp_path / site / "torch-9.8.dist-info" / "METADATA").write_text("Name: torch\nVersion: 9.8\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path))
    assert probe(FoundPython(str(base), "path")).torch == "9.8"


def test_a_program_that_takes_too_long_is_ended_with_all_it_started(tmp_path):
    line = ["/bin/sh", "-c", "sleep 600 & sleep 600"]
    with pytest.raises(TimeoutError):
        output_of(line, 0.2)


def test_the_folder_of_own_hardware_is_shown_from_a_neutral_one(qapp, hostile):
    class Desktop(QObject):
        def __init__(self) -> None:
            super().__init__()
            self.told: list[tuple[str, str]] = []

        @Slot(QUrl)
        def show(self, url: QUrl) -> None:
            self.told.append((url.toLocalFile(), str(Path.cwd())))

    desktop = Desktop()
    QDesktopServices.setUrlHandler("file", desktop, "show")
    try:
        show_folder(Path("mine"))
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert desktop.told == [(str(hostile.folder / "mine"), neutral_folder())]
    assert Path.cwd() == hostile.folder


# --- each way in


def test_a_job_of_the_command_line_runs_nothing_of_the_folder(here, two_rows, hostile):
    summary = drive(here, two_rows)
    assert "has no torch" in render_problem(summary.problem)
    assert hostile.ran == []


def test_a_job_of_the_window_runs_nothing_of_the_folder(qapp, qtbot, here, two_rows, hostile):
    runner = Runner()
    with qtbot.waitSignal(runner.failed, timeout=20_000) as failed:
        runner.start(here, two_rows)
    assert "has no torch" in render(failed.args[0])
    assert hostile.ran == []
    runner.deleteLater()


@pytest.mark.parametrize("python", ["python3-none", "only-here"])
def test_a_python_that_lies_in_the_folder_alone_is_not_found_by_its_name(python, qapp, qtbot, two_rows, hostile):
    (hostile.folder / "only-here").symlink_to(hostile.folder / "python")
    assert "could not be started" in render_problem(drive(Interpreter(python), two_rows).problem)
    runner = Runner()
    with qtbot.waitSignal(runner.failed) as failed:
        runner.start(Interpreter(python), two_rows)
    assert "could not be started" in render(failed.args[0])
    assert hostile.ran == []
    runner.deleteLater()


@pytest.mark.torch
@pytest.mark.parametrize("job", ["measure", "ceilings", "trace a config", "trace a file"])
def test_no_job_runs_anything_of_the_folder_under_torch(job, torch_python, two_rows, hostile, tmp_path):
    (tmp_path / "net").mkdir()
    source = "import helper, torch\ndef model(): return helper.made(torch)\n"
    (tmp_path / "net" / "helper.py").write_text(
        "import json\ndef made(torch): return torch.nn.Linear(4, 4), torch.zeros(2, 4)\n", encoding="utf-8"
    )
    (tmp_path / "net" / "json.py").write_text(f"open({str(tmp_path / 'hostile/marks/beside')!r}, 'w')", "utf-8")
    jobs = {
        "measure": two_rows,
        "ceilings": Job(command="ceilings", formats=("none",)),
        "trace a config": Job(command="trace", config=LLAMA),
        "trace a file": Job(command="trace", source=source, path=str(tmp_path / "net" / "net.py"), callable="model"),
    }
    summary = drive(Interpreter(torch_python), jobs[job])
    assert hostile.ran == []
    if job != "trace a config":  # transformers may not be there
        assert summary.problem is None, render_problem(summary.problem)


WAYS = {
    "a job": ["measure", "s.roofline.yaml", "--python", sys.executable],
    "a job of a relative Python": ["measure", "s.roofline.yaml", "--python", "none/bin/python"],
    "a job without a Python named": ["measure", "s.roofline.yaml"],
    "ceilings": ["measure", "--ceilings", "--python", sys.executable],
    "an evaluation": ["evaluate", "s.roofline.yaml", "--hardware", "H100 SXM5"],
    "a figure": ["render", "s.roofline.yaml", "--hardware", "H100 SXM5", "-o", "figure.svg"],
    "an import": ["import", "s.roofline.yaml"],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("flags", [["-P"], []], ids=["as dev.py starts it", "as a module"])
def test_no_command_runs_anything_of_the_folder(way, flags, root, tmp_path):
    made = Hostile(tmp_path / "hostile", () if flags else BEFORE_US)
    variables = made.environment(PYTHONPATH=str(root), HOME=str(tmp_path), PYTHONPLATLIBDIR="lib")
    del variables["PYTHONUSERBASE"]
    line = [sys.executable, *flags, "-m", "explorer", *WAYS[way]]
    done = subprocess.run(line, cwd=made.folder, env=variables, capture_output=True, text=True, check=False)
    assert made.ran == []
    assert "Traceback" not in done.stderr
    assert done.returncode in {0, 2}


def test_the_window_works_in_a_neutral_folder(root, tmp_path):
    made = Hostile(tmp_path / "hostile", BEFORE_US)
    program = (
        "import sys, os, explorer.__main__ as m, explorer.app\n"
        "explorer.app.main = lambda study: print(os.getcwd(), study) or 0\n"
        "sys.exit(m.main())"
    )
    variables = {**os.environ, "PYTHONPATH": str(root)}
    line = [sys.executable, "-P", "-c", program, "s.roofline.yaml"]
    done = subprocess.run(line, cwd=made.folder, env=variables, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [neutral_folder(), str(made.folder / "s.roofline.yaml")]


def test_a_folder_that_is_gone_is_no_traceback(root, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"cd '{gone}' && rmdir '{gone}' && exec '{sys.executable}' -m explorer hardware none-such"
    variables = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(["/bin/sh", "-c", line], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No device is named" in done.stderr


def test_windows_programs_are_named_whole(monkeypatch, tmp_path):
    """CreateProcess would look for a bare name in the working folder first."""
    (tmp_path / "ssh.exe").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs.sys, "platform", "win32")
    assert whole_path("ssh") == str(tmp_path / "ssh.exe")
    monkeypatch.setenv("SYSTEMROOT", "/windows")
    assert neutral_folder() == str(Path("/windows/System32"))
