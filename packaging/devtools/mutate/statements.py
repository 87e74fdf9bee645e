"""Faults in statements: what a careless edit leaves out."""

import ast

from .source import Edit, Source

SIGNS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+=", "-="),
    ast.Sub: (r"-=", "+="),
    ast.Mult: (r"\*=", "/="),
    ast.Div: (r"/=", "*="),
}


def statement_edits(source: Source, node: ast.stmt, parent: ast.AST, function: str) -> list[Edit]:
    """Every fault of this statement itself, not of what stands in it."""
    match node:
        case ast.Return() | ast.Raise() if not isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
            return dropped(source, node, "exit dropped")
        case ast.Continue() | ast.Break():
            return dropped(source, node, "exit dropped")
        case ast.Expr(value=ast.Call()):
            return dropped(source, node, "call dropped")
        case ast.Assign() if function != "__init__" and all(map(is_place, node.targets)):
            return dropped(source, node, "assignment dropped")
        case ast.AugAssign():
            return [*dropped(source, node, "assignment dropped"), *resigned(source, node)]
        case _:
            return []


def is_place(target: ast.expr) -> bool:
    """An attribute or an entry; a local name left out only raises NameError."""
    return isinstance(target, ast.Attribute | ast.Subscript)


def dropped(source: Source, node: ast.stmt, kind: str) -> list[Edit]:
    return [source.replaced(node, "pass", kind)]


def resigned(source: Source, node: ast.AugAssign) -> list[Edit]:
    if type(node.op) not in SIGNS:
        return []
    return source.between(node.target, node.value, *SIGNS[type(node.op)], "arithmetic")
