"""The command `measure`: a study's operators, or the machine's ceilings, timed with another Python's torch."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from explorer.analysis.problem import Problem, Refused, Value
from explorer.bench.ceilings import measured_device
from explorer.bench.drive import drive
from explorer.bench.gathering import Summary
from explorer.bench.interpreter import Interpreter
from explorer.bench.jobs import Job, RowResult, measure_job, sweep_job
from explorer.bench.protocol import Progress, Said
from explorer.bench.python_search import candidates, with_torch
from explorer.files.hardware.devices import write_device
from explorer.files.typed.cells import read_number
from explorer.presentation.answer.json_result import figure
from explorer.presentation.measured.imported import imported_json
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.visible import one_line
from explorer.report.import_text import imported_text
from explorer.report.terminal import json_text, written

if TYPE_CHECKING:
    from explorer.analysis.step.evaluate import Evaluation


def add_options(parser: argparse.ArgumentParser) -> None:
    """What measure takes beside the work."""
    add = parser.add_argument
    add("--python", metavar="EXE", help="a Python with torch; without it the first that is found")
    add("--host", default="", metavar="HOST", help="run that Python on another machine, over ssh")
    add("--device", default="cpu", metavar="D", help="cpu, cuda, cuda:1, mps, xpu")
    add("--threads", type=int, metavar="N")
    add("--rows", nargs="+", default=[], metavar="NAME", help="only these operators")
    add("--sweep", metavar="NAME.DIM=V1,V2,...", help="one operator at several values of one dimension")
    add("--seconds", type=float, default=0.5, metavar="S", help="runs of each operator, at least")
    add("--ceilings", action="store_true", help="bandwidth and matmul peaks of the machine instead of operators")
    add("-o", "--output", type=Path, metavar="FILE.yaml", help="ceilings as a hardware file")
    add("--json", action="store_true")


def measured_text(asked: argparse.Namespace, evaluation: "Evaluation | None") -> str:
    """Run the job that the flags describe and return what it brought; raise Refused when it brought nothing.

    A job that ends early prints what was measured, and then raises.
    """
    job = _job(asked, evaluation)
    summary = drive(_interpreter(asked), job, _progress if sys.stderr is not None and sys.stderr.isatty() else None)
    if summary.problem is not None and not (summary.results or summary.ceilings):
        raise Refused(summary.problem)
    _save(asked, summary)
    text = json_text(summary_json(summary), sys.stdout) if asked.json else _text(summary)
    if summary.problem is not None:
        sys.stdout.write(written(text, sys.stdout))
        raise Refused(summary.problem)
    return text


def _job(asked: argparse.Namespace, evaluation: "Evaluation | None") -> Job:
    settings: dict[str, Any] = {"device": asked.device, "threads": asked.threads}
    settings |= {"least_s": min(60.0, max(0.01, asked.seconds)), "most_s": min(300.0, max(0.05, 6 * asked.seconds))}
    if evaluation is None:
        return Job(command="ceilings", **settings)
    if not asked.sweep:
        return measure_job(evaluation, asked.rows, **settings)
    place, _, values = asked.sweep.partition("=")
    name, _, dim = place.rpartition(".")
    try:
        numbers = [read_number(v) for v in values.split(",")]
    except Refused:
        raise Refused(Problem("measure.sweep", values={"text": asked.sweep[:80]})) from None
    return sweep_job(evaluation, name, dim, numbers, **settings)


def _interpreter(asked: argparse.Namespace) -> Interpreter:
    if asked.python:
        return Interpreter(asked.python, asked.host)
    if asked.host:
        return Interpreter("python3", asked.host)
    found = next(with_torch(candidates()), None)
    if found is None:
        raise Refused(Problem("measure.no_python_found"))
    return Interpreter(found.path)


def _progress(said: Said) -> None:
    if isinstance(said, Progress):
        values: dict[str, Value] = {
            "done": said.done,
            "total": said.total,
            "remaining": f"{said.remaining_s:.0f}",
            "name": said.name or "",
        }
        told = one_line(render(Message("measure.step", values))) if said.name else ""
        print(f"\r\x1b[K{written(told, sys.stderr)}", end="", file=sys.stderr)


def _save(asked: argparse.Namespace, summary: Summary) -> None:
    if asked.output is None or summary.hello is None:
        return
    threads = summary.done.threads if summary.done and summary.done.threads else summary.hello.threads
    day = time.strftime("%Y-%m-%d")
    device = measured_device(summary.ceilings, summary.hello, summary.job.device, day, threads)
    if device is not None:
        write_device(device, asked.output)


# --- what is printed


def summary_json(summary: Summary) -> dict[str, Any]:
    """The keys of `import --json`, with each point's operator, and what measured it."""
    found = imported_json(summary.imported)
    found["points"] = [p | _operator(r) for p, r in zip(found["points"], summary.results, strict=True)]
    done = summary.done
    return found | {"machine": _machine_json(summary), "seconds": msgspec.to_builtins(done) if done else None}


def _operator(result: RowResult) -> dict[str, Any]:
    row, said = result.row, result.said
    return {
        "row": row.name,
        "kind": row.kind,
        "dims": {n: figure(v) for n, v in row.dims.items()},
        "formats": msgspec.to_builtins(row.formats),
        "runs": said.runs,
        "best_s": said.min_s,
        "resident": said.resident or "memory",
        "call": said.call,
    }


def _machine_json(summary: Summary) -> dict[str, Any]:
    hello, done = summary.hello, summary.done
    if hello is None:
        return {}
    found = {n: getattr(hello, n) for n in ("host", "system", "torch", "python", "busy")}
    return {**found, "device": summary.job.device, "threads": done.threads if done else hello.threads}


def _text(summary: Summary) -> str:
    hello = summary.hello
    if hello is None:
        return imported_text(summary.imported)
    values: dict[str, Value] = {"device": summary.imported.device, "host": hello.host, "torch": hello.torch}
    head = render(Message("measure.machine", {**values, "python": hello.python, "threads": hello.threads}))
    return f"{head}\n\n{imported_text(summary.imported)}"
