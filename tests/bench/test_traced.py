"""Operators that torch dispatched become rows with our own formulas; what no kind says is listed, never guessed."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Study
from explorer.bench.protocol import TracedOperator
from explorer.bench.traced import traced_rows

BF16 = "bfloat16"


def seen(op: str, inputs: list, outputs: list, module: str = "", dtype: str = BF16, **more: object) -> TracedOperator:
    return TracedOperator(
        op=op,
        module=module,
        inputs=tuple((dtype, tuple(s)) for s in inputs),
        outputs=tuple((dtype, tuple(s)) for s in outputs),
        **more,
    )


def costs(catalogue, *operators):
    rows = traced_rows(operators).rows
    evaluation = evaluate(Study(operators=rows), catalogue)
    assert evaluation.problems == ()
    return [(c.flops, c.bytes_read + c.bytes_written) for c in evaluation.costs]


def test_a_linear_layer_is_a_matmul_with_its_products(catalogue):
    layer = seen("aten::addmm", [[30], [10, 20], [20, 30]], [[10, 30]], "fc")
    assert costs(catalogue, layer) == [(2 * 10 * 20 * 30, 2 * (10 * 20 + 20 * 30 + 10 * 30))]


def test_repeated_layers_are_one_row_with_a_count():
    layers = [seen("aten::mm", [[4, 8], [8, 8]], [[4, 8]], f"model.layers.{i}.self_attn.q_proj") for i in range(12)]
    (row,) = traced_rows(layers).rows
    assert (row.name, row.count, row.weights) == ("q_proj", 12, "bf16")


def test_rows_are_told_apart_by_as_little_of_their_path_as_it_takes():
    found = traced_rows(
        [seen("aten::mm", [[4, 8], [8, n]], [[4, n]], f"{where}.c_proj") for n, where in ((8, "attn"), (9, "mlp"))]
    )
    assert [r.name for r in found.rows] == ["attn.c_proj", "mlp.c_proj"]


def test_a_convolution_has_its_stride_and_padding(catalogue):
    arguments = (None, None, None, (2, 2), (3, 3), (1, 1), False, (0, 0), 1)
    first = seen("aten::convolution", [[4, 3, 224, 224], [64, 3, 7, 7]], [[4, 64, 112, 112]], arguments=arguments)
    assert costs(catalogue, first)[0][0] == 2 * 4 * 64 * 112 * 112 * 3 * 7 * 7


def test_a_transposed_convolution_has_the_products_of_the_one_it_undoes(catalogue):
    arguments = (None, None, None, (2, 2), (1, 1), (1, 1), True, (0, 0), 1)
    up = seen("aten::convolution", [[4, 128, 56, 56], [128, 64, 4, 4]], [[4, 64, 112, 112]], arguments=arguments)
    assert costs(catalogue, up)[0][0] == 2 * 4 * 128 * 56 * 56 * 64 * 4 * 4


def test_dilated_and_unevenly_padded_convolutions_keep_their_products(catalogue):
    dilated = (None, None, None, (1, 1), (2, 2), (2, 2), False, (0, 0), 1)
    same = seen("aten::convolution", [[1, 8, 32, 32], [8, 8, 3, 3]], [[1, 8, 32, 32]], arguments=dilated)
    flat = (None, None, None, (1, 1), (0, 3), (1, 1), False, (0, 0), 1)
    wide = seen("aten::convolution", [[1, 8, 32, 32], [8, 8, 1, 7]], [[1, 8, 32, 32]], "b", arguments=flat)
    assert [c[0] for c in costs(catalogue, same, wide)] == [2 * 8 * 32 * 32 * 8 * 9, 2 * 8 * 32 * 32 * 8 * 7]


def test_attention_is_one_row_counted_by_its_mask(catalogue):
    shapes = [[2, 8, 64, 32], [2, 2, 64, 32], [2, 2, 64, 32]]
    one = seen("scaled_dot_product_attention", shapes, [[2, 8, 64, 32]], flags={"is_causal": True})
    assert costs(catalogue, one)[0][0] == 2 * 2 * 8 * (64 * 65 / 2) * (32 + 32)


def test_views_and_the_making_of_tensors_are_no_operators():
    found = traced_rows([seen("aten::_unsafe_view", [[4]], [[2, 2]]), seen("aten::randn", [], [[4]])])
    assert found.rows == found.unknown == ()


def test_an_operator_that_no_kind_says_is_listed_with_its_bytes():
    pool = seen("aten::max_pool2d", [[4, 64, 8, 8]], [[4, 64, 4, 4]], "pool", count=3)
    (unknown,) = traced_rows([pool]).unknown
    assert (unknown.name, unknown.module, unknown.count) == ("max_pool2d", "pool", 3)
    assert (unknown.bytes_read, unknown.bytes_written) == (2 * 4 * 64 * 64, 2 * 4 * 64 * 16)


def test_an_operator_of_a_form_not_met_before_is_listed_too():
    odd = seen("aten::convolution", [[4, 3, 8, 8, 8], [4, 3, 3, 3, 3]], [[4, 4, 6, 6, 6]], arguments=(None, [1]))
    assert [u.name for u in traced_rows([odd]).unknown] == ["convolution"]


shapes = st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=4)
names = st.sampled_from(
    [
        "mm",
        "bmm",
        "addmm",
        "convolution",
        "native_layer_norm",
        "embedding",
        "gelu",
        "add",
        "copy_",
        "cat",
        "sum",
        "_softmax",
    ]
)


@given(names, shapes, shapes, st.lists(st.none() | st.integers() | st.lists(st.integers(0, 3)), max_size=9))
def test_no_shapes_whatever_break_it(name, inputs, outputs, arguments):
    operator = seen(f"aten::{name}", inputs, outputs, arguments=tuple(arguments))
    found = traced_rows([operator, operator])
    assert all(r.count == 2 for r in found.rows)
