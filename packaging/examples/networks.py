"""Networks that are not language models as lists of operators: ResNet-50 and a diffusion transformer."""

from explorer.analysis.study.study import HardwareEntry, OwnRow, Study, View, Workload

BATCH = 32
STAGES = ((64, 256, 3, 56), (128, 512, 4, 28), (256, 1024, 6, 14), (512, 2048, 3, 7))  # width, outputs, blocks, size


def named(name: str, kind: str, count: float = 1.0, **dims: float) -> OwnRow:
    """A row of a study."""
    return OwnRow(id=name.lower().replace(" ", "-"), name=name, kind=kind, dims=dims, count=count)


def convolution(
    name: str, inputs: int, outputs: int, size: int, kernel: int = 1, stride: int = 1, count: int = 1
) -> OwnRow:
    """A convolution of images of `size`, padded so that stride 1 keeps the size."""
    dims = {"C_in": inputs, "C_out": outputs, "H": size, "W": size, "K_h": kernel, "K_w": kernel, "stride": stride}
    return named(name, "conv2d", count, N=BATCH, pad=kernel // 2, **dims)


def stage(number: int, width: int, outputs: int, blocks: int, size: int, before: int) -> list[OwnRow]:
    """One stage of bottleneck blocks; its first block has the stride in the 3x3 convolution and a projection."""
    stride = 1 if number == 1 else 2
    inside, lead = size * stride, f"stage {number}"
    values = BATCH * size * size
    return [
        convolution(f"{lead} first 1x1", before, width, inside),
        convolution(f"{lead} first 3x3", width, width, inside, 3, stride),
        convolution(f"{lead} projection", before, outputs, inside, 1, stride),
        convolution(f"{lead} 1x1 in", outputs, width, size, count=blocks - 1),
        convolution(f"{lead} 3x3", width, width, size, 3, count=blocks - 1),
        convolution(f"{lead} 1x1 out", width, outputs, size, count=blocks),
        named(f"{lead} first relu", "relu", values=BATCH * inside * inside * width),
        named(f"{lead} relu inside", "relu", 2 * blocks - 1, values=values * width),
        named(f"{lead} residual add", "residual_add", blocks, values=values * outputs),
        named(f"{lead} relu", "relu", blocks, values=values * outputs),
    ]


def resnet50(hardware: tuple[HardwareEntry, ...], active: str) -> Study:
    """ResNet-50 on 32 images of 224 x 224, inference in fp16, batch norms folded into the convolutions."""
    before = 64
    rows = [
        convolution("stem 7x7", 3, 64, 224, 7, 2),
        named("stem relu", "relu", values=BATCH * 64 * 112 * 112),
        named("max pool", "reduction", values=BATCH * 64 * 112 * 112),
    ]
    for number, (width, outputs, blocks, size) in enumerate(STAGES, start=1):
        rows += stage(number, width, outputs, blocks, size, before)
        before = outputs
    rows += [
        named("average pool", "reduction", values=BATCH * 2048 * 7 * 7),
        named("classifier", "matmul", m=BATCH, n=1000, k=2048),
    ]
    return Study(
        name="ResNet-50, 32 images",
        notes="ResNet-50 (He et al. 2015, arXiv 1512.03385; stride in the 3x3 convolutions as torchvision has it), "
        "224 × 224 pixels, fp16, batch norms folded. 4.09 G multiply-adds an image, 8.18 GFLOP, in 25.5 M weights. "
        "Convolutions do nearly all FLOPs; activations and residual adds do less than 1 % and take a large part of "
        "the time: fuse them into the convolutions before anything else.",
        hardware=hardware,
        workload=Workload(weights="fp16", activations="fp16", kv="fp16"),
        operators=tuple(rows),
        view=View(active_hardware=active),
    )


def diffusion_transformer(hardware: tuple[HardwareEntry, ...], active: str) -> Study:
    """DiT-XL/2 on latents of 256 x 256 pixels, with and without the condition: a batch of two."""
    images, hidden, heads, layers, side = 2, 1152, 16, 28, 16
    tokens = images * side * side
    values, inner = tokens * hidden, 4 * hidden
    block = (
        named("block condition silu", "silu", layers, values=images * hidden),
        named("block condition", "matmul", layers, m=images, n=6 * hidden, k=hidden),
        named("layer norm", "layer_norm", 2 * layers, rows=tokens, channels=hidden, per_channel=0),
        named("shift and scale", "scale", 2 * layers, values=values, per_value=2),
        named("qkv", "matmul", layers, m=tokens, n=3 * hidden, k=hidden),
        named(
            "attention", "attention", layers, b=images, heads=heads, kv_heads=heads, S_q=side**2, S_k=side**2,
            D_qk=hidden / heads, D_v=hidden / heads, causal=0,
        ),
        named("proj", "matmul", layers, m=tokens, n=hidden, k=hidden),
        named("gate", "scale", 2 * layers, values=values),
        named("residual add", "residual_add", 2 * layers, values=values),
        named("fc1", "matmul", layers, m=tokens, n=inner, k=hidden),
        named("gelu", "gelu", layers, values=tokens * inner),
        named("fc2", "matmul", layers, m=tokens, n=hidden, k=inner),
    )  # fmt: skip
    embed = named(
        "patch embedding",
        "conv2d",
        N=images,
        C_in=4,
        C_out=hidden,
        H=2 * side,
        W=2 * side,
        K_h=2,
        K_w=2,
        stride=2,
        pad=0,
    )
    last = named("final linear", "matmul", m=tokens, n=2 * 2 * 8, k=hidden)
    return Study(
        name="DiT-XL/2, one step of diffusion",
        notes="DiT-XL/2 (Peebles and Xie 2022, arXiv 2212.09748): 28 blocks of width 1,152 over the 256 tokens of a "
        "256 × 256 image, run with and without the condition, fp16. The paper's 118.6 G multiply-adds are 237 GFLOP "
        "as counted here, for each of the two. One step of many: 50 of them make an image. The modulation of every "
        "block reads 446 MB of weights for two rows: it waits for memory alone.",
        hardware=hardware,
        workload=Workload(weights="fp16", activations="fp16", kv="fp16"),
        operators=(embed, *block, last),
        view=View(active_hardware=active),
    )
