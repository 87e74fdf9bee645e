"""The program's check of itself, for a build: data, figures, drawings and window are all there."""

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer import __version__
from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.atomic import write_atomically
from explorer.files.study.examples import example_studies, opening_study
from explorer.files.study.study import read_study
from explorer.presentation.answer.answer import answer, plain_text
from explorer.report.figure_export import export_figure

_ENDINGS = (".png", ".svg", ".pdf")


def smoke_test(out: Path) -> int:
    """Run every check, write the result as JSON; return 0 when all hold, else 1. Raise Refused when not writable."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    result: dict[str, Any] = {"ok": True, "version": __version__, "checks": {}}
    for check in (_window, _catalogue, _examples, _figures, _worker):  # the window first: there is one application
        result["checks"][check.__name__.strip("_")] = found = _guarded(check)
        result["ok"] = result["ok"] and "error" not in found
    write_atomically(out, json.dumps(result, indent=2) + "\n")
    return 0 if result["ok"] else 1


def _guarded(check: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    start = time.perf_counter()
    try:
        found = check()
    except Exception as error:  # noqa: BLE001 - a check reports whatever goes wrong
        found = {"error": f"{type(error).__name__}: {error}"}
    return {**found, "seconds": round(time.perf_counter() - start, 3)}


def _catalogue() -> dict[str, Any]:
    catalogue = load_catalogue()
    if not (catalogue.devices and catalogue.kinds and catalogue.formats):
        raise ValueError("the catalogue has gaps")
    return {"devices": len(catalogue.devices), "kinds": len(catalogue.kinds), "formats": len(catalogue.formats)}


def _examples() -> dict[str, Any]:
    catalogue = load_catalogue(devices=False)
    faults = [e.id for e in example_studies() if evaluate(read_study(e.path), catalogue).problems]
    if faults:
        raise ValueError(f"faults in {', '.join(faults)}")
    evaluation = evaluate(opening_study(), catalogue)
    return {"examples": len(example_studies()), "answer": plain_text(answer(evaluation))}


def _figures() -> dict[str, Any]:
    evaluation = evaluate(opening_study(), load_catalogue(devices=False))
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        for ending in _ENDINGS:
            path = Path(folder) / f"figure{ending}"
            export_figure(evaluation, path)
            sizes[ending] = path.stat().st_size
    if min(sizes.values()) < 2000:
        raise ValueError(f"a figure is empty: {sizes}")
    return {"bytes": sizes}


def _worker() -> dict[str, Any]:
    from explorer.bench.interpreter import worker_text

    compile(worker_text(), "worker.py", "exec")
    return {"bytes": len(worker_text())}


def _window() -> dict[str, Any]:
    import pyqtgraph
    from PySide6.QtCore import qVersion

    from explorer.app import make_application

    application = make_application()
    return {"qt": qVersion(), "pyqtgraph": pyqtgraph.__version__, "platform": application.platformName()}
