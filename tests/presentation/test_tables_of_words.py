"""Bounds, phases and parts have a line in every table of words and colours: what is added to one is added to all."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

import explorer
import explorer.presentation.sentences
from explorer.analysis.step.phases.registry import PHASES
from explorer.analysis.step.resources import BOUND_OF, BOUNDS, Bound
from explorer.presentation.palette import THEMES, bound_colour, part_colour
from explorer.presentation.words.bounds import ALWAYS_COUNTED, BOUND_CELLS, BOUND_ORDER
from explorer.presentation.words.messages import TEMPLATES
from explorer.presentation.words.parts import PARTS
from tests.presentation.llama import evaluated

# Elsewhere these words would be a phase compared by its name; here they are something else, or another tool's.
PHASE_WORDS = {
    "analysis/step/phases/ids.py": "the ids themselves",
    "presentation/words/phases.py": "the words",
    "presentation/actions.py": "names of actions",
    "ui/actions.py": "names of actions",
    "presentation/views/declared.py": "the view of the batch",
    "presentation/views/decode.py": "the view of the batch",
    "ui/views/decode_tab.py": "the view of the batch",
    "presentation/answer/json_result.py": "a key of the public JSON",
    "files/importers/llama/rows.py": "tests of llama-bench",
}


def forms(lead: str, name: str) -> set[str]:
    return {key.removeprefix(f"{lead}.{name}") for key in TEMPLATES if re.fullmatch(rf"{lead}\.{name}(\..+)?", key)}


def test_every_bound_has_a_line_in_every_table() -> None:
    assert set(get_args(Bound)) == set(BOUNDS) == set(BOUND_OF.values())
    assert set(BOUND_ORDER) == set(BOUND_CELLS) == set(BOUNDS) >= set(ALWAYS_COUNTED)
    for theme in THEMES.values():
        assert tuple(name for name, _ in theme.bounds) == BOUND_ORDER
        assert len({bound_colour(theme, b) for b in BOUNDS}) == len(BOUNDS)
    everyone = {"", *forms("bound", "any")}
    assert everyone == {"", ".first", ".waits", ".counted", ".sentence", ".why"}
    assert all("" in forms("bound", b) for b in BOUNDS)  # what it lacks else is said with its word
    assert {form for b in BOUNDS for form in forms("bound", b)} - everyone == {
        ".remark", ".every", ".every_one", ".nearly",
    }  # fmt: skip


def test_every_part_of_what_is_held_has_words_and_a_colour() -> None:
    assert set(evaluated().memory.parts) == set(PARTS)
    for part in PARTS:
        assert forms("part", part) == {"", ".short", ".sized"}
        assert all(part_colour(theme, part) for theme in THEMES.values())


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_has_words(phase: str) -> None:
    said = {".subject", ".title", ".answer", ".answer_one", ".routed", ".routed_one"}
    assert forms("phase", phase) == {"", ".listed", ".context", *said}


def test_nobody_compares_a_phase_by_its_name() -> None:
    top = Path(explorer.__file__).parent
    named = {p.relative_to(top).as_posix(): set(PHASES) & texts_of(p) for p in top.rglob("*.py")}
    own = {f"analysis/step/phases/{phase}.py" for phase in PHASES}  # a phase's own file may say its id
    assert {path for path, found in named.items() if found} - own == set(PHASE_WORDS)


def texts_of(path: Path) -> set[object]:
    """Every whole text that stands in a module's code."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}


def test_nobody_takes_a_memory_level_by_its_place() -> None:
    top = Path(explorer.__file__).parent
    found = {path.relative_to(top).as_posix() for path in top.rglob("*.py") if "memory[0]." in path.read_text("utf-8")}
    assert found <= {"analysis/catalogue/device_check.py"}  # the path of a field in a message
