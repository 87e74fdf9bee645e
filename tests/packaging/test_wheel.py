"""What pip installs works by itself: elsewhere, without the checkout, without the network."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from devtools import wheel
from devtools.launcher import site_packages
from explorer import __version__
from tests.hostile import Hostile

pytestmark = pytest.mark.slow
SCRIPTS = "Scripts" if sys.platform == "win32" else "bin"
QUICK = "params=13e9,layers=32,kv_heads=32,head_dim=128"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel.build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, which sees this one's libraries and nothing of the checkout."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(place, symlinks=sys.platform != "win32")
    python = place / SCRIPTS / "python"
    line = [
        sys.executable,
        "-P",
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        made,
    ]
    # what `pip install .` left in the checkout is not to be taken for it, and dev.py leads there
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=own)
    assert done.returncode == 0, done.stderr
    (packages,) = site_packages(place)
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return place


def run(installed: Path, folder: Path, *words: str, program: str = "roofline-explorer", **more: str) -> str:
    """What the installed command prints in another folder."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(installed / SCRIPTS / program), *words],
        cwd=folder,
        env={**own, "QT_QPA_PLATFORM": "offscreen", **more},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_file_of_data_travels_but_the_readmes_pictures(made: Path, root: Path) -> None:
    data = "explorer/_data/"
    packed = {name.removeprefix(data) for name in zipfile.ZipFile(made).namelist() if name.startswith(data)}
    listed = subprocess.run(
        ["git", "ls-files", "-z", "hardware", "resources"], cwd=root, capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    tracked = {name for name in listed.stdout.decode().split("\0") if name}
    assert len(packed) > 90
    assert packed == {name for name in tracked if not name.startswith("resources/screenshots/")}


def test_what_an_earlier_build_left_in_the_folder_does_not_travel(tmp_path: Path, root: Path) -> None:
    source, stale = tmp_path / "source", "explorer/_data/hardware/gone.yaml"
    for name in wheel.SOURCES:
        wheel.copy(root / name, source / name)
    (source / "build/lib" / stale).parent.mkdir(parents=True)
    (source / "build/lib" / stale).touch()
    line = [sys.executable, "-P", "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*line, "-w", tmp_path, source], check=True)
    (made,) = tmp_path.glob("*.whl")
    assert stale not in zipfile.ZipFile(made).namelist()


def test_the_wheel_has_the_programs_version(made: Path) -> None:
    assert made.name.split("-")[:2] == ["roofline_explorer", __version__]


def test_every_module_travels_and_nothing_else(made: Path, root: Path) -> None:
    names = [name for name in zipfile.ZipFile(made).namelist() if not name.startswith("explorer/_data/")]
    modules = {path.relative_to(root).as_posix() for path in (root / "explorer").rglob("*.py")}
    types = {"explorer/py.typed", "explorer/__init__.pyi"}
    assert {name for name in names if "dist-info/" not in name} == modules | types


def test_the_installed_program_stands_alone(installed: Path, tmp_path: Path) -> None:
    told = (
        "import sys, explorer; from explorer.files.resources import resource_root as r; print(explorer.__file__, r())"
    )
    package, data = run(installed, tmp_path, "-c", told, program="python").split()
    assert installed in Path(package).parents
    assert installed in Path(data).parents


def test_the_installed_command_lists_devices_evaluates_and_draws(installed: Path, tmp_path: Path) -> None:
    assert len(json.loads(run(installed, tmp_path, "hardware", "--json"))) >= 90
    words = ["--quick", QUICK, "--hardware", "H100 SXM5", "--phase", "decode", "--json"]
    totals = json.loads(run(installed, tmp_path, "evaluate", *words))["hardware"][0]["totals"]
    assert totals["floor_s"] > 0
    for name, first in (("figure.png", b"\x89PNG"), ("figure.svg", b"<"), ("figure.pdf", b"%PDF")):
        run(installed, tmp_path, "render", "-o", name)
        assert (tmp_path / name).read_bytes().startswith(first)


def test_the_installed_program_finds_no_fault_in_itself(installed: Path, tmp_path: Path) -> None:
    run(installed, tmp_path, "smoke-test", "result.json")
    result = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert result["ok"], result


@pytest.mark.skipif(sys.platform == "win32", reason="the folder holds shell scripts")
def test_the_installed_command_runs_nothing_of_the_folder_one_works_in(installed: Path, tmp_path: Path) -> None:
    made = Hostile(tmp_path / "hostile")
    run(installed, made.folder, "evaluate", "s.roofline.yaml", "--hardware", "H100 SXM5")
    assert made.ran == []


@pytest.mark.parametrize("paths", [".", os.pathsep + "/none"])
def test_a_variable_that_names_the_folder_one_works_in_leads_the_installed_command_nowhere(
    installed: Path, tmp_path: Path, paths: str
) -> None:
    """An empty entry, as a forgotten variable leaves it, means the working folder."""
    for name in ("argparse", "json", "msgspec", "numpy", "yaml", "PySide6", "torch"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\n", encoding="utf-8")
    (tmp_path / "explorer").mkdir()
    run(installed, tmp_path, "evaluate", "--quick", QUICK, "--hardware", "H100 SXM5", PYTHONPATH=paths)
    assert not (tmp_path / "ran").exists()
