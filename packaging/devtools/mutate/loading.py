"""Modules read from their files, changed on the way: the files stay as they are."""

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from .numbering import HITS, instrumented

Compile = Callable[[str, Path], CodeType]


class ChangedLoader(SourceFileLoader):
    """Compiles a module in its own way; never keeps nor takes compiled files."""

    def __init__(self, name: str, path: str, compile_: Compile, given: dict[str, object]) -> None:
        super().__init__(name, path)
        self._compile = compile_
        self._given = given

    def get_code(self, fullname: str) -> CodeType:
        return self._compile(fullname, Path(self.path))

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self._given)
        super().exec_module(module)


class ChangedModules(importlib.abc.MetaPathFinder):
    """Stands before the ordinary finders and takes the modules it was asked to change."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not self._wanted(fullname):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = self.loader(fullname, spec.loader.path)
        return spec

    def loader(self, name: str, path: str) -> SourceFileLoader:
        raise NotImplementedError


class Mutated(ChangedModules):
    """One module with a fault in it."""

    def __init__(self, module: str, data: bytes) -> None:
        super().__init__(lambda name: name == module)
        self._data = data

    def loader(self, name: str, path: str) -> SourceFileLoader:
        return ChangedLoader(name, path, lambda _name, place: compile(self._data, place, "exec"), {})


class Marked(ChangedModules):
    """All modules of some rooms, each with marks for the statements that were passed."""

    def __init__(self, rooms: tuple[str, ...]) -> None:
        super().__init__(lambda name: name.startswith(tuple(f"{room}." for room in rooms)))
        self.hits: dict[str, bytearray] = {}

    def loader(self, name: str, path: str) -> SourceFileLoader:
        tree, count = instrumented(ast.parse(Path(path).read_bytes()))
        self.hits[name] = bytearray(count)
        code = compile(tree, path, "exec")
        return ChangedLoader(name, path, lambda _name, _path: code, {HITS: self.hits[name]})


def load_from(root: Path, finder: ChangedModules, *, instead_of: Path) -> None:
    """Import the program from a copy of the checkout from now on."""
    sys.path[:] = [str(root), *(entry for entry in sys.path if Path(entry or ".").resolve() != instead_of)]
    sys.meta_path.insert(0, finder)
