"""Work of single PyTorch operators: which arguments say how large they are, in which format, and what is not told."""

import math

import pytest

from explorer.analysis.step.costs import checked_costs, compile_kind
from explorer.analysis.step.rows import Row
from explorer.files.catalogue import load_catalogue
from explorer.files.importers.torch.work import Call, work

CATALOGUE = load_catalogue(devices=False)
F, H, D, B = "float", "c10::Half", "double", "c10::BFloat16"
NAMES = {F: "fp32", H: "fp16", D: "fp64", B: "bf16"}
BYTES = {F: 4, H: 2, D: 8, B: 2}


def of_kind(kind, dims, activations, weights=None, output=None):
    """FLOPs and bytes of a kind of operator in formats that are written as types of PyTorch."""
    second = NAMES[weights or activations]
    row = Row(
        name="x", kind=kind, dims=dims, weights=second, kv=second, activations=NAMES[activations],
        output=NAMES[output or activations],
    )  # fmt: skip
    costs = checked_costs(row, compile_kind(CATALOGUE.kind_by_id[kind]), dict(CATALOGUE.format_by_id))
    return float(costs.flops), float(costs.bytes_read) + float(costs.bytes_written)


def codes(found):
    return [n.code for n in found.notes]


def product(m, n, k, x, w):
    """FLOPs, bytes and format of a matrix product whose operands are of two types."""
    return 2.0 * m * n * k, float(m * k * BYTES[x] + n * k * BYTES[w] + m * n * BYTES[x]), NAMES[x]


MATMULS = [
    ("aten::mm", [[3, 5], [5, 7]], [F, H], product(3, 7, 5, F, H)),
    ("aten::matmul", [[2, 3, 5], [5, 7]], [H, F], product(6, 7, 5, H, F)),
    ("aten::matmul", [[2, 3, 5], [4, 7]], [H, F], None),
    ("aten::matmul", [[5], [5, 7]], [H, F], None),
    ("aten::_int_mm", [[3, 5], [5, 7]], [F, H], product(3, 7, 5, F, H)),
    ("aten::_scaled_mm", [[3, 5], [5, 7]], [F, H], product(3, 7, 5, F, H)),
    ("aten::addmm", [[7], [3, 5], [5, 7]], [D, F, H], product(3, 7, 5, F, H)),
    ("aten::_addmm_activation", [[7], [3, 5], [5, 7]], [D, F, H], product(3, 7, 5, F, H)),
    ("aten::linear", [[2, 3, 5], [7, 5], [7]], [F, H, D], product(6, 7, 5, F, H)),
    ("aten::linear", [[5], [7, 5]], [F, H], product(1, 7, 5, F, H)),
    ("aten::linear", [[2, 3, 5], [5, 7]], [F, H], None),
    ("aten::linear", [[2, 3, 5], [5]], [F, H], None),
    ("aten::linear", [[], [7, 5]], [F, H], None),
    ("aten::mkldnn_linear", [[3, 5], [7, 5]], [F, H], product(3, 7, 5, F, H)),
    ("mkldnn::_linear_pointwise", [[3, 5], [7, 5]], [F, H], product(3, 7, 5, F, H)),
    ("aten::mv", [[3, 5], [5]], [F, H], product(1, 3, 5, H, F)),
    ("aten::mv", [[3, 5], [3]], [F, H], None),
    ("aten::mv", [[3, 5], [5, 1]], [F, H], None),
    ("aten::mv", [[2, 3, 5], [3]], [F, H], None),
    ("aten::addmv", [[3], [3, 5], [5]], [D, F, H], product(1, 3, 5, H, F)),
    ("aten::mm", [[3, 5], [7, 5]], [F, H], None),
    ("aten::mm", [[3, 5], [5]], [F, H], None),
    ("aten::mm", [[3, 5]], [F], None),
    ("aten::bmm", [[3, 5], [5, 7]], [F, F], None),
    ("aten::bmm", [[2, 3, 5], [4, 5, 7]], [F, F], None),
    ("aten::bmm", [[2, 3, 5], [2, 7, 5]], [F, F], None),
]


