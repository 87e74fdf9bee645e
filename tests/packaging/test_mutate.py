"""The command that puts faults into the program: on a small program of its own."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SIZE = '''"""A toy."""


def is_large(value):
    return value > 10


def halved(value):
    return value / 2


def last_digits(value):
    while value > 9:
        value -= 10
    return value


def never_called(value):
    return value * 7
'''
TESTS = """import pytest
from toy.core.size import halved, is_large, last_digits


def test_large_starts_above_ten():
    assert is_large(11)
    assert not is_large(10)


def test_a_half_is_a_number():
    assert halved(0) == 0


def test_tens_are_taken_off():
    assert last_digits(23) == 3
"""


@pytest.fixture
def tool(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "packaging"))
    return lambda name: importlib.import_module(f"devtools.mutate.{name}")


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    root = tmp_path / "toy checkout"
    for folder in ("toy/core", "tests"):
        (root / folder).mkdir(parents=True)
    (root / "toy/__init__.py").touch()
    (root / "toy/core/__init__.py").touch()
    (root / "toy/core/size.py").write_text(SIZE)
    (root / "tests/test_size.py").write_text(TESTS)
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\n')
    return root


class Ended:
    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code = done.returncode
        self.text = done.stdout
        assert "Traceback" not in done.stderr, done.stderr

    def verdict(self, line: str) -> str:
        """What became of the fault that leaves this line."""
        found = re.search(rf"^\+ *{re.escape(line)}$", self.text, re.MULTILINE)
        return "left over" if found else "noticed"


def mutate(toy: Path, root: Path, *arguments: str) -> Ended:
    words = ["--root", toy, "--package", "toy", "--rooms", "core", "--start", "1", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(root / "packaging"), "XDG_CACHE_HOME": str(toy.parent / "cache")}
    command = [sys.executable, "-m", "devtools.mutate", *map(str, words)]
    return Ended(subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120))


def faults(tool: Any, tmp_path: Path, text: str) -> list[str]:
    """The changed lines of all faults of a text."""
    path = tmp_path / "module.py"
    path.write_text(text)
    source = tool("source").Source("toy.core.module", path)
    found = [(site, edit) for site in tool("sites").sites(source) for edit in site.edits]
    mutants = [tool("sample").Mutant(site, edit) for site, edit in found]
    return [line for mutant in mutants for line in changed_lines(mutant.difference())]


def changed_lines(difference: str) -> list[str]:
    return [line[1:].strip() for line in difference.splitlines() if line.startswith("+") and line[:3] != "+++"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a < b", {"return a <= b", "return a > b"}),
        ("return a is not b", {"return a is b"}),
        ("return a and b", {"return a or b", "return True and b", "return a and True"}),
        ("return any(a)", {"return all(a)"}),
        ("return a or 0.0", {"return a and 0.0", "return False or 0.0", "return a or 1.0"}),
        (
            "return a or 2",
            {"return a and 2", "return False or 2", "return a or False", "return a or 1", "return a or 3"},
        ),
        ("return zip(a, b, strict=True)", set()),
        ("return a.left()", {"return a.right()"}),
        ("return a * b", {"return a / b"}),
        ("return a[1]", {"return a[0]", "return a[2]"}),
        ("return a / (b or 1.0)", {"return a * (b or 1.0)"}),
        ("return (a - b).reshape(-1, 6)", {"return (a + b).reshape(-1, 6)"}),
        ("return 64.0", {"return 640.0", "return 0.0"}),
        ("return (a if a > b else b)", {"return (b if a > b else a)", "return (a if a < b else b)"}),
        ("return not (a)", {"return (a)"}),
        ("return [x for x in a if x]", {"return [x for x in a if True]"}),
        ("return sorted(a)", {"return sorted(a, reverse=True)"}),
        ("a.b = b", {"pass"}),
        ("a.b += b", {"pass", "a.b -= b"}),
        ("a(b)", {"pass"}),
        ("a = 'ü'; return -b", {"a = 'ü'; return b"}),
    ],
)
def test_a_fault_changes_one_span_of_a_line(tool: Any, tmp_path: Path, line: str, expected: set[str]) -> None:
    assert set(faults(tool, tmp_path, f"def f(a, b):\n    {line}\n")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "def f(a: 'list[3]') -> 'dict[1]':\n    '''3 > 2'''\n    return a\n",
        "if TYPE_CHECKING:\n    a = 1 + 1\n",
        "if __name__ == '__main__':\n    f(1)\n",
        "__all__ = ['a', *b[1]]\n",
        "_KEPT: Final = 32\n",
        "@lru_cache(maxsize=16)\ndef f(a):\n    return a\n",
        "@dataclass(frozen=True)\nclass A(Base, kw_only=True):\n    a: int\n",
        "def f(a):\n    _log.warning('not %s', a)\n",
        "def f(a, painter):\n    painter.setRenderHint(3)\n    return QPointF(0, 0.0)\n",
        "def f(a):\n    return f'{a:3} and {1 + 1}'\n",
    ],
)
def test_what_no_test_should_see_has_no_faults(tool: Any, tmp_path: Path, text: str) -> None:
    assert faults(tool, tmp_path, text) == []


def test_a_sample_is_the_same_for_a_seed_and_spread_over_all_modules(tool: Any, root: Path) -> None:
    sources = tool("project").Project(root).sources()[::8]
    first, again, other = (tool("sample").sample(sources, seed, 40) for seed in (1, 1, 2))
    assert [mutant.name for mutant in first] == [mutant.name for mutant in again]
    assert {mutant.name for mutant in first} != {mutant.name for mutant in other}
    assert len(first) == 40
    assert {mutant.room for mutant in first} >= {"analysis", "plot", "files", "presentation"}


def test_a_value_is_used_where_what_is_made_of_it_is_used(tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("A = 1\nB = made(A)\n\n\nclass C:\n    size: int = B\n\n\ndef use():\n    return C()\n")
    record, source = tool("record"), tool("source").Source("toy.core.module", path)
    tests = {"t": record.TestRecord(1.0, {"toy.core.module": 1}), "other": record.TestRecord(1.0, {})}
    records = record.Records(tests, record.users_of_names([source]), record.made_at_import([source]))
    site = tool("sites").sites(source)[0]
    assert records.of(tool("sample").Mutant(site, site.edits[0])) == ["t"]


def test_faults_are_noticed_left_over_or_never_end(toy: Path, root: Path) -> None:
    before = {path: path.read_bytes() for path in toy.rglob("*") if path.is_file()}
    ended = mutate(toy, root, "--count", "100")
    assert ended.code == 1
    assert ended.verdict("return value >= 10") == "noticed"
    assert ended.verdict("return value * 2") == "left over"
    assert re.search(r"size:19 .*: no tests \(no test passes here\)", ended.text)
    assert re.search(r"^timed out", ended.text, re.MULTILINE)
    assert {path: path.read_bytes() for path in toy.rglob("*") if path.is_file()} == before


def test_a_better_test_is_tried_on_what_was_left_over(toy: Path, root: Path) -> None:
    (toy / "toy/core/size.py").write_text("def halved(value):\n    return value / 2\n")
    test = toy / "tests/test_size.py"
    test.write_text("from toy.core.size import halved\n\n\ndef test_half():\n    assert halved(0) == 0\n")
    assert mutate(toy, root).code == 1
    test.write_text(test.read_text().replace("halved(0) == 0", "halved(6) == 3"))
    ended = mutate(toy, root, "--again")
    assert ended.code == 0
    assert re.search(r"^all +2 +0 +0 +0 +100.0%", ended.text, re.MULTILINE)


def test_a_test_that_fails_alone_has_noticed_nothing(toy: Path, root: Path) -> None:
    (toy / "toy/core/size.py").write_text("def halved(value):\n    return value / 2\n")
    (toy / "tests/test_size.py").write_text(
        "import toy.core.size as size\n\n\n"
        "def test_a():\n    size.halved(0)\n    size.before = True\n    sum(range(10**6))\n\n\n"
        "def test_b():\n    size.halved(0)\n    assert size.before\n"
    )
    ended = mutate(toy, root)
    assert ended.code == 1
    assert "fail without any fault: tests/test_size.py::test_b" in ended.text


def test_no_fault_is_begun_after_the_time_is_up(toy: Path, root: Path) -> None:
    ended = mutate(toy, root, "--minutes", "0")
    assert "killed  " not in ended.text.split("room")[0]


def test_tests_that_stand_where_the_module_stands_come_first_and_then_the_quick_ones(tool: Any) -> None:
    record = tool("record")
    times = {
        "tests/ui/test_far.py::a": 0.1,
        "tests/analysis/step/test_stacks.py::b": 2.0,
        "tests/analysis/step/test_other.py::c": 0.5,
        "tests/analysis/step/test_other.py::d": 2.0,
        "tests/analysis/test_stack.py::e": 0.2,
    }
    records = record.Records({name: record.TestRecord(seconds, {"m": 1}) for name, seconds in times.items()})
    order = [name[-1] for name in records.ordered(list(times), "explorer.analysis.step.stack")]
    assert order == ["b", "e", "c", "a", "d"]  # d would be more than the seconds for near ones
    assert record.closeness("tests/packaging/test_x.py::t", "explorer.analysis.step.stack") == 0
