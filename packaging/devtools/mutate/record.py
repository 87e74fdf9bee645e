"""The records of all tests: what each passes, and which of them are the tests of a fault."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from .numbering import numbered
from .sample import Mutant
from .source import Source

Users = Mapping[str, Sequence[tuple[str, int]]]
NEAR: Final = 3.0  # seconds of the tests of a module's own folder, which come first
OF_ITS_FOLDER: Final = 2


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
        names = frozenset(known_as(name, mutant.module) for name in site.names)
        if not found and names:
            found = self.passing(self.of_users(names)) or self.passing(self.of_users(self.reached(names)))
        if not found and not site.passed:
            found = [name for name, test in self.tests.items() if mutant.module in test.passed] or [
                name for name in self.tests if closeness(name, mutant.module) >= OF_ITS_FOLDER
            ]
        return self.ordered(found, mutant.module)

    def ordered(self, found: Sequence[str], module: str) -> list[str]:
        """Some of the tests that stand where the module stands, then all others, the quick ones first."""
        near = [name for name in found if closeness(name, module)]
        near.sort(key=lambda name: (-closeness(name, module), self.tests[name].rank, name))
        first: dict[str, None] = {}
        seconds = 0.0
        for name in near:
            seconds += self.tests[name].seconds
            if first and seconds > NEAR:
                break
            first[name] = None
        others = sorted((n for n in found if n not in first), key=lambda name: (self.tests[name].rank, name))
        return [*first, *others]

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


def known_as(name: str, module: str) -> str:
    """A private name is its module's alone."""
    return f"{module}:{name}" if name.startswith("_") else name


def closeness(test: str, module: str) -> int:
    """How well the place of a test fits a module: folders that both are in, and the module's name in the file's."""
    *folders, name = module.split(".")[1:]
    *places, file = test.partition("::")[0].removesuffix(".py").removeprefix("tests/").split("/")
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(folders, places, strict=False)))
    return 2 * shared + 3 * (name in file)


def bits(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in set(numbers))


def passes(test: TestRecord, marks: Mapping[str, int]) -> bool:
    return any(test.passed.get(module, 0) & wanted for module, wanted in marks.items())


def users_of_names(sources: Sequence[Source]) -> Users:
    """Whoever mentions a name uses what was made under it at import; which module's it is, is asked of private ones."""
    found: dict[str, list[tuple[str, int]]] = {}
    for source in sources:
        for node, number in numbered(source.tree).items():
            for name in set(names_in(node)):
                found.setdefault(known_as(name, source.module), []).append((source.module, number))
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
            if made := {known_as(name, source.module) for name in targets_of(statement)}:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name | ast.Attribute):
                        name = node.id if isinstance(node, ast.Name) else node.attr
                        found.setdefault(known_as(name, source.module), set()).update(made)
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
