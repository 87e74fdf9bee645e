"""Formula text: parsed against a closed list of nodes, checked, and compiled once.

A formula may use names, numbers, + - * / // % ** and min, max, ceil, floor, log2.
"""

import ast
import keyword
import math
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

import numpy as np

from explorer.analysis.problem import Problem, Refused

MAX_LENGTH = 500
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_SIGNS = (ast.USub, ast.UAdd)


def _least(*values: Any) -> Any:
    return _fold(np.minimum, min, values)


def _most(*values: Any) -> Any:
    return _fold(np.maximum, max, values)


def _fold(pairwise: Any, plain: Any, values: tuple[Any, ...]) -> Any:
    if not any(isinstance(v, np.ndarray) for v in values):
        return plain(values)
    result = values[0]
    for value in values[1:]:
        result = pairwise(result, value)
    return result


def _up(value: Any) -> Any:
    return np.ceil(value) if isinstance(value, np.ndarray) else float(math.ceil(value))


def _down(value: Any) -> Any:
    return np.floor(value) if isinstance(value, np.ndarray) else float(math.floor(value))


def _log2(value: Any) -> Any:
    return np.log2(value) if isinstance(value, np.ndarray) else math.log2(value)


FUNCTIONS: dict[str, Callable[..., Any]] = {"min": _least, "max": _most, "ceil": _up, "floor": _down, "log2": _log2}
_ONE_ARGUMENT = {"ceil", "floor", "log2"}
_RESERVED = {*FUNCTIONS, "a", "w", "o", "kv"}


def is_name(name: str) -> bool:
    """Whether a dim or derived figure may have this name."""
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_") and name not in _RESERVED


def parse(text: str, names: Iterable[str], path: str = "") -> ast.expr:
    """Parse one formula over the given names.

    Raises
    ------
    Refused
        The text is too long, is not an expression, or uses a name or construct outside the closed list.
    """
    if len(text) > MAX_LENGTH:
        raise Refused(Problem("formula.long", path, {"limit": MAX_LENGTH, "length": len(text)}))
    try:
        body = ast.parse(text.strip(), mode="eval").body
        _check(body, frozenset(names), path)
        return cast("ast.expr", _Floats().visit(body))
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError) as error:
        raise Refused(Problem("formula.syntax", path, {"text": text[:80]})) from error


def names_in(text: str) -> frozenset[str]:
    """The names a formula reads; empty when it does not parse."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return frozenset()
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name)) - FUNCTIONS.keys()


def _check(body: ast.expr, names: frozenset[str], path: str) -> None:
    called: set[int] = set()
    for node in ast.walk(body):
        if isinstance(node, ast.Call):
            called.add(id(_checked_call(node, path)))
        elif isinstance(node, ast.Name) and id(node) not in called and node.id not in names:
            raise Refused(Problem("formula.name", path, {"name": node.id, "known": ", ".join(sorted(names))}))
        elif isinstance(node, ast.Constant) and type(node.value) not in (int, float):
            raise Refused(Problem("formula.constant", path, {"text": repr(node.value)[:40]}))
        elif (
            not isinstance(
                node, ast.BinOp | ast.UnaryOp | ast.Name | ast.Constant | ast.Load | ast.operator | ast.unaryop
            )
            or (isinstance(node, ast.operator) and not isinstance(node, _OPERATORS))
            or (isinstance(node, ast.unaryop) and not isinstance(node, _SIGNS))
        ):
            raise Refused(Problem("formula.construct", path, {"text": type(node).__name__}))


def _checked_call(node: ast.Call, path: str) -> ast.expr:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in FUNCTIONS or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        raise Refused(Problem("formula.function", path, {"name": name, "known": ", ".join(sorted(FUNCTIONS))}))
    if len(node.args) < 1 or (name in _ONE_ARGUMENT) != (len(node.args) == 1):
        raise Refused(Problem("formula.arguments", path, {"name": name}))
    return node.func


class _Floats(ast.NodeTransformer):
    """Whole numbers become floats, so that no formula builds a giant integer."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.copy_location(ast.Constant(float(cast("float", node.value))), node)


def compile_function(
    arguments: Iterable[str], assigned: Iterable[tuple[str, ast.expr]], results: Iterable[ast.expr]
) -> Callable[..., tuple[Any, ...]]:
    """Compile checked expressions into one function: arguments in, assigned names in order, a tuple out."""
    function = ast.FunctionDef(
        name="formula",
        args=ast.arguments(
            posonlyargs=[], args=[ast.arg(n) for n in arguments], kwonlyargs=[], kw_defaults=[], defaults=[]
        ),
        body=[
            *[ast.Assign([ast.Name(name, ast.Store())], value) for name, value in assigned],
            ast.Return(ast.Tuple(list(results), ast.Load())),
        ],
        decorator_list=[],
    )
    module = ast.fix_missing_locations(ast.Module([function], type_ignores=[]))
    scope: dict[str, Any] = {"__builtins__": {}, **FUNCTIONS}
    exec(compile(module, "<formula>", "exec"), scope)  # noqa: S102 - every node was checked against the closed list
    return cast("Callable[..., tuple[Any, ...]]", scope["formula"])


@lru_cache(maxsize=1024)
def _compiled(text: str, names: tuple[str, ...]) -> Any:
    return compile_function(names, (), (parse(text, names),))


def value_of(text: str, values: Mapping[str, float]) -> float:
    """The value of a checked formula at the given names."""
    return float(_compiled(text, tuple(values))(*values.values())[0])
