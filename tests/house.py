"""What the modules of `explorer/` import and define, read from their text: late imports and those for types count."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = "explorer"
APART = "explorer/bench/worker.py"  # sent as one text to another Python, which has nothing of ours
Graph = Mapping[str, set[str]]


class Import(NamedTuple):
    """One imported module; `late` inside a function."""

    module: str
    late: bool


@cache
def trees(root: Path) -> dict[str, ast.Module]:
    """Every module by its path."""
    found = sorted((root / PACKAGE).rglob("*.py"))
    return {p.relative_to(root).as_posix(): ast.parse(p.read_text(encoding="utf-8")) for p in found}


def module_of(path: str) -> str:
    """The name under which a file is imported."""
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def imports(tree: ast.AST, known: set[str], *, late: bool = False) -> Iterator[Import]:
    """Own modules that a module imports."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == PACKAGE:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (Import(name if name in known else node.module or "", late) for name in names)
        elif isinstance(node, ast.Import):
            yield from (Import(a.name, late) for a in node.names if a.name.partition(".")[0] == PACKAGE)
        inside = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        yield from imports(node, known, late=inside)


def graph(root: Path) -> Graph:
    """What each module imports, wherever and for whatever."""
    known = {module_of(path) for path in trees(root)}
    return {module_of(path): {i.module for i in imports(tree, known)} for path, tree in trees(root).items()}


def circles(edges: Graph) -> list[set[str]]:
    """Modules that import each other, in the end."""
    reached = {module: _reached(module, edges) for module in edges}
    found: list[set[str]] = []
    for module, others in reached.items():
        if module in others and not any(module in circle for circle in found):
            found.append({other for other in others if module in reached.get(other, ())})
    return found


def _reached(module: str, edges: Graph) -> set[str]:
    reached: set[str] = set()
    new = set(edges.get(module, ()))
    while new:
        reached |= new
        new = {further for one in new for further in edges.get(one, ())} - reached
    return reached


def with_late_imports(root: Path) -> set[str]:
    """Files with a function that imports own modules."""
    known = {module_of(path) for path in trees(root)}
    return {path for path, tree in trees(root).items() if any(i.late for i in imports(tree, known))}


def reads_of(root: Path, field: str, of: re.Pattern[str]) -> set[str]:
    """Files that read a field of what is called so: `entry.count`, `result.machine.count`."""
    return {
        path
        for path, tree in trees(root).items()
        if any(
            isinstance(node, ast.Attribute) and node.attr == field and of.search(ast.unparse(node.value))
            for node in ast.walk(tree)
        )
    }


def repeated_classes(root: Path) -> dict[str, list[str]]:
    """Public classes that several modules define, with these."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in trees(root).items():
        if path != APART:
            classes = (n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef))
            for name in classes:
                places[name].append(path)
    return {name: found for name, found in places.items() if len(found) > 1 and not name.startswith("_")}


def crowded(root: Path, most: int) -> dict[str, int]:
    """Folders with more modules than that, `__init__` apart."""
    counts = Counter(path.rpartition("/")[0] for path in trees(root) if not path.endswith("/__init__.py"))
    return {folder: count for folder, count in counts.items() if count > most}
