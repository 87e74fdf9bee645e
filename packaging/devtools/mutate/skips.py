"""What is left alone: places where a fault changes nothing that a test could or should see."""

import ast

from .source import Edit, Source

LOGS = frozenset({"_log", "log", "logger", "logging", "warnings"})
LEFT_OUT_CALLS = {
    "assert_never": "is never reached",
    "lru_cache": "its size is speed only",
    "Final": "a type",
    "TypeVar": "a type",
    "NewType": "a type",
}
LEFT_OUT_METHODS = {"setRenderHint": "how smooth edges look", "setRenderHints": "how smooth edges look"}
PIXELS = {"QRectF", "QPointF", "adjusted", "translated"}  # one pixel beside a drawn thing is no fault
LEFT_OUT_ARGUMENTS = {"reshape": "any negative size means the rest"}
LEFT_OUT_FUNCTIONS = {"__repr__": "is for programmers"}
SPEED_ONLY = {
    "_KEPT": "how many results are remembered",
}
# Lines as they stand and as a fault leaves them (without the spaces around), where both mean the same.
EQUIVALENT: dict[tuple[str, str], str] = {}


def is_left_out(node: ast.AST, parent: ast.AST) -> bool:
    """Whether this node and all that stands in it stay as they are."""
    among_others = is_type(node, parent) or is_divisor_guard(node, parent) or is_pixel(node, parent)
    return among_others or is_strictness(node, parent) or is_beside_the_point(node)


def is_strictness(node: ast.AST, parent: ast.AST) -> bool:
    """The truth in `zip(..., strict=True)`: it guards what must not happen; where it cannot, False does as well."""
    return isinstance(node, ast.Constant) and isinstance(parent, ast.keyword) and parent.arg == "strict"


def is_nought(node: ast.AST) -> bool:
    """A nought after `or`: False in its place is the same figure."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not node.value


def is_pixel(node: ast.AST, parent: ast.AST) -> bool:
    """A nought among drawn coordinates, which a fault would make one pixel."""
    if not (isinstance(node, ast.Constant) and isinstance(parent, ast.Call) and node.value == 0):
        return False
    name = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
    return name in PIXELS


def is_beside_the_point(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Expr(value=ast.Constant()):
            return True  # messages and docstrings; the parser of Python 3.11 misplaces what stands in f-strings, too
        case ast.If(test=test):
            return is_import_guard(test)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name in SPEED_ONLY or name in {"__all__", "__slots__"}
        case ast.FunctionDef(name=name):
            return name in LEFT_OUT_FUNCTIONS
        case ast.Call(func=function) | ast.Expr(value=ast.Call(func=function)):
            return is_left_out_call(function)
        case _:
            return False


def is_divisor_guard(node: ast.AST, parent: ast.AST) -> bool:
    """The figure after `or` in `part / (whole or 1)`: where it counts, the part is nothing too."""
    match parent:
        case ast.BinOp(op=ast.Div(), right=ast.BoolOp(op=ast.Or(), values=[_, ast.Constant()]) as divisor):
            return node is divisor
        case _:
            return False


def is_import_guard(test: ast.expr) -> bool:
    names = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)}
    return bool(names & {"TYPE_CHECKING", "__name__"})


def is_left_out_call(function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name):
            return name in LEFT_OUT_CALLS
        case ast.Attribute(value=value, attr=name):
            return name in LEFT_OUT_METHODS or (isinstance(value, ast.Name) and value.id in LOGS)
        case _:
            return False


def is_type(node: ast.AST, parent: ast.AST) -> bool:
    """Annotations, decorators, what a class statement is given, shapes: how values are made, not what they say."""
    match parent:
        case ast.AnnAssign() | ast.arg():
            return node is parent.annotation
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return node is parent.returns or node in parent.decorator_list
        case ast.Call(func=ast.Attribute(attr=name)) if name in LEFT_OUT_ARGUMENTS:
            return node in parent.args
        case ast.ClassDef():
            return node in parent.decorator_list or node in parent.keywords or node in parent.bases
        case _:
            return False


def mentions_speed(node: ast.AST) -> bool:
    """Whether the head of a statement is about a figure of speed alone."""
    heads = [node.test] if isinstance(node, ast.If | ast.While) else []
    simple = [] if hasattr(node, "body") else [node]
    return any(
        isinstance(part, ast.Name) and part.id in SPEED_ONLY for head in heads + simple for part in ast.walk(head)
    )


def is_tie(node: ast.AST, parent: ast.AST, edit: Edit) -> bool:
    """`a if a > b else b` with >=: at the boundary both are the same."""
    if not (isinstance(node, ast.Compare) and isinstance(parent, ast.IfExp) and node is parent.test):
        return False
    if edit.kind != "comparison" or edit.text not in {"<=", ">=", "<", ">"} or len(node.ops) != 1:
        return False
    same = {ast.dump(node.left), ast.dump(node.comparators[0])} == {ast.dump(parent.body), ast.dump(parent.orelse)}
    shifted = (type(node.ops[0]), edit.text) in {(ast.Lt, "<="), (ast.LtE, "<"), (ast.Gt, ">="), (ast.GtE, ">")}
    return same and shifted


def is_equivalent(source: Source, edit: Edit) -> bool:
    """Whether the table says that the changed line means the same."""
    start = source.data.rfind(b"\n", 0, edit.start) + 1
    end = source.data.find(b"\n", edit.end)
    before = source.data[start:end]
    after = source.data[start : edit.start] + edit.text.encode() + source.data[edit.end : end]
    return (before.decode().strip(), after.decode().strip()) in EQUIVALENT
