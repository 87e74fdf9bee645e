"""The command line: flags to a study, the study evaluated as in the window, the result printed. Reads no settings."""

import argparse
import difflib
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer import __version__
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.edit_models import with_file_size
from explorer.analysis.study.study import Study, Workload
from explorer.cli.comparison import add_comparison, is_compared
from explorer.cli.parser import PROGRAM, Parser
from explorer.cli.work import (
    MODEL,
    WEIGHTS,
    add_work,
    check,
    evaluated,
    evaluation_of,
    in_phase,
    size,
    study_of_flags,
    workload_of,
)
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.places import may_exist
from explorer.files.disk.text import printable
from explorer.files.study.examples import opening_study
from explorer.presentation.words.messages import Message, of_problem, render, render_problem
from explorer.report.terminal import json_text, written

_FLAGS: Final = {
    r"workload\.attention_count": "--count-attention",
    r"hardware\[0\]\.count": "--devices",
    r"(models\[\d+\]\.)?file_bytes": "--file-bytes",
    r"workload\.reserve": "--reserve",
    "baseline": "--baseline",
    "vary": "--vary",
    r"models\[\d+\]\.quick\..*": "--quick",
    **{
        rf"workload\.{n}": f"--{n}"
        for n in ("phase", "batch", "context", "weights", "activations", "kv", "launch", "skew")
    },
}
_TOLD: Final = 3
_ALL: Final = 50  # of a hardware file each fault is named
Window = Callable[[Path | None], int]
SmokeTest = Callable[[Path], int]


