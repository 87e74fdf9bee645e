"""Formula text as people write it: parsed with ast, printed with · and thin spaces, names or numbers."""

import ast
import math
from collections.abc import Mapping
from functools import lru_cache

from explorer.presentation.quantities.numbers import significant

THIN = "\u2009"
_UNLIMITED = 1e18  # the kinds' own default for "no window", "no table"
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (f"{THIN}+{THIN}", _SUM),
    ast.Sub: (f"{THIN}−{THIN}", _SUM),
    ast.Mult: ("·", _PRODUCT),
    ast.Div: ("/", _PRODUCT),
    ast.Mod: (f"{THIN}mod{THIN}", _PRODUCT),
    ast.Pow: ("^", _POWER),
}
_ROUNDED = {"ceil": "⌈{}⌉", "floor": "⌊{}⌋"}


def formula_number(value: float) -> str:
    """A number as it stands in a formula: whole numbers in full, others to four digits, no limit as ∞."""
    if value >= _UNLIMITED:
        return "∞"
    if value < 0:
        return "−" + formula_number(-value)
    return (
        f"{value:.0f}" if value == math.floor(value) and abs(value) < 1e15 else significant(value, 4).replace(",", "")
    )


@lru_cache(maxsize=1024)
def _tree(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def pretty(text: str, values: Mapping[str, float] | None = None) -> str:
    """A formula for reading: `2 * m * n` as 2·m·n, or with numbers in place of names where given."""
    return _symbols(text) if values is None else _show(_tree(text), values)[0]


@lru_cache(maxsize=1024)
def _symbols(text: str) -> str:
    return _show(_tree(text), {})[0]


def _show(node: ast.expr, values: Mapping[str, float]) -> tuple[str, int]:
    """The text of a node and how tightly it binds."""
    match node:
        case ast.Name(id=name):
            text = formula_number(values[name]) if name in values else name
            return text, _ATOM if text[0] != "−" else _SUM
        case ast.Constant(value=value):
            return formula_number(float(value)), _ATOM  # type: ignore[arg-type]
        case ast.UnaryOp(operand=operand):
            return "−" + _inside(operand, values, _SIGN), _SIGN
        case ast.BinOp():
            return _operation(node, values)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            inner = ", ".join(_show(a, values)[0] for a in arguments)
            return _ROUNDED.get(name, name + "({})").format(inner), _ATOM
    return ast.unparse(node), _SUM


def _operation(node: ast.BinOp, values: Mapping[str, float]) -> tuple[str, int]:
    if isinstance(node.op, ast.FloorDiv):
        left, right = _inside(node.left, values, _PRODUCT), _inside(node.right, values, _POWER)
        return f"⌊{left}/{right}⌋", _ATOM
    sign, binds = _SIGNS[type(node.op)]
    tighter = binds if isinstance(node.op, ast.Add | ast.Mult) else binds + 1
    if isinstance(node.op, ast.Pow):
        return _inside(node.left, values, _ATOM) + sign + _inside(node.right, values, _ATOM), binds
    return _inside(node.left, values, binds) + sign + _inside(node.right, values, tighter), binds


def _inside(node: ast.expr, values: Mapping[str, float], needed: int) -> str:
    text, binds = _show(node, values)
    return text if binds >= needed else f"({text})"