@pytest.mark.parametrize(("name", "dims", "types", "expected"), MATMULS)
def test_a_matrix_product_is_sized_by_its_operands_and_by_nothing_else(name, dims, types, expected):
    found = work(Call(name, dims, types, []), CATALOGUE)
    assert (found.flops, found.bytes, found.format) == (expected or (None, None, ""))
    assert codes(found) == ([] if expected else ["import.no_formula"])


@pytest.mark.parametrize(
    ("name", "dims", "types"),
    [
        ("aten::bmm", [[6, 3, 5], [6, 5, 7]], [F, H]),
        ("aten::matmul", [[2, 3, 3, 5], [2, 3, 5, 7]], [F, H]),
        ("aten::baddbmm", [[6, 3, 7], [6, 3, 5], [6, 5, 7]], [D, F, H]),
    ],
)
def test_a_batch_of_products_is_sized_by_all_dims_before_the_last_two(name, dims, types):
    found = work(Call(name, dims, types, []), CATALOGUE)
    assert (found.flops, found.bytes) == of_kind("batched_matmul", {"b": 6, "m": 3, "n": 7, "k": 5}, F, H)
    assert (found.format, codes(found)) == ("fp32", [])


@pytest.mark.parametrize(("stored", "leaves"), [("c10::Float8_e4m3fn", 2), ("signed char", 4)])
def test_small_operands_leave_a_product_in_wider_numbers(stored, leaves):
    found = work(Call("aten::_scaled_mm", [[3, 5], [5, 7]], [stored] * 2, []), CATALOGUE)
    assert found.bytes == 3 * 5 + 5 * 7 + leaves * 3 * 7


LIGHT = [
    ("aten::relu", [[2, 3]], [F], [], ("relu", {"values": 6}, F)),
    ("aten::clamp_min_", [[2, 3], [5]], [F, H], [], ("relu", {"values": 6}, F)),
    ("aten::silu", [[2, 3]], [H], [], ("silu", {"values": 6}, H)),
    ("aten::_softmax", [[2, 3]], [F], [], ("softmax", {"values": 6}, F)),
    ("aten::sum", [[2, 3]], [F], [], ("reduction", {"values": 6}, F)),
    ("aten::gelu", [[2, 3]], [F], ["", "tanh"], ("gelu", {"values": 6}, F)),
    ("aten::gelu_", [[2, 3]], [F], ["", "none"], ("gelu", {"values": 6}, F)),
    ("aten::gelu", [[2, 3]], [F], [], ("gelu", {"values": 6}, F)),
    ("aten::gelu", [[2, 3]], [F], ["tanh", "erf"], None),
    ("aten::add", [[2, 3], [2, 3]], [F, F], [], ("residual_add", {"values": 6}, F)),
    ("aten::add", [[2, 3], [2, 3]], [F, H], [], None),
    ("aten::add", [[2, 3], [3]], [F, F], [], None),
    ("aten::mul_", [[2, 3], []], [F, H], [], ("scale", {"values": 6}, F)),
    ("aten::mul", [[2, 3], [1, 1]], [F, H], [], ("scale", {"values": 6}, F)),
    ("aten::div", [[1, 1], [1, 1]], [F, H], [], ("scale", {"values": 1}, F)),
    ("aten::copy_", [[2, 3], [2, 3]], [F, F], [], ("copy", {"values": 6}, F)),
    ("aten::copy_", [[2, 3], [2, 3]], [F, D], [], ("cast", {"values": 6}, D, D, F)),
    ("aten::copy_", [[2, 3], [3]], [F, F], [], None),
    ("aten::embedding", [[11, 5], [2, 3]], [F, "long"], [], ("embedding", {"tokens": 6, "hidden": 5, "vocab": 11}, F)),
    ("aten::embedding", [[11, 5, 1], [2, 3]], [F, "long"], [], None),
    ("aten::embedding", [[11, 5], []], [F, "long"], [], None),
    ("aten::rms_norm", [[2, 3, 4], [], [3, 4]], [F, "", H], [], ("rms_norm", {"rows": 2, "channels": 12}, F, H)),
    ("aten::_fused_rms_norm", [[2, 3, 4]], [F], [], ("rms_norm", {"rows": 6, "channels": 4}, F)),
    ("aten::rms_norm", [[2, 3], [], [4]], [F, "", F], [], None),
    ("aten::rms_norm", [[2, 0]], [F], [], None),
    (
        "aten::native_layer_norm", [[2, 3, 4], [], [4], [4]], [F, "", H, H], [],
        ("layer_norm", {"rows": 6, "channels": 4, "per_channel": 2}, F, H),
    ),
    (
        "aten::layer_norm", [[2, 3, 4], [], [4], []], [F, "", H, ""], [],
        ("layer_norm", {"rows": 6, "channels": 4, "per_channel": 1}, F, H),
    ),
    (
        "aten::layer_norm", [[2, 3, 4], [], [], []], [F, "", "", ""], [],
        ("layer_norm", {"rows": 6, "channels": 4, "per_channel": 0}, F),
    ),
    ("aten::relu", [[], [3]], [F, F], [], None),
    ("aten::tanh", [[3]], [F], [], None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "dims", "types", "values", "expected"), LIGHT)
