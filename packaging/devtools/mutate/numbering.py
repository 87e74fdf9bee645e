"""A number for each statement and each lambda of a module: what a test is said to have passed."""

import ast
from collections.abc import Iterator

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
Passed = ast.stmt | ast.Lambda
HITS = "__hits__"


def numbered(tree: ast.Module) -> dict[ast.AST, int]:
    """Statements in functions and lambdas anywhere; what runs at import belongs to no test."""
    return {node: number for number, node in enumerate(passed(tree, inside=False))}


def passed(node: ast.AST, *, inside: bool) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Lambda) or (inside and isinstance(child, ast.stmt)):
            yield child
        yield from passed(child, inside=inside or isinstance(child, FUNCTIONS))


def instrumented(tree: ast.Module) -> tuple[ast.Module, int]:
    """The tree with a mark set before each numbered statement, and how many there are."""
    numbers = numbered(tree)
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.Or(), [marking(numbers[node]), node.body])
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, marked(statements, numbers))
    return ast.fix_missing_locations(tree), len(numbers)


def marked(statements: list[ast.stmt], numbers: dict[ast.AST, int]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in statements:
        if statement in numbers and not is_text(statement):
            found.append(ast.copy_location(ast.Expr(marking(numbers[statement])), statement))
        found.append(statement)
    return found


def marking(number: int) -> ast.expr:
    """The call that sets the mark; it gives None, so that a lambda may go on with `or`."""
    call = ast.Attribute(ast.Name(HITS, ast.Load()), "__setitem__", ast.Load())
    return ast.Call(call, [ast.Constant(number), ast.Constant(1)], [])


def is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
