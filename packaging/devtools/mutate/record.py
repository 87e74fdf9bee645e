"""The records of all tests: what each passes, and which of them are the tests of a fault."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from .numbering import numbered
from .sample import Mutant
from .source import Source

Users = Mapping[str, Sequence[tuple[str, int]]]


@dataclass(frozen=True)
class TestRecord:
    """The seconds of work of a test, and as bits of one number for each module which statements it passes."""

    __test__ = False

    seconds: float
    passed: dict[str, int]

    @property
    def rank(self) -> float:
        """The quick ones first, and among those the ones that are about little else."""
        return self.seconds * len(self.passed)


FileRecord = dict[str, TestRecord]


@dataclass(frozen=True)
class Records:
    """What all tests pass, and for each name the statements in functions that mention it.

    `onward`: what else is made of a name at import.
    """

    tests: FileRecord
    users: Users = field(default_factory=dict)
    onward: Mapping[str, AbstractSet[str]] = field(default_factory=dict)

    def of(self, mutant: Mutant) -> list[str]:
        """The tests of the place of a fault, the likeliest and fastest first."""
        site = mutant.site
        found = self.passing({mutant.module: bits(site.passed)}) if site.passed else []
        if not found and site.names:
            found = self.passing(self.of_users(site.names)) or self.passing(self.of_users(self.reached(site.names)))
        if not found and not site.passed:
            found = [name for name, test in self.tests.items() if mutant.module in test.passed]
        return sorted(found, key=lambda name: (self.tests[name].rank, name))

    def passing(self, marks: Mapping[str, int]) -> list[str]:
        return [name for name, test in self.tests.items() if passes(test, marks)]

    def reached(self, names: frozenset[str]) -> frozenset[str]:
        """Names and all that is made of them: the defaults of a family are used as its reader is."""
        found, left = set(names), list(names)
        while left:
            fresh = self.onward.get(left.pop(), frozenset()) - found
            found |= fresh
            left += fresh
        return frozenset(found)

    def of_users(self, names: frozenset[str]) -> dict[str, int]:
        marks: dict[str, int] = {}
        for name in names:
            for module, number in self.users.get(name, ()):
                marks[module] = marks.get(module, 0) | 1 << number
        return marks


def bits(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in set(numbers))


def passes(test: TestRecord, marks: Mapping[str, int]) -> bool:
    return any(test.passed.get(module, 0) & wanted for module, wanted in marks.items())


def users_of_names(sources: Sequence[Source]) -> Users:
    """Whoever mentions a name uses what was made under it at import; which module's it is, is not asked."""
    found: dict[str, list[tuple[str, int]]] = {}
    for source in sources:
        for node, number in numbered(source.tree).items():
            for name in set(names_in(node)):
                found.setdefault(name, []).append((source.module, number))
    return found


def names_in(node: ast.AST) -> Iterator[str]:
    """The names of a statement itself, not of the statements in it."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield from names_in(child)


def made_at_import(sources: Sequence[Source]) -> dict[str, set[str]]:
    """For each name what a module makes of it at import."""
    found: dict[str, set[str]] = {}
    for source in sources:
        for statement in source.tree.body:
            if made := targets_of(statement):
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name | ast.Attribute):
                        name = node.id if isinstance(node, ast.Name) else node.attr
                        found.setdefault(name, set()).update(made)
    return found


def targets_of(statement: ast.stmt) -> frozenset[str]:
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return frozenset({name})
        case ast.Assign(targets=targets):
            parts = [part for target in targets for part in ast.walk(target)]
            return frozenset(part.id for part in parts if isinstance(part, ast.Name))
        case _:
            return frozenset()
