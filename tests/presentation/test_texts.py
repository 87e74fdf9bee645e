"""Every code that the program can say has a sentence, and every sentence can be filled."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import explorer.presentation.sentences as every_sentence
from explorer import presentation
from explorer.presentation.words.messages import TEMPLATES, Message, render

for found in pkgutil.walk_packages(presentation.__path__, "explorer.presentation."):
    importlib.import_module(found.name)  # a few register their sentences themselves

SPEAKERS = {"Problem", "Note", "Message", "Lever"}
CODE = re.compile(r"[a-z_0-9]+(\.[a-z_0-9]+)+")


def modules(root: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((root / "explorer").rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def calls(root: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every Problem(…), Note(…), Message(…) and Lever(…) written in the program."""
    for path, tree in modules(root):
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in SPEAKERS
                and node.args
            ):
                yield f"{path.relative_to(root)}:{node.lineno}", node


def codes(node: ast.expr) -> Iterator[str]:
    """The codes an argument can be, as far as they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from codes(node.body)
        yield from codes(node.orelse)


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def test_every_code_written_in_the_program_has_a_sentence(root: Path) -> None:
    unsaid = {
        f"{where}: {code}"
        for where, call in calls(root)
        for code in codes(call.args[0])
        if CODE.fullmatch(code) and code not in TEMPLATES
    }
    assert unsaid == set()


def test_codes_were_found_at_all(root: Path) -> None:
    found = {code for _, call in calls(root) for code in codes(call.args[0])}
    assert {"answer.rough", "note.no_launch", "study.twice", "device.id", "formula.value"} <= found


def test_values_written_beside_a_code_fill_its_sentence(root: Path) -> None:
    gaps = set()
    for where, call in calls(root):
        given = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "values")]
        written = next((a for a in given if isinstance(a, ast.Dict)), None)
        if written is None or any(key is None for key in written.keys):
            continue  # built elsewhere, or spread from another mapping
        names = {key.value for key in written.keys if isinstance(key, ast.Constant)}
        for code in codes(call.args[0]):
            missing = fields(TEMPLATES.get(code, "")) - names - {"path"}
            if missing:
                gaps.add(f"{where}: {code} lacks {', '.join(sorted(missing))}")
    assert gaps == set()


def test_a_sentence_without_values_needs_none(root: Path) -> None:
    for where, call in calls(root):
        if len(call.args) == 1 and not call.keywords:
            for code in codes(call.args[0]):
                assert fields(TEMPLATES.get(code, "")) == set(), where


def test_every_sentence_is_registered_once(root: Path) -> None:
    seen: dict[str, str] = {}
    twice = set()
    for path, tree in modules(root):
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "register"):
                continue
            table = node.args[0]
            keys = table.keys if isinstance(table, ast.Dict) else []
            for key in keys:
                if isinstance(key, ast.Constant) and str(key.value) in seen:
                    twice.add(f"{key.value} in {path.name} and {seen[str(key.value)]}")
                elif isinstance(key, ast.Constant):
                    seen[str(key.value)] = path.name
    assert twice == set()


def test_the_list_of_texts_names_every_module_of_texts(root: Path) -> None:
    listed = Path(every_sentence.__file__).read_text(encoding="utf-8")
    there = [p.relative_to(root).with_suffix("") for p in (root / "explorer" / "presentation").rglob("*texts.py")]
    assert [path for path in there if f"import {'.'.join(path.parts)}\n" not in listed] == []


@pytest.mark.parametrize("key", sorted(TEMPLATES))
def test_a_sentence_is_well_formed(key: str) -> None:
    template = TEMPLATES[key]
    assert template
    assert template == template.strip() or key.endswith("list")
    text = render(Message(key, dict.fromkeys(fields(template), 1)))
    assert "{" not in text
    assert text.count("<b>") == text.count("</b>")
