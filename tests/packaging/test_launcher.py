import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from devtools import environment, launcher
from tests.hostile import Hostile

windows = sys.platform == "win32"


@pytest.fixture
def own_venv(tmp_path: Path) -> Path:
    """An environment that sees this one's libraries, in a folder whose name a shell would take apart."""
    made = tmp_path / "it's a café" / ".venv"
    venv.create(made, symlinks=not windows)
    (packages,) = launcher.site_packages(made)
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return made


def command(made: Path) -> str:
    return str(made / ("Scripts/roofline-explorer.cmd" if windows else "bin/roofline-explorer"))


def test_the_command_starts_the_program_of_the_checkout_from_any_folder(
    own_venv: Path, root: Path, tmp_path: Path
) -> None:
    launcher.put(own_venv, root)
    line = [command(own_venv), "evaluate", "--quick", "params=13e9,layers=32,kv_heads=32,head_dim=128"]
    done = subprocess.run(
        [*line, "--hardware", "H100 SXM5"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Waiting for memory" in done.stdout


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_a_checkout_of_any_name_is_found_in_any_locale(
    own_venv: Path, root: Path, tmp_path: Path, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "屋顶线 'x' \"y\""
    checkout.symlink_to(root)
    launcher.put(own_venv, checkout)
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.delenv("PYTHONPATH", raising=False)  # dev.py leads there too
    python = own_venv / ("Scripts/python.exe" if windows else "bin/python")
    told = "import explorer; print(ascii(explorer.__file__))"
    done = subprocess.run([python, "-c", told], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == ascii(str(checkout / "explorer" / "__init__.py")), done.stderr


@pytest.mark.skipif(windows, reason="the folder holds shell scripts")
def test_the_command_runs_nothing_of_the_folder_one_works_in(own_venv: Path, root: Path, tmp_path: Path) -> None:
    launcher.put(own_venv, root)
    hostile = Hostile(tmp_path / "hostile")
    done = subprocess.run(
        [command(own_venv), "hardware", "none-such"],
        cwd=hostile.folder,
        env=hostile.environment(PYTHONPATH="."),
        capture_output=True,
        text=True,
        check=False,
    )
    assert hostile.ran == []
    assert done.returncode == 2
    assert "No device is named" in done.stderr


def test_files_that_are_as_they_should_be_are_not_written_again(own_venv: Path, root: Path) -> None:
    launcher.put(own_venv, root)
    paths = [path for path, _ in launcher.files(own_venv, root, "nt" if windows else "posix")]
    before = [path.stat().st_mtime_ns for path in paths]
    launcher.put(own_venv, root)
    assert len(paths) == 2
    assert [path.stat().st_mtime_ns for path in paths] == before


def test_on_windows_the_command_is_a_batch_file(tmp_path: Path) -> None:
    (tmp_path / "Scripts").mkdir()
    (tmp_path / "Lib" / "site-packages").mkdir(parents=True)
    launcher.put(tmp_path, Path("C:/work"), "nt")
    assert (tmp_path / "Scripts" / "roofline-explorer.cmd").read_bytes().endswith(b'python.exe" -I -m explorer %*\r\n')


def test_every_command_of_dev_leaves_it_in_an_environment_made_before(
    checkout: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.STAMP.write_text(environment.stamp("run"))
    monkeypatch.setattr(environment, "need_qt_libraries", lambda _: None)
    environment.ensure("run")
    assert launcher.NAME in {path.stem for path in (checkout / ".venv" / ("Scripts" if windows else "bin")).iterdir()}


def test_an_environment_that_may_not_be_written_to_is_used_all_the_same(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    environment.STAMP.write_text(environment.stamp("run"))
    monkeypatch.setattr(environment, "need_qt_libraries", lambda _: None)
    monkeypatch.setattr(launcher, "put", refuse)
    environment.ensure("run")
