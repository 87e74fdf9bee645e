"""The line over a copied table: what its figures hold for."""

from msgspec.structs import replace

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import View
from explorer.files.typed.pasted import parse_rows
from explorer.presentation.tables.conditions import MARK, conditions_text
from tests.presentation.llama import catalogue, device, evaluated, study


def test_work_formats_launch_device_and_baseline_are_named() -> None:
    base = replace(study(device(), device("Other"), batch=1024, kv="fp8"), view=View(baseline="other"))
    assert conditions_text(evaluate(base, catalogue())) == (
        "Llama-3.1-8B, decode, batch 1,024, context 4,096, weights bf16, activations bf16, KV fp8, launch graph, "
        "on Round accelerator, ratios to Other accelerator"
    )


def test_without_a_model_the_operators_are_counted() -> None:
    assert conditions_text(evaluated(model=False)).startswith("0 operators, launch graph")


def test_a_name_is_no_formula_and_ends_no_cell() -> None:
    base = study()
    named = replace(base, models=(replace(base.models[0], name="=1+1\t2"),))
    text = conditions_text(evaluate(named, catalogue()))
    assert "\t" not in text
    assert not text.startswith("=")


def test_a_paste_passes_the_line_over_and_nothing_else_that_begins_so() -> None:
    rows, problems = parse_rows(f"{MARK}Llama, decode\nOperator\tKind\nmine\tmatmul\n", catalogue())
    assert ([r.name for r in rows], problems) == (["mine"], ())
    rows, problems = parse_rows(f"{MARK}mine\tmatmul\nother\tmatmul\n", catalogue())
    assert ([r.name for r in rows], problems) == (["# mine", "other"], ())
