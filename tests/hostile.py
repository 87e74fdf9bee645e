"""A folder as a stranger may have filled it: whatever a Python or a system might run out of it leaves a mark."""

import os
import sys
from collections.abc import Collection
from pathlib import Path

STUDY = "format: 1\noperators:\n- {id: a, name: mine, kind: copy, dims: {values: 1000}}\n"
LIBRARIES = ("torch", "numpy", "transformers", "msgspec", "yaml", "PySide6", "pyqtgraph", "timm", "kernels")
STARTERS = ("sitecustomize", "usercustomize", "__main__", "worker", "traced", "setup", "venv", "pip")
PROGRAMS = ("python", "python3", f"python3.{sys.version_info.minor}", "ssh", "uname", "xdg-open", "lscpu", "nvidia-smi")
# What `python -m` itself loads, with its working folder on the path, before the first line of the program.
BEFORE_US = frozenset(
    ["importlib", "contextlib", "warnings", "collections", "keyword", "operator", "reprlib", "functools", "types"]
)


class Hostile:
    """The folder, and which of its files were run."""

    def __init__(self, folder: Path, spared: Collection[str] = ()) -> None:
        self.folder, self._marks = folder / "downloads", folder / "marks"
        self.folder.mkdir(parents=True)
        self._marks.mkdir()
        for name in {*sys.stdlib_module_names, *LIBRARIES, *STARTERS} - set(spared):
            (self.folder / f"{name}.py").write_text(self._marking(name), encoding="utf-8")
        for name in ("encodings", "numpy", "json"):
            (self.folder / name).mkdir()
            (self.folder / name / "__init__.py").write_text(self._marking(f"{name} folder"), encoding="utf-8")
        (self.folder / "a.pth").write_text(f"import sys; {self._marking('pth')}", encoding="utf-8")
        (self.folder / "pyvenv.cfg").write_text(f"home = {self.folder}\n", encoding="utf-8")
        (self.folder / "s.roofline.yaml").write_text(STUDY, encoding="utf-8")
        self._programs(self.folder)
        self._programs(self.folder / "bin")

    def _marking(self, name: str) -> str:
        return f"open({str(self._marks / name)!r}, 'w').close()\n"

    def _programs(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name in PROGRAMS:
            path = folder / name
            path.write_text(f"#!/bin/sh\n: > '{self._marks}/program {name}'\n", encoding="utf-8")
            path.chmod(0o755)

    @property
    def ran(self) -> list[str]:
        """Names of what was run, which must be none."""
        return sorted(p.name for p in self._marks.iterdir())

    def environment(self, **more: str) -> dict[str, str]:
        """Variables that lead into whatever folder one works in."""
        path = os.pathsep.join([".", "", "bin", os.environ["PATH"], ""])
        leading = {"VIRTUAL_ENV": ".", "CONDA_PREFIX": ".", "PYENV_ROOT": ".", "PYTHONUSERBASE": ".", "PATH": path}
        python = {"PYTHONSTARTUP": "json.py", "PYTHONINSPECT": "", "PYTHONPLATLIBDIR": "."}
        return {**os.environ, **leading, **python, **more}
