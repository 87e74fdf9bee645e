"""Names that are cut never end in half a number."""

import pytest

from explorer.presentation.words.short_names import whole_numbers


@pytest.mark.parametrize(
    ("text", "kept", "begun"),
    [
        ("NVIDIA H100 SXM", "NVIDIA H1", "NVIDIA"),
        ("NVIDIA H100 SXM", "NVIDIA H100", "NVIDIA H100"),
        ("NVIDIA H100 SXM", "NVIDIA H100 S", "NVIDIA H100 S"),
        ("H100", "H1", ""),
        ("8 × H100", "8 × H", ""),
        ("PRO W7800 48GB", "PRO W7800 48", "PRO W7800"),
        ("RTX 4090 D", "RTX 40", "RTX"),
        ("gate_proj", "gate_p", "gate_p"),
        ("matmul 4,096 x 8", "matmul 4,0", "matmul"),
        ("矩阵乘法算子", "矩阵", "矩阵"),
        ("12 layers", "12", ""),
        ("name", "", ""),
    ],
)
def test_a_word_with_a_number_is_kept_whole_or_not_at_all(text: str, kept: str, begun: str) -> None:
    assert whole_numbers(text, kept) == begun
