"""`import explorer` offers the library and costs nothing until it is used."""

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import explorer


def test_all_that_is_offered_is_there_and_told_of() -> None:
    assert set(explorer.__all__) <= set(dir(explorer))
    for name in explorer.__all__:
        assert inspect.getdoc(getattr(explorer, name))
        assert name in (explorer.__doc__ or "")


def test_a_type_checker_sees_what_is_there(root: Path) -> None:
    """The package imports nothing by itself, so that its names stand in a file of types of their own."""
    stub = ast.parse((root / "explorer" / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    found = {
        name.asname: getattr(import_module(str(node.module)), name.name) for node in imports for name in node.names
    }
    assert found == {name: getattr(explorer, name) for name in explorer.__all__}
    assert (root / "explorer" / "py.typed").exists()


def test_importing_the_package_imports_nothing_else(root: Path) -> None:
    code = (
        "import sys; before = set(sys.modules); import explorer; print(sorted(set(sys.modules) - before))\n"
        "explorer.load_study; print('explorer.ui' in sys.modules, 'PySide6.QtWidgets' in sys.modules)"
    )
    line = [sys.executable, "-P", "-S", "-c", f"import sys; sys.path.append({str(root)!r}); {code.splitlines()[0]}"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["['explorer']"], done.stderr


def test_the_library_loads_neither_the_window_nor_qt_before_it_draws(root: Path) -> None:
    code = (
        "import sys, explorer; explorer.evaluate(explorer.new_study('Llama-3.1-8B', 'H100 SXM5'))\n"
        "print([m for m in sys.modules if m.startswith(('explorer.ui', 'explorer.bench', 'PySide6'))])\n"
        "explorer.render(explorer.new_study('Llama-3.1-8B', 'H100 SXM5'))\n"
        "print([m for m in sys.modules if m.startswith(('explorer.ui', 'PySide6.QtWidgets', 'pyqtgraph'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["[]", "[]"], done.stderr


def test_a_name_that_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        explorer.evalute  # type: ignore[attr-defined]  # noqa: B018