def test_a_light_operator_is_that_kind_of_the_catalogue_with_the_sizes_of_its_tensors(
    name, dims, types, values, expected
):
    found = work(Call(name, dims, types, values), CATALOGUE)
    if expected is None:
        assert (found.flops, found.bytes, codes(found)) == (None, None, ["import.no_formula"])
    else:
        assert (found.flops, found.bytes) == of_kind(*expected)
        assert (found.format, codes(found)) == (NAMES[expected[2]], [])


Q, K, V = [2, 8, 16, 64], [2, 4, 16, 64], [2, 4, 16, 32]  # batch, heads, tokens, size of a head
HEADS_FIRST = {
    "aten::scaled_dot_product_attention": 5,
    "aten::_scaled_dot_product_flash_attention": 4,
    "aten::_scaled_dot_product_flash_attention_for_cpu": 4,
    "aten::_scaled_dot_product_efficient_attention": 6,
    "aten::_scaled_dot_product_cudnn_attention": 6,
}
TOKENS_FIRST = {"aten::_flash_attention_forward": 8}


def attention(name, q=Q, k=K, v=V, values=(), types=(F, H, D)):
    if name in TOKENS_FIRST:
        q, k, v = ([s[0], s[2], s[1], *s[3:]] for s in (q, k, v))
    return work(Call(name, [q, k, v], list(types), list(values)), CATALOGUE)


def attended(causal, queries=16, keys=16):
    dims = {"b": 2, "heads": 8, "kv_heads": 4, "S_q": queries, "S_k": keys, "D_qk": 64, "D_v": 32, "causal": causal}
    return of_kind("attention", dims, F, H)


@pytest.mark.parametrize(("name", "at"), [*HEADS_FIRST.items(), *TOKENS_FIRST.items()])
@pytest.mark.parametrize("causal", [True, False])
def test_the_mask_is_told_by_one_argument_of_each_attention(name, at, causal):
    values = [str(not causal)] * 10
    values[at] = str(causal)
    found = attention(name, values=values)
    assert ((found.flops, found.bytes), found.format, codes(found)) == (attended(float(causal)), "fp32", [])


@pytest.mark.parametrize("name", [*HEADS_FIRST, *TOKENS_FIRST])
def test_a_mask_that_was_not_recorded_is_asked_for_unless_there_is_one_query(name):
    assert codes(attention(name)) == ["import.mask_unknown"]
    one = attention(name, q=[2, 8, 1, 64], values=["True"] * 10)
    assert (one.flops, one.bytes) == attended(0.0, queries=1)


def test_a_causal_mask_over_fewer_queries_than_keys_is_known_for_the_kernel_that_aligns_it_alone():
    few = {"q": [2, 8, 4, 64], "values": ["True"] * 10}
    assert codes(attention("aten::scaled_dot_product_attention", **few)) == ["import.mask_unknown"]
    assert codes(attention("aten::_flash_attention_forward", **few)) == []


