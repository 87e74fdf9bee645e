"""A fault as the window says it: the part by its word, not by its path in the file, and figures with separators."""

import re
from typing import Final

from explorer.analysis.problem import Problem
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, of_problem, register, render

_WORDS: Final = {
    r"workload\.batch": "notice.batch",
    r"workload\.context": "notice.context",
    r"workload\.reserve": "notice.reserve",
    r"workload\.groups.*": "notice.groups",
    r"hardware\[(\d+)\]\.device\.name": "notice.device_name",
    r"hardware\[(\d+)\]\.count": "notice.device_count",
    r"hardware\[(\d+)\].*": "notice.device",
    r"models\[(\d+)\]\.name": "notice.model_name",
    r"models\[(\d+)\].*": "notice.model",
    r"operators\[(\d+)\].*": "notice.operator",
    r"measurements\[(\d+)\].*": "notice.measurement",
    r"name": "notice.study_name",
}

register(
    {
        "notice.said": QT_TRANSLATE_NOOP("messages", "{part}: {why}"),
        "notice.range": QT_TRANSLATE_NOOP("messages", "{part}: {low} to {high}, not {got}."),
        "notice.batch": QT_TRANSLATE_NOOP("messages", "Batch"),
        "notice.context": QT_TRANSLATE_NOOP("messages", "Context"),
        "notice.reserve": QT_TRANSLATE_NOOP("messages", "Memory kept free"),
        "notice.groups": QT_TRANSLATE_NOOP("messages", "Groups of sequences"),
        "notice.device_name": QT_TRANSLATE_NOOP("messages", "Name of device {number}"),
        "notice.device_count": QT_TRANSLATE_NOOP("messages", "Number of device {number}"),
        "notice.device": QT_TRANSLATE_NOOP("messages", "Device {number}"),
        "notice.model_name": QT_TRANSLATE_NOOP("messages", "Name of model {number}"),
        "notice.model": QT_TRANSLATE_NOOP("messages", "Model {number}"),
        "notice.operator": QT_TRANSLATE_NOOP("messages", "Operator {number}"),
        "notice.measurement": QT_TRANSLATE_NOOP("messages", "Measurement {number}"),
        "notice.study_name": QT_TRANSLATE_NOOP("messages", "Name of the study"),
    }
)


def noticed(problem: Problem, look: Look = ENGLISH) -> str:
    """One clear line without a path: `Batch: 1 to 1,048,576, not 2,000,000.`"""
    values = {k: f"{v:,}" if isinstance(v, int) else v for k, v in problem.values.items()}
    part = _part(problem.path, look)
    if part and problem.code == "study.range":
        return render(Message("notice.range", {**values, "part": part}), look)
    why = render(of_problem(Problem(problem.code, "", values)), look)
    return render(Message("notice.said", {"part": part, "why": why}), look) if part else why


def _part(path: str, look: Look) -> str:
    """The word of what a path leads to, "" for what has none."""
    for pattern, key in _WORDS.items():
        if (found := re.fullmatch(pattern, path)) is not None:
            number = {"number": f"{int(found[1]) + 1:,}"} if found.groups() else {}
            return render(Message(key, number), look)
    return ""
