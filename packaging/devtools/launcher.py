"""The command `roofline-explorer` of the virtual environment: it starts the program of this checkout."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

NAME = "roofline-explorer"


def put(venv: Path, root: Path, system: str = os.name) -> None:
    """Leave the command in the environment, and the package where its Python finds it; both as they should be now."""
    for path, text in files(venv, root, system):
        content = text.encode("utf-8", "surrogateescape")
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            path.chmod(0o755)


def files(venv: Path, root: Path, system: str) -> Iterator[tuple[Path, str]]:
    # -I: neither the folder one works in nor a variable leads the Python to other modules
    if system == "nt":
        yield venv / "Scripts" / f"{NAME}.cmd", f'@"{venv / "Scripts" / "python.exe"}" -I -m explorer %*\r\n'
    else:
        python = shlex.quote(str(venv / "bin" / "python"))
        yield venv / "bin" / NAME, f'#!/bin/sh\nexec {python} -I -m explorer "$@"\n'
    # a line of code, and ASCII: a bare path would be read in whatever encoding the locale has
    for packages in site_packages(venv):
        yield packages / f"{NAME}.pth", f"import sys; sys.path.append({str(root)!a})\n"


def site_packages(venv: Path) -> list[Path]:
    return [*venv.glob("lib/python3.*/site-packages"), *venv.glob("Lib/site-packages")]
