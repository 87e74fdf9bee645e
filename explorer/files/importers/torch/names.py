"""What PyTorch's operators are to a roofline: heavy ones, light ones, copies, and those that do no work."""

from typing import Final

NOTHING, UNKNOWN, COPY, LIGHT, HEAVY = range(5)

MATMULS: Final = {
    "aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::linear", "aten::matmul", "aten::mv", "aten::addmv",
    "aten::_scaled_mm", "aten::_int_mm", "aten::mkldnn_linear", "aten::_addmm_activation", "mkldnn::_linear_pointwise",
}  # fmt: skip
CONVOLUTIONS: Final = {
    "aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::convolution", "aten::_convolution",
    "aten::cudnn_convolution", "aten::cudnn_convolution_relu", "aten::miopen_convolution", "aten::mkldnn_convolution",
    "aten::thnn_conv2d", "aten::_slow_conv2d_forward", "aten::slow_conv2d_forward", "aten::_conv_depthwise2d",
    "aten::convolution_overrideable", "aten::convolution_backward",
}  # fmt: skip
ATTENTIONS: Final = {
    "aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention",
    "aten::_scaled_dot_product_flash_attention_for_cpu", "aten::_scaled_dot_product_efficient_attention",
    "aten::_scaled_dot_product_cudnn_attention", "aten::_flash_attention_forward",
    "aten::_efficient_attention_forward", "flash_attn::_flash_attn_forward",
    "aten::_scaled_dot_product_flash_attention_backward", "aten::_flash_attention_backward",
    "aten::_scaled_dot_product_efficient_attention_backward", "aten::_efficient_attention_backward",
    "flash_attn::_flash_attn_backward",
}  # fmt: skip
WITH_VALUES: Final = CONVOLUTIONS | ATTENTIONS | {"aten::gelu", "aten::gelu_"}  # whose work depends on plain arguments
LIGHTS: Final = {
    "aten::layer_norm", "aten::native_layer_norm", "aten::rms_norm", "aten::_fused_rms_norm", "aten::softmax",
    "aten::_softmax", "aten::relu", "aten::relu_", "aten::clamp_min", "aten::clamp_min_", "aten::silu", "aten::silu_",
    "aten::gelu", "aten::gelu_", "aten::add", "aten::add_", "aten::sub", "aten::sub_", "aten::mul", "aten::mul_",
    "aten::div", "aten::div_", "aten::embedding", "aten::index_select", "aten::sum", "aten::mean",
}  # fmt: skip
COPIES: Final = {"aten::copy_", "aten::fill_", "aten::zero_"}
_NONE: Final = {
    "empty", "empty_like", "empty_strided", "view", "reshape", "_reshape_alias", "as_strided", "as_strided_", "t", "T",
    "mT", "transpose", "transpose_", "permute", "expand", "expand_as", "slice", "select", "narrow", "squeeze",
    "squeeze_", "unsqueeze", "unsqueeze_", "detach", "detach_", "alias", "resize_", "resize_as_", "resolve_conj",
    "resolve_neg", "_unsafe_view", "chunk", "split", "split_with_sizes", "unsafe_split", "unsafe_chunk", "unbind",
    "item", "_local_scalar_dense", "result_type", "is_nonzero", "lift_fresh", "contiguous", "to", "_to_copy", "set_",
    "record_stream", "broadcast_tensors", "zeros", "zeros_like", "ones", "ones_like", "full", "full_like", "arange",
    "unfold", "flatten", "unflatten", "movedim", "moveaxis", "swapaxes", "view_as", "numel", "size", "stride", "clone",
    "_nnpack_available", "can_cast", "expand_inplace", "new_empty", "new_zeros", "new_empty_strided", "dropout",
    "einsum", "_has_compatible_shallow_copy_type", "_version", "is_same_size", "real", "view_as_real",
    "view_as_complex", "diagonal", "requires_grad_", "_cuda_getCurrentRawStream", "scalar_tensor",
}  # fmt: skip
NONE: Final = {f"aten::{name}" for name in _NONE}


def class_of(name: str) -> int:
    """How much an operator is, by its name."""
    if name in MATMULS or name in CONVOLUTIONS or name in ATTENTIONS:
        return HEAVY
    if name in LIGHTS:
        return LIGHT
    if name in COPIES:
        return COPY
    if name in NONE or "::" not in name or name.startswith(("autograd::", "profiler::")):
        return NOTHING
    return UNKNOWN
