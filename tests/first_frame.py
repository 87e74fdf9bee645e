"""The program in a Python of its own, from nothing to its first frame: for what it loads, and how long it takes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

# What is told of the frame is one expression, `told`, in which `started` are seconds on the wall and of the process.
STARTED = "import time\nstarted = time.perf_counter(), time.process_time()\n"
TELL = """
def tell():
    wall, cpu = time.perf_counter() - started[0], time.process_time() - started[1]
    import json, os, resource
    kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({told}), flush=True)
    os._exit(0)
"""
COST = '{"wall": wall, "cpu": cpu, "kib": kib}'
# All that the program does, up to the first thing that the frame does not need. Its `gc.disable()` is the last it does
# before it imports the window: the place to lie in wait inside the window's modules without importing any too early.
PROGRAM = """
import gc, sys
from types import SimpleNamespace
import explorer.__main__ as program
def done(roofline):
    layout = roofline.still.picture.layout if roofline.still is not None else None  # made when it is painted
    if layout is None or len(layout.figure.roofs) != 3:
        sys.exit("the program went on before its first frame was painted")
    tell()
def disable():
    gc.disable()
    import explorer.app
    explorer.app._after_first_frame = lambda window, _path: done(window.roofline)
    explorer.ui.views.roofline_tab.RooflineTab.go_live = done
program.gc = SimpleNamespace(disable=disable)
sys.argv = ["explorer"]
sys.exit(program.main())
"""


def program(told: str = COST) -> str:
    """The program up to its first frame, as code for `run`."""
    return STARTED + TELL.replace("{told}", told) + PROGRAM


def script(body: str) -> str:
    """Any other program up to the end of `body`."""
    return STARTED + TELL.replace("{told}", COST) + body + "\ntell()\n"


def run(code: str, root: Path, home: Path) -> Any:
    """What a child tells, with settings of its own."""
    keys = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    places = {f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = {**keys, **places, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, indent(done.stderr, "  ")
    return json.loads(done.stdout.splitlines()[-1])
