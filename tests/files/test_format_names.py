"""Number formats under the names people give them."""

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.study.study import QuickModel, Workload
from explorer.files.catalogue import load_catalogue
from explorer.files.models.format_names import ALIASES, format_id, with_format_ids


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(devices=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q8_0", "Q8_0"),
        ("BF16", "bf16"),
        ("float16", "fp16"),
        ("F16", "fp16"),
        ("torch.bfloat16", "bf16"),
        (" int8 ", "int8"),
        ("iq4_xs", "IQ4_XS"),
        ("q8_0/f16", "Q8_0/fp16"),
    ],
)
def test_a_format_is_known_in_any_case_and_by_its_other_names(text: str, expected: str, catalogue: Catalogue) -> None:
    assert format_id(text, catalogue) == expected


@pytest.mark.parametrize("text", ["Q4_K_M", "q9", "", "16"])
def test_what_is_no_format_stays_as_written(text: str, catalogue: Catalogue) -> None:
    assert format_id(text, catalogue) == text


def test_every_other_name_is_of_a_format_there_is(catalogue: Catalogue) -> None:
    assert set(ALIASES.values()) <= set(catalogue.format_by_id)


def test_a_workload_keeps_what_it_leaves_open(catalogue: Catalogue) -> None:
    asked = Workload(weights="q4_0", kv=None, activations="F16")
    assert with_format_ids(asked, catalogue) == Workload(weights="Q4_0", kv=None, activations="fp16")


def test_a_quick_model_is_named_alike(catalogue: Catalogue) -> None:
    quick = QuickModel(params=1e9, layers=1, kv_heads=1, head_dim=64, weights="Q4_K", kv="q8_0")
    assert with_format_ids(quick, catalogue).kv == "Q8_0"
