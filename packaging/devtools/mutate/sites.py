"""All places of a module where a fault can be put."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .expressions import expression_edits
from .numbering import FUNCTIONS, numbered
from .skips import is_equivalent, is_left_out, is_tie, mentions_speed
from .source import Edit, Source
from .statements import statement_edits


@dataclass(frozen=True)
class Site:
    """One node, the faults it can have, and what says which tests pass it."""

    source: Source
    edits: tuple[Edit, ...]
    passed: tuple[int, ...]  # numbers of statements: a test that passes one of them is a test of this place
    names: frozenset[str]  # at import: the names under which functions use what is made here


def sites(source: Source) -> list[Site]:
    """In the order of the text."""
    found = list(Finder(source).walk(source.tree, source.tree, Place()))
    return sorted(found, key=lambda site: site.edits[0].start)


@dataclass(frozen=True)
class Place:
    """Where a node stands."""

    function: str = ""
    passed: tuple[int, ...] = ()
    names: frozenset[str] = frozenset()


class Finder:
    """Walks a tree with the place of each node at hand."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.numbers = numbered(source.tree)

    def walk(self, node: ast.AST, parent: ast.AST, place: Place) -> Iterator[Site]:
        if is_left_out(node, parent):
            return
        place = self.placed(node, place)
        if edits := tuple(self.edits(node, parent, place)):
            yield Site(self.source, edits, place.passed, place.names)
        for child in ast.iter_child_nodes(node):
            yield from self.walk(child, node, place)

    def placed(self, node: ast.AST, place: Place) -> Place:
        if node in self.numbers:
            called_at_import = isinstance(node, ast.Lambda)  # one of a class
            kept = place.names if called_at_import else frozenset[str]()
            place = Place(place.function, (self.numbers[node],), kept)
        if isinstance(node, FUNCTIONS):
            inside = tuple(self.numbers[child] for child in node.body if child in self.numbers)
            return Place(node.name, place.passed or inside[:2])  # the first may be a text, which leaves no mark
        if place.passed:
            return place
        match node:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                return Place(place.function, (), place.names | {name})
            case ast.Assign(targets=targets):
                names = {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
                return Place(place.function, (), place.names | names)
            case _:
                return place

    def edits(self, node: ast.AST, parent: ast.AST, place: Place) -> Iterator[Edit]:
        if mentions_speed(node):
            return
        found = expression_edits(self.source, node)
        if isinstance(node, ast.stmt):
            found = statement_edits(self.source, node, parent, place.function)
        for edit in found:
            if not is_tie(node, parent, edit) and not is_equivalent(self.source, edit):
                yield edit
