"""Refusals in words: a caller from Python gets one exception, whose text is the sentences."""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.problem import Problem, Refused
from explorer.presentation.words.messages import render_problem
from explorer.presentation.words.visible import visible

P = ParamSpec("P")
R = TypeVar("R")
_SAID_TO_PYTHON: Final = {"asked.model": "api.model"}  # for a caller who has no flags


class InputError(ValueError):
    """An input that cannot be used; the text says where, what, and what to do, one line for each fault.

    Attributes
    ----------
    faults
        The lines.
    """

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def in_words(function: Callable[P, R]) -> Callable[P, R]:
    """The function, with its refusals in words."""

    @wraps(function)
    def telling(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Refused as refused:
            problems = [Problem(_SAID_TO_PYTHON.get(p.code, p.code), p.path, p.values) for p in refused.problems]
            raise InputError(*(visible(render_problem(p)) for p in problems)) from None

    return telling