def test_the_backward_pass_of_attention_takes_two_and_a_half_times_the_work_and_tells_no_bytes():
    name = "aten::_scaled_dot_product_efficient_attention_backward"
    dims = [[2, 8, 16, 32], [2, 8, 1, 64], [2, 4, 16, 64], [2, 4, 16, 32]]
    found = work(Call(name, dims, [D, F, H, H], []), CATALOGUE)
    flops, _ = of_kind(
        "attention",
        {"b": 2, "heads": 8, "kv_heads": 4, "S_q": 1, "S_k": 16, "D_qk": 64, "D_v": 32, "causal": 0.0},
        F,
        H,
    )
    assert (found.flops, found.bytes, found.format) == (2.5 * flops, None, "fp32")
    assert codes(found) == ["import.backward_bytes"]


@pytest.mark.parametrize("short", [0, 1, 2])
def test_attention_whose_tensors_have_not_four_dims_has_no_formula(short):
    shapes = [Q, K, V]
    shapes[short] = shapes[short][1:]
    assert codes(attention("aten::scaled_dot_product_attention", *shapes)) == ["import.no_formula"]


X, W = [2, 6, 17, 19], [10, 3, 3, 5]  # images and weights of a convolution in two groups
CONV_AT = {
    "aten::conv2d": (3, 4, 5),
    "aten::convolution": (3, 4, 5),
    "aten::_convolution": (3, 4, 5),
    "aten::convolution_overrideable": (3, 4, 5),
    "aten::cudnn_convolution_relu": (3, 4, 5),
    "aten::cudnn_convolution": (3, 2, 4),
    "aten::miopen_convolution": (4, 3, 5),
    "aten::mkldnn_convolution": (4, 3, 5),
    "aten::thnn_conv2d": (4, 5, None),
    "aten::_slow_conv2d_forward": (4, 5, None),
    "aten::slow_conv2d_forward": (4, 5, None),
    "aten::_conv_depthwise2d": (4, 5, 6),
}


def convolution(name, x=X, w=W, stride="[2, 3]", padding="[1, 4]", dilation="[2, 1]", types=(F, H), more=()):
    """With the values at the places that this operator has them, and none elsewhere."""
    values = [""] * 9
    for at, text in zip(CONV_AT[name], (stride, padding, dilation), strict=True):
        if at is not None:
            values[at] = text
    for at, text in more:
        values[at] = text
    return work(Call(name, [x, w], list(types), values), CATALOGUE)


@pytest.mark.parametrize("name", CONV_AT)
def test_stride_padding_and_dilation_stand_where_each_convolution_has_them(name):
    found = convolution(name)
    dilation = [2, 1] if CONV_AT[name][2] is not None else [1, 1]
    out = [
        (size + 2 * pad - dil * (kernel - 1) - 1) // step + 1
        for size, kernel, step, pad, dil in zip([17, 19], [3, 5], [2, 3], [1, 4], dilation, strict=True)
    ]
    values = 2 * 10 * math.prod(out)
    assert found.flops == 2 * values * 3 * 3 * 5
    assert found.bytes == 4 * (math.prod(X) + values) + 2 * math.prod(W)
    assert (found.format, codes(found)) == ("fp32", [])


@pytest.mark.parametrize("at", [3, 4, 5])
def test_one_size_stands_for_all_dims_of_a_convolution(at):
    texts = {3: "stride", 4: "padding", 5: "dilation"}
    one, both = (convolution("aten::conv2d", **{texts[at]: t}) for t in ("[2]", "[2, 2]"))
    assert one == both
    assert one != convolution("aten::conv2d", **{texts[at]: "[1]"})


def test_a_convolution_in_one_dimension_has_work():
    found = convolution("aten::conv2d", [2, 6, 9], [10, 6, 3], "[1]", "[0]", "[1]")
    assert found.flops == 2 * 2 * 10 * 7 * 6 * 3


@pytest.mark.parametrize("text", ["", "[", "3", "{}", "[1, 2, 3]", "[-1, 1]", "[1.5, 1]", f"[{2**31}, 1]", "[]"])
def test_a_stride_or_padding_that_was_not_recorded_well_is_asked_for(text):
    for change in ("stride", "padding"):
        assert codes(convolution("aten::conv2d", **{change: text})) == ["import.stride_unknown"]


