"""Check the packed program: from an empty folder, with no Python of ours in reach, its figures must come out."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from devtools.words import SMOKE_TEST

QUICK = "params=13e9,layers=32,kv_heads=32,head_dim=128"
FIRST_BYTES = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<"}
LIMIT_S = 120
KEPT_VARIABLES = ("HOME", "LANG", "TMPDIR", "SYSTEMROOT", "TEMP", "APPDATA", "LOCALAPPDATA", "USERPROFILE")


class Failure(Exception):  # noqa: N818  (reported as one line, never a traceback)
    """A check of the packed program did not hold."""


class Program:
    """The packed program, called as a user would: by its path, from a folder that holds nothing else."""

    def __init__(self, executable: Path, folder: Path) -> None:
        self.executable = executable
        self.folder = folder

    def call(self, *arguments: str, code: int = 0, platform: str = "offscreen") -> str:
        """Return what it printed; any other exit code than `code` fails."""
        server = ["xvfb-run", "-a"] if platform == "xcb" else []
        done = subprocess.run(
            [*server, str(self.executable), *arguments],
            cwd=self.folder,
            env=bare_environment(platform),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            timeout=LIMIT_S,
            check=False,
        )
        if done.returncode != code:
            raise Failure(f"{' '.join(arguments)}: exit {done.returncode}, not {code}: {done.stderr.strip()[-2000:]}")
        return done.stdout if code == 0 else done.stderr

    def json(self, *arguments: str) -> Any:
        return json.loads(self.call(*arguments, "--json"))


def bare_environment(platform: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    path = os.defpath if os.name != "nt" else os.environ.get("PATH", "")
    return {**kept, "PATH": path, "QT_QPA_PLATFORM": platform}


def expect(condition: object, line: str) -> None:
    if not condition:
        raise Failure(line)


def check_itself(program: Program, platform: str = "offscreen") -> None:
    file = program.folder / "result.json"
    try:
        program.call("smoke-test", file.name, platform=platform)
    except Failure as failure:
        raise Failure(f"{failure} {file.read_text(encoding='utf-8') if file.exists() else ''}") from failure
    result = json.loads(file.read_text(encoding="utf-8"))
    expect(result["ok"] is True, f"smoke-test found faults: {result}")
    expect(result["checks"]["window"]["platform"] == platform, f"the window was not on {platform}: {result}")


def check_on_a_screen(program: Program) -> None:
    """Offscreen hides a missing window-system plugin; a virtual X server shows it."""
    check_itself(program, "xcb")


def check_hardware(program: Program) -> None:
    devices = program.json("hardware")
    expect(len(devices) >= 90, f"only {len(devices)} devices are packed")


def check_evaluate(program: Program) -> None:
    device = program.json("hardware")[0]["name"]
    result = program.json("evaluate", "--quick", QUICK, "--hardware", device, "--phase", "decode", "--batch", "8")
    totals = result["hardware"][0]["totals"]
    expect(totals["floor_s"] > 0 and totals["time_s"] >= totals["floor_s"], f"evaluate is off: {totals}")


def check_render(program: Program) -> None:
    for suffix, first in FIRST_BYTES.items():
        program.call("render", "-o", f"figure.{suffix}")
        content = (program.folder / f"figure.{suffix}").read_bytes()
        expect(content.startswith(first) and len(content) > 2000, f"render wrote no {suffix}")


def check_bad_input(program: Program) -> None:
    line = program.call("hardware", "no-such-device", code=2).strip()
    expect(line and "Traceback" not in line, f"bad input is not explained: {line!r}")


def checks() -> list[Callable[[Program], None]]:
    screen = [check_on_a_screen] if sys.platform.startswith("linux") and shutil.which("xvfb-run") else []
    return [check_itself, *screen, check_hardware, check_evaluate, check_render, check_bad_input]


def executable_in(dist: Path) -> Path:
    name = "roofline-explorer.exe" if os.name == "nt" else "roofline-explorer"
    return dist.resolve() / "roofline-explorer" / name


def main(arguments: Sequence[str]) -> int:
    """Check the program packed in a folder; return 1 when a check failed."""
    return check_all(SMOKE_TEST.parse_args(arguments).folder)


def check_all(dist: Path) -> int:
    """Run every check on the program packed in `dist`; return 1 when one failed."""
    failures = 0
    for check in checks():
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(Program(executable_in(dist), Path(folder)))
                verdict = "ok    "
            except (Failure, OSError, ValueError, LookupError, TypeError, subprocess.TimeoutExpired) as failure:
                verdict, failures = f"FAILED ({failure!r})", failures + 1
        print(f"{check.__name__.replace('_', ' ')}: {verdict} {time.perf_counter() - start:.1f} s", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
