"""Names of llama.cpp's mixes."""

import pytest

from explorer.analysis.catalogue.mixes import NAMES, mix_named, mix_of, row_format


@pytest.mark.parametrize(
    ("text", "name", "rules", "nearest"),
    [
        ("q4_k_m", "Q4_K_M", "Q4_K_M", False),
        (" IQ2_M ", "IQ2_M", "IQ2_M", False),
        ("mxfp4_moe", "MXFP4_MOE", "MXFP4_MOE", False),
        ("bf16", "BF16", "BF16", False),
        ("q4_k_l", "Q4_K_L", "Q4_K_M", False),
        ("Q3_K_XL", "Q3_K_XL", "Q3_K_L", False),
        ("ud-q3_k_xl", "UD-Q3_K_XL", "Q3_K_M", True),
        ("UD-IQ1_S", "UD-IQ1_S", "IQ1_S", True),
        ("Q4_K_XL", "Q4_K_XL", "Q4_K_M", True),
        ("UD-Q8_K_XL", "UD-Q8_K_XL", "Q8_0", True),
        ("i1-iq4_xs", "i1-IQ4_XS", "IQ4_XS", False),
        ("i1-Q4_K_M", "Q4_K_M", "Q4_K_M", False),
    ],
)
def test_a_mix_is_known_in_any_case_and_others_names_are_the_nearest(
    text: str, name: str, rules: str, nearest: bool
) -> None:
    mix = mix_named(text)
    assert mix is not None
    assert (mix.name, mix.rules, mix.nearest) == (name, rules, nearest)
    assert mix_of(mix.name) == mix


@pytest.mark.parametrize("text", ["", "Q4_K", "Q9_K_M", "int8", "fp16", "IQ4_K", "Q4_K_R4", "UD-", "Q4_K_M.gguf"])
def test_what_is_no_mix_means_none(text: str) -> None:
    assert mix_named(text) is None


def test_a_number_format_is_not_taken_for_the_mix_that_is_written_otherwise() -> None:
    assert (mix_of("bf16"), mix_of("q8_0"), mix_of(None)) == (None, None, None)
    assert mix_of("BF16") is not None


@pytest.mark.parametrize("name", NAMES)
def test_every_mix_has_a_format_for_a_row_of_its_own(name: str) -> None:
    assert row_format(name) == row_format(row_format(name))


def test_a_row_takes_the_format_of_most_matrices() -> None:
    assert [row_format(n) for n in ("Q4_K_M", "IQ2_M", "Q8_0", "F16", "fp8")] == [
        "Q4_K",
        "IQ2_S",
        "Q8_0",
        "fp16",
        "fp8",
    ]
