"""The first file of dev.py is read by whatever Python there is."""

import subprocess
import sys
from pathlib import Path


def test_a_python_that_is_too_old_is_told_so_in_one_line_before_anything_else_is_read(root: Path) -> None:
    program = (root / "packaging" / "dev.py").read_text(encoding="utf-8")
    old = "import sys; sys.version_info = (3, 8, 10, 'final', 0); exec(sys.stdin.read())"
    done = subprocess.run([sys.executable, "-c", old], input=program, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer; this is Python 3.8" in done.stderr


def test_the_first_file_can_be_read_by_old_pythons(root: Path) -> None:
    import ast

    ast.parse((root / "packaging" / "dev.py").read_text(encoding="utf-8"), feature_version=(3, 4))


def test_every_dependency_is_pinned(root: Path) -> None:
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {key(text) for text in project["dependencies"] + project["optional-dependencies"]["dev"]}
    lines = (root / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {key(line) for line in lines if "==" in line}
    assert wanted - pinned == set()


def key(requirement: str) -> str:
    import re

    name = re.match(r"[\w.-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name.group()).lower()