def test_the_largest_padding_that_a_convolution_can_have_is_read():
    assert codes(convolution("aten::conv2d", padding=f"[{2**31 - 1}, 0]")) == []


@pytest.mark.parametrize(
    "change",
    [
        {"x": [6, 17], "w": [10, 3], "stride": "[]", "padding": "[]"},
        {"w": [10, 3, 3]},
        {"x": [2, 6, 2, 19], "padding": "[0, 4]"},
        {"more": [(6, "True")]},
    ],
)
def test_what_is_no_plain_convolution_has_no_formula(change):
    assert codes(convolution("aten::convolution", **change)) == ["import.no_formula"]


@pytest.mark.parametrize("name", ["aten::convolution", "aten::_convolution", "aten::convolution_overrideable"])
def test_a_transposed_convolution_is_told_by_its_seventh_argument_and_by_no_other(name):
    assert codes(convolution(name, more=[(6, "True")])) == ["import.no_formula"]
    assert codes(convolution(name, more=[(0, "True"), (6, "False"), (7, "True")])) == []


def test_a_convolution_backward_has_no_formula():
    values = ["", "", "", "[1, 1]", "[0, 0]", "[1, 1]"]
    found = work(Call("aten::convolution_backward", [X, W], [F, F], values), CATALOGUE)
    assert codes(found) == ["import.no_formula"]


def test_a_convolution_with_an_output_of_one_value_each_has_work():
    assert convolution("aten::conv2d", [1, 1, 3, 3], [1, 1, 3, 3], "[1]", "[0]", "[1]").flops == 18


def test_a_convolution_of_no_channels_is_unknown():
    assert codes(convolution("aten::conv2d", w=[0, 3, 3, 5])) == ["import.stride_unknown"]


@pytest.mark.parametrize(
    ("types", "form"), [(["odd", F], ""), ([F, "odd"], "fp32"), ([F], "fp32"), ([3, F], ""), ([], "")]
)
def test_a_type_that_is_not_known_leaves_the_bytes_of_a_convolution_open(types, form):
    found = convolution("aten::conv2d", types=types)
    assert (found.bytes, found.format, codes(found)) == (None, form, ["import.no_types"])
    assert found.flops == convolution("aten::conv2d").flops


@pytest.mark.parametrize("types", [[], ["odd", "odd"], [None]])
def test_a_product_of_unknown_types_has_flops_and_no_bytes(types):
    found = work(Call("aten::mm", [[3, 5], [5, 7]], types, []), CATALOGUE)
    assert (found.flops, found.bytes, found.format, codes(found)) == (210.0, None, "", ["import.no_types"])


@pytest.mark.parametrize("dims", [[], [[], []], [None], ["x", 3]])
def test_a_call_without_shapes_says_so(dims):
    assert codes(work(Call("aten::mm", dims, [F, F], []), CATALOGUE)) == ["import.no_shapes"]


@pytest.mark.parametrize(
    ("shape", "sound"),
    [
        ([1] * 8, True), ([1] * 9, False), ([2**50 - 1], True), ([2**50], False), ([0], True), ([-1], False),
        ([1.5], False), (["1"], False), ("x", False), ({"a": 1}, False), ([4, -1], False), ([-1, 4], False),
        ([4, 2.5], False), ([[4], 2], False), ([4, None], False), ([4, 2**50], False),
    ],
)  # fmt: skip
def test_a_shape_is_a_short_list_of_sizes_that_can_be(shape, sound):
    call = Call("aten::relu", [shape, [1]], [F], [])
    assert call.shape(0) == (shape if sound else [])
    assert call.shape(2) == []


def test_arguments_beyond_the_recorded_ones_say_nothing():
    call = Call("aten::relu", [[1]], [F, 7], ["a", 7])
    assert [call.format(i) for i in range(3)] == ["fp32", None, None]
    assert [call.value(i) for i in (0, 1, 2, None)] == ["a", "", "", ""]
