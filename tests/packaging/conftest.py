from pathlib import Path

import pytest

from devtools import environment


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder of its own, so that no test touches the real environment."""
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text('[project]\ndependencies=["a>=1"]\n[project.optional-dependencies]\ndev=["b"]\n')
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("a==1.0\nb==2.0\n")
    venv = tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()
    values = {
        "VENV": venv,
        "VENV_PYTHON": venv / "bin" / "python",
        "PYPROJECT": pyproject,
        "CONSTRAINTS": constraints,
        "STAMP": venv / "installed.txt",
        "UNFINISHED": venv / "unfinished.txt",
    }
    for name, value in values.items():
        monkeypatch.setattr(environment, name, value)
    return tmp_path
