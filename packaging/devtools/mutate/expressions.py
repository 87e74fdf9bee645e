"""Faults in expressions: what each kind of node may be mistaken for."""

import ast
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from .skips import is_nought
from .source import Edit, Source

COMPARED: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: (r"<(?![=<])", ("<=", ">")),
    ast.LtE: (r"<=", ("<", ">=")),
    ast.Gt: (r">(?![=>])", (">=", "<")),
    ast.GtE: (r">=", (">", "<=")),
    ast.Eq: (r"==", ("!=",)),
    ast.NotEq: (r"!=", ("==",)),
    ast.Is: (r"\bis\b", ("is not",)),
    ast.IsNot: (r"\bis\s+not\b", ("is",)),
    ast.In: (r"\bin\b", ("not in",)),
    ast.NotIn: (r"\bnot\s+in\b", ("in",)),
}
COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: (r"-", "+"),
    ast.Mult: (r"\*", "/"),
    ast.Div: (r"/", "*"),
    ast.FloorDiv: (r"//", "/"),
    ast.Mod: (r"%", "//"),
    ast.Pow: (r"\*\*", "*"),
}
PAIRS = (
    ("any", "all"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("floor", "ceil"),
    ("bisect_left", "bisect_right"),
    ("startswith", "endswith"),
    ("removeprefix", "removesuffix"),
    ("partition", "rpartition"),
    ("left", "right"),
    ("top", "bottom"),
    ("width", "height"),
    ("lstrip", "rstrip"),
    ("find", "rfind"),
)
TWINS = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
SMALL = 2  # figures up to here count things, those above are sizes and limits


def compared(source: Source, node: ast.Compare) -> list[Edit]:
    sides = [node.left, *node.comparators]
    found: list[Edit] = []
    for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
        sign, others = COMPARED[type(operator)]
        for other in others:
            found += source.between(left, right, sign, other, "comparison")
    return found


def joined(source: Source, node: ast.BoolOp) -> list[Edit]:
    one, other, neutral = ("and", "or", "True") if isinstance(node.op, ast.And) else ("or", "and", "False")
    parts = [value for value in node.values if not (one == "or" and is_nought(value))]
    found = [source.replaced(value, neutral, "condition part dropped") for value in parts]
    for left, right in pairwise(node.values):
        found += source.between(left, right, rf"\b{one}\b", other, "and/or")
    return found


def computed(source: Source, node: ast.BinOp) -> list[Edit]:
    if type(node.op) not in COMPUTED or is_sequence(node.left) or is_sequence(node.right):
        return []
    return source.between(node.left, node.right, *COMPUTED[type(node.op)], "arithmetic")


def is_sequence(node: ast.expr) -> bool:
    """Texts and lists are joined with + and repeated with *: another sign there only raises TypeError."""
    if isinstance(node, ast.BinOp):
        return is_sequence(node.left) or is_sequence(node.right)
    displays = ast.List | ast.Tuple | ast.ListComp | ast.JoinedStr
    return isinstance(node, displays) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def signed(source: Source, node: ast.UnaryOp) -> list[Edit]:
    start = source.start(node)
    if isinstance(node.op, ast.Not):
        return [Edit(start, start + len("not "), "", "not dropped")]
    if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        return [Edit(start, start + 1, "", "sign dropped")]
    return []


def chosen(source: Source, node: ast.IfExp) -> list[Edit]:
    start, end = source.start(node.body), source.end(node.orelse)
    middle = source.data[source.end(node.body) : source.start(node.orelse)].decode()
    return [Edit(start, end, source.text(node.orelse) + middle + source.text(node.body), "choice swapped")]


def constants(source: Source, node: ast.Constant) -> list[Edit]:
    value = node.value
    if isinstance(value, bool):
        return [source.replaced(node, str(not value), "truth swapped")]
    if isinstance(value, int):
        others = {value + 1, value - 1} if abs(value) <= SMALL else {value * 10, 0}
        return [source.replaced(node, str(other), "constant") for other in sorted(others)]
    if isinstance(value, float):
        return [source.replaced(node, repr(other), "constant") for other in ((value * 10, 0.0) if value else (1.0,))]
    return []


def called(source: Source, node: ast.Call) -> list[Edit]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    end = source.end(node.func)
    start = end - len(name)
    if name in TWINS:
        return [Edit(start, end, TWINS[name], "name swapped")]
    if name == "reversed":
        return [Edit(start, end, "list", "order reversed")]
    if name in {"sorted", "sort"} and "reverse" not in {word.arg for word in node.keywords}:
        close = source.end(node) - 1
        text = ", reverse=True" if node.args or node.keywords else "reverse=True"
        return [Edit(close, close, text, "order reversed")]
    return []


def filtered(source: Source, node: ast.comprehension) -> list[Edit]:
    return [source.replaced(test, "True", "filter dropped") for test in node.ifs]


FAULTS: dict[type[ast.AST], Callable[[Source, Any], list[Edit]]] = {
    ast.Compare: compared,
    ast.BoolOp: joined,
    ast.BinOp: computed,
    ast.UnaryOp: signed,
    ast.IfExp: chosen,
    ast.Constant: constants,
    ast.Call: called,
    ast.comprehension: filtered,
}


def expression_edits(source: Source, node: ast.AST) -> list[Edit]:
    """Every fault of this node itself, not of what stands in it."""
    find = FAULTS.get(type(node))
    return find(source, node) if find else []
