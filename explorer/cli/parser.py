"""Flags of the command line, whose faults are one line."""

import argparse
import difflib
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable

_NUMBER: Final = re.compile(r"argument (\S+): invalid (int|float) value: ['\"](.*)['\"]", re.DOTALL)  # argparse's own
_MAY_BE_EMPTY: Final = frozenset({"title", "subtitle", "baseline"})  # a text left out; a fault of its own
PROGRAM: Final = "roofline-explorer"


class Parser(argparse.ArgumentParser):
    """argparse whose faults are one line, with the nearest option where one was mistyped."""

    def __init__(self, command: str, **more: Any) -> None:
        super().__init__(prog=f"{PROGRAM} {command}".rstrip(), allow_abbrev=False, **more)

    def error(self, message: str) -> NoReturn:
        number = _NUMBER.fullmatch(message)
        if number is not None:
            option, kind, got = number.groups()
            values = {"option": option, "got": printable(got, 40)}
            raise Refused(Problem("cli.whole" if kind == "int" else "cli.number", values=values))
        raise Refused(Problem("cli.usage", values={"text": printable(message, 400)}))

    def parsed(self, arguments: Sequence[str]) -> argparse.Namespace:
        found, unknown = self.parse_known_args(arguments)
        if unknown:
            raise self._unknown(unknown[0])
        for action in self._actions:
            values = getattr(found, action.dest, None)
            texts = values if isinstance(values, list) else [values]
            given = action.option_strings and action.dest not in _MAY_BE_EMPTY and values != action.default
            if given and any(isinstance(t, str) and not t.strip() for t in texts):
                raise Refused(Problem("cli.empty", values={"option": action.option_strings[-1]}))
        return found

    def _unknown(self, text: str) -> Refused:
        options = [o for action in self._actions for o in action.option_strings if o.startswith("--")]
        near = difflib.get_close_matches(text.partition("=")[0], options, n=1)
        if near:
            return Refused(Problem("cli.option", values={"text": printable(text), "near": near[0]}))
        return Refused(Problem("cli.usage", values={"text": f"unrecognized argument: {printable(text)}"}))