def main(arguments: Sequence[str], window: Window, smoke_test: SmokeTest) -> int:
    """Run one command; the exit code is 0, or 2 after one line on standard error."""
    arguments = list(arguments)
    try:
        return _run(arguments, window, smoke_test)
    except Refused as refused:
        most = _ALL if arguments[:1] == ["hardware"] else _TOLD
        if sys.stderr is not None:  # None where the caller closed it; print would then use standard output
            print(written(f"{PROGRAM}: {_line(refused, most)}", sys.stderr), file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader had enough
        _silence()
        return 0


def _run(arguments: list[str], window: Window, smoke_test: SmokeTest) -> int:
    if arguments and arguments[0] in COMMANDS:
        text = COMMANDS[arguments[0]](arguments[1:])
        return _print(text)
    if arguments and arguments[0] == "smoke-test":
        return smoke_test(_smoke_arguments(arguments[1:]))
    return window(_window_arguments(arguments))


def _line(refused: Refused, most: int) -> str:
    """The faults in one line: the first few, and how many more there are."""
    told = [" ".join(_named(p).split()) for p in refused.problems[:most]]
    text, more = " ".join(told), len(refused.problems) - most
    if more <= 0:
        return text
    return render(Message("cli.more_one" if more == 1 else "cli.more", {"text": text, "count": more}))


def _named(problem: Problem) -> str:
    """The sentence of a fault; one that a flag brought in is led by the flag."""
    for pattern, flag in _FLAGS.items():
        if re.fullmatch(pattern, problem.path):
            return render_problem(Problem(problem.code, flag, problem.values))
    return render_problem(problem)


def _print(text: str) -> int:
    if sys.stdout is None and text:  # closed by the caller
        raise _unwritten("closed")
    try:
        sys.stdout.write(written(text, sys.stdout))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _silence()
        raise _unwritten(error.strerror or type(error).__name__) from None
    return 0


def _unwritten(reason: str) -> Refused:
    return Refused(Problem("file.write", values={"file": "standard output", "reason": reason}))


def _silence() -> None:
    """Let nothing more reach a standard output that is gone, not even at exit."""
    with open(os.devnull, "w", encoding="utf-8") as nothing:  # noqa: PTH123 - a device, not a path
        os.dup2(nothing.fileno(), sys.stdout.fileno())


# --- the window and the self-check


def _window_arguments(arguments: list[str]) -> Path | None:
    parser = Parser("", description="Is this work waiting for compute, for memory, or for kernel launches?")
    parser.add_argument("study", nargs="?", type=Path, metavar="STUDY", help="a study to open in the window")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    if len(arguments) > 1 and not arguments[0].startswith("-") and not os.path.lexists(arguments[0]):
        raise _no_such(arguments[0])
    parser.epilog = f"Commands: {', '.join((*COMMANDS, 'smoke-test'))}; each explains itself with --help."
    path: Path | None = parser.parsed(arguments).study
    if path is not None and not may_exist(path):
        raise _no_such(str(path))
    return path


def _no_such(text: str) -> Refused:
    if Path(text).suffix:
        reason = "no such file"
        return Refused(Problem("file.read", values={"file": printable(text), "reason": reason}))
    near = difflib.get_close_matches(text, COMMANDS, n=1)
    if near:
        return Refused(Problem("cli.command_near", values={"text": printable(text), "near": near[0]}))
    return Refused(Problem("cli.command", values={"text": printable(text), "known": ", ".join(COMMANDS)}))


def _smoke_arguments(arguments: list[str]) -> Path:
    parser = Parser("smoke-test", description="Check that this build works; the result is a JSON file.")
    parser.add_argument("out", type=Path, metavar="OUT.json")
    found: Path = parser.parsed(arguments).out
    return found


# --- evaluate, model, hardware, render


def _evaluate(arguments: list[str]) -> str:
    parser = Parser("evaluate", description="Evaluate a study, or a model on devices.")
    add_work(parser)
    add_comparison(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_const", dest="output", const="json")
    output.add_argument("--csv", action="store_const", dest="output", const="csv")
    output.add_argument("--markdown", action="store_const", dest="output", const="md")
    asked = parser.parsed(arguments)
    catalogue = load_catalogue()
    study = _seen(asked, study_of_flags(asked, catalogue))
    evaluation = in_phase(asked, evaluated(study, catalogue))
    compared = is_compared(asked)
    if asked.output == "json":
        from explorer.presentation.answer.json_result import evaluation_json

        if not compared:
            return _json(evaluation_json(evaluation))
        from explorer.presentation.compare.plain import comparison_data

        return _json({**evaluation_json(evaluation, compared=True), "comparison": comparison_data(evaluation)})
    if asked.output:
        from explorer.report.tables import table_text

        return table_text(evaluation, asked.output, compared=compared)
    from explorer.report.console import evaluation_text

    return evaluation_text(evaluation, compared=compared)


def _seen(asked: argparse.Namespace, study: Study) -> Study:
    """The study as seen with the baseline and with what varies, where flags say so; raise Refused."""
    if not is_compared(asked):
        return study
    from explorer.files.typed.comparison import compared_study

    return compared_study(study, asked.baseline, asked.vary)


def _model(arguments: list[str]) -> str:
    parser = Parser("model", description="What a model holds: parameters, bytes, layers.")
    parser.add_argument("model", metavar="NAME|FILE", help=f"{MODEL}, or part of a preset's name")
    parser.add_argument("--weights", metavar="FORMAT", help=WEIGHTS)
    parser.add_argument("--kv", metavar="FORMAT")
    parser.add_argument("--file-bytes", type=size, metavar="N", help="size of its file of weights: 63.37GB, 58.9GiB")
    parser.add_argument("--context", type=int, metavar="N")
    parser.add_argument("--json", action="store_true")
    asked = parser.parsed(arguments)
    from explorer.files.typed.arguments import named_model

    catalogue = load_catalogue(devices=False, presets=True)
    entry = named_model(asked.model, Study(), catalogue)
    if asked.file_bytes is not None:
        entry = with_file_size(entry, asked.file_bytes)
    study = Study(models=(entry,), active_model=entry.id, workload=workload_of(asked, Workload(), catalogue))
    check(study, catalogue)
    evaluation = evaluation_of(study, catalogue)
    model = evaluation.model
    if model is None:
        raise Refused(*evaluation.problems)
    from explorer.presentation.answer.json_result import model_json
    from explorer.report.console import model_text

    return _json(model_json(model, evaluation)) if asked.json else model_text(model, evaluation)


def _hardware(arguments: list[str]) -> str:
    parser = Parser("hardware", description="List the hardware, show one device, or check a hardware file.")
    parser.add_argument("device", nargs="?", metavar="NAME|FILE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parsed(arguments)
    from explorer.analysis.catalogue.device_check import device_remarks
    from explorer.files.hardware.devices import device_to_yaml
    from explorer.files.typed.arguments import named_device
    from explorer.presentation.answer.json_result import device_json
    from explorer.report.console import devices_text

    devices = load_catalogue().devices
    if asked.device is None:
        return _json([device_json(d) for d in devices]) if asked.json else devices_text(devices)
    device = named_device(asked.device, devices)
    if asked.json:
        return _json(device_json(device))
    remarks = "".join(f"# {render(of_problem(remark))}\n" for remark in device_remarks(device))
    return remarks + device_to_yaml(device)


def _render(arguments: list[str]) -> str:
    from explorer.cli.rendering import add_options, rendered

    parser = Parser("render", description="Draw the figure of a study into a file; without one, of the first example.")
    add_work(parser)
    add_comparison(parser)
    add_options(parser)
    asked = parser.parsed(arguments)
    catalogue = load_catalogue()
    study = _seen(asked, study_of_flags(asked, catalogue, opening_study()))
    return rendered(asked, in_phase(asked, evaluated(study, catalogue)))


def _import(arguments: list[str]) -> str:
    parser = Parser("import", description="Say what a measurement file of another tool holds.")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parsed(arguments)
    from explorer.files.importers import read_measurements

    imported = read_measurements(asked.file)
    if asked.json:
        from explorer.presentation.measured.imported import imported_json

        return _json(imported_json(imported))
    from explorer.report.import_text import imported_text

    return imported_text(imported)


def _measure(arguments: list[str]) -> str:
    from explorer.cli.measure import add_options, measured_text

    parser = Parser("measure", description="Time a study's operators with torch.")
    add_work(parser)
    add_options(parser)
    asked = parser.parsed(arguments)
    if asked.ceilings:
        return measured_text(asked, None)
    catalogue = load_catalogue(presets=True)
    study = study_of_flags(asked, catalogue, opening_study(), hardware=False)
    return measured_text(asked, in_phase(asked, evaluated(study, catalogue)))


COMMANDS: Final[dict[str, Callable[[list[str]], str]]] = {
    "evaluate": _evaluate,
    "model": _model,
    "hardware": _hardware,
    "import": _import,
    "render": _render,
    "measure": _measure,
}


def _json(data: object) -> str:
    return json_text(data, sys.stdout)
