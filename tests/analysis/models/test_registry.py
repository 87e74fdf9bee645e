"""Families: each model type is declared once, by the module that the table names, and loaded when it is asked for."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

from explorer.analysis.models import families, registry
from explorer.analysis.models.registry import MODULES, declared, reader_of, supported

FEWEST = 79  # model types that have been read


def test_no_model_type_is_lost() -> None:
    assert len(supported()) >= FEWEST
    assert all(reader_of(model_type) for model_type in supported())


def test_no_model_type_is_declared_twice() -> None:
    types = [t for module in MODULES for family in declared(module) for t in family.model_types]
    assert [t for t, count in Counter(types).items() if count > 1] == []


def test_every_line_of_the_table_names_what_its_module_declares() -> None:
    found = {module: tuple(t for family in declared(module) for t in family.model_types) for module in MODULES}
    assert found == MODULES


def test_every_module_that_declares_families_has_its_line() -> None:
    place = Path(families.__path__[0])
    modules = {p: p.relative_to(place).with_suffix("").parts for p in place.glob("*/*.py")}
    declaring = {".".join(parts) for p, parts in modules.items() if "\nFAMILIES: " in p.read_text(encoding="utf-8")}
    assert declaring == set(MODULES)


def test_one_config_loads_no_other_kind_of_family() -> None:
    program = (
        "import sys; from explorer.analysis.models.registry import reader_of; print(reader_of('llama').label,"
        f" sum(m.startswith('{families.__name__}.') and m.count('.') > 4 for m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(registry.__file__).parents[3],
    )
    assert done.stdout.split() == ["Llama", "1"]


def test_an_unknown_model_type_has_no_reader() -> None:
    assert reader_of("no-such-type") is None
