"""The example studies that come with the program, with the devices as the database has them now."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from examples.networks import diffusion_transformer, resnet50
from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak, Source
from explorer.analysis.step.phases.ids import PhaseId
from explorer.analysis.study.study import (
    HardwareEntry,
    Measurement,
    ModelEntry,
    OwnRow,
    QuickModel,
    Study,
    View,
    Workload,
)
from explorer.files.catalogue import load_catalogue

CATALOGUE = load_catalogue()
H100, A100, MI300X = "nvidia-h100-sxm5-80gb", "nvidia-a100-sxm4-80gb", "amd-instinct-mi300x"
M4_PRO, M4_MAX = "apple-m4-pro-20-core-gpu", "apple-m4-max-40-core-gpu"
ROUND_CARD = Device(
    id="round-card-300t-2t",
    name="Round-figure card, 300 TFLOP/s and 2 TB/s",
    short="Round card",
    vendor="Example",
    peaks=(
        Peak(format="fp16", accumulate="fp32", unit="tensor", rate=300e12, source="assumed"),
        Peak(format="fp32", accumulate="fp32", unit="vector", rate=20e12, source="assumed"),
    ),
    memory=(MemoryLevel(level="HBM", bandwidth=2e12, source="assumed"),),
    note="Round figures for arithmetic by hand; no such card is sold.",
    sources={"assumed": Source(kind="derived", title="Chosen for the example")},
)
LLAMA_8B: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "attention_bias": False,
    "hidden_act": "silu",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "max_position_embeddings": 131072,
    "mlp_bias": False,
    "model_type": "llama",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "rms_norm_eps": 1e-05,
    "rope_theta": 500000.0,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "vocab_size": 128256,
}


def entries(*ids: str) -> tuple[HardwareEntry, ...]:
    """Devices of the database, embedded whole."""
    return tuple(HardwareEntry(id=i, device=CATALOGUE.device_by_id[i]) for i in ids)


def round_card() -> tuple[HardwareEntry, ...]:
    return (HardwareEntry(id=ROUND_CARD.id, device=ROUND_CARD),)


def row(name: str, kind: str, count: float = 1.0, **dims: float) -> OwnRow:
    return OwnRow(id=name.lower().replace(" ", "-"), name=name, kind=kind, dims=dims, count=count)


def showpiece() -> Study:
    return Study(
        name="Llama-3.1-8B decode",
        notes="One decode step of Llama-3.1-8B in bf16, eight requests, 4,096 tokens of context each. Every operator "
        "stands left of every ridge: bandwidth decides the ranking, not TFLOP/s. Drag the batch: the matmuls climb "
        "along the roof, attention stays where it is, because each request reads its own KV cache.",
        hardware=entries(H100, A100, MI300X),
        models=(ModelEntry(id="llama-3.1-8b", name="Llama-3.1-8B", source="config.json", config=LLAMA_8B),),
        active_model="llama-3.1-8b",
        workload=Workload(phase="decode", batch=8, context=4096),
        view=View(active_hardware=H100),
    )


def two_matmuls() -> Study:
    size = 4096
    return Study(
        name="A matmul of 4,096 rows and of one",
        notes="The same weights, 4096 × 4096 in fp16. With 4,096 rows each byte serves 1,365 FLOPs: right of the "
        "ridge at 150, compute decides. With one row it serves one FLOP: 150 times too few, memory decides and "
        "0.7 % of the peak is all there is to get.",
        hardware=round_card(),
        workload=Workload(activations="fp16"),
        operators=(
            row("matmul 4096", "matmul", m=size, n=size, k=size),
            row("matmul one row", "matmul", m=1, n=size, k=size),
        ),
    )


def quick(name: str, figures: QuickModel, batch: int, context: int, notes: str) -> Study:
    return Study(
        name=name,
        notes=notes,
        hardware=round_card(),
        models=(ModelEntry(id="quick", name=name.partition(" on ")[0], source="typed", quick=figures),),
        active_model="quick",
        workload=Workload(phase="decode", batch=batch, context=context),
    )


def quick_70b() -> Study:
    return quick(
        "70B fp16 on 2 TB/s",
        QuickModel(params=70e9, layers=80, kv_heads=8, head_dim=128),
        1,
        1,
        "140 GB of weights at 2 TB/s: 70 ms for every token, 14.3 tokens/s at the very most. Real programs reach "
        "60 to 80 % of the bandwidth: 8.6 to 11.4 tokens/s. The peak of 300 TFLOP/s does not enter.",
    )


def quick_13b() -> Study:
    return quick(
        "13B fp16 on 2 TB/s",
        QuickModel(params=13e9, layers=32, kv_heads=32, head_dim=128),
        8,
        2048,
        "Each token of context holds 512 KiB of KV cache. Batch 1, 8 and 32 move 27.1, 34.6 and 60.4 GB a step: "
        "throughput grows 6.3 times from 1 to 8, but only 2.3 times from 8 to 32, because the weights are read once "
        "for all requests and the KV cache once for each. At batch 1 a step takes 13.5 ms, 73.9 tokens/s.",
    )


DECODE: PhaseId = "decode"
PREFILL: PhaseId = "prefill"
FILES = (
    ("BF16", 8.05e9, "bf16", 29.9, 886.5),
    ("Q8_0", 4.28e9, "Q8_0", 52.5, 878.9),
    ("Q4_K_M", 2.50e9, "Q4_K", 79.7, 839.5),
)


def qwen3_4b() -> Study:
    def entry_id(name: str) -> str:
        return f"qwen3-4b-{name.lower()}"

    def model(name: str, size: float, fmt: str) -> ModelEntry:
        figures = QuickModel(params=4.02e9, layers=36, kv_heads=8, head_dim=128, weights=fmt, file_bytes=size)
        return ModelEntry(id=entry_id(name), name=f"Qwen3-4B {name}", source="GGUF file", quick=figures)

    def measured(name: str, run: str, phase: PhaseId, speed: float) -> Measurement:
        title = f"{name} {run}"
        source = "llama-bench, Apple M4 Pro 48 GB, mean of 5 runs"
        found = Measurement(id=title, name=title, device=M4_PRO, batch=1, source=source)
        context = 512 if phase == PREFILL else 1
        return replace(found, model=entry_id(name), phase=phase, context=context, tokens_per_s=speed)

    runs: tuple[tuple[str, str, PhaseId, float], ...] = tuple(
        run
        for name, _, _, decode, prompt in FILES
        for run in ((name, "tg128", DECODE, decode), (name, "pp512", PREFILL, prompt))
    )

    return Study(
        name="Qwen3-4B from a GGUF file",
        notes="Decode reads the whole file for every token: 273 GB/s over 8.05, 4.28 and 2.50 GB allow at most 34, 64 "
        "and 109 tokens/s. Measured: 29.9, 52.5, 79.7, that is 88, 82 and 73 %. Prompts are read at 886.5, 878.9 "
        "and 839.5 tokens/s whatever the file: there compute decides, and unpacking four bits costs a little. "
        "The M4 Max has twice the bandwidth and twice the bound.",
        hardware=entries(M4_PRO, M4_MAX),
        models=tuple(model(name, size, fmt) for name, size, fmt, _, _ in FILES),
        active_model="qwen3-4b-bf16",
        workload=Workload(phase="decode", batch=1, context=1),
        measurements=tuple(measured(*run) for run in runs),
        view=View(active_hardware=M4_PRO),
    )


def a100_to_h100() -> Study:
    return Study(
        name="The same operators on A100 and H100",
        notes="Compute grows 3.17 times, bandwidth 1.64 times. The ridge moves from 153 to 295 FLOP/byte (306 to 591 "
        "per fp16 value): what was just right for the A100 waits for memory on the H100. The large matmul gains "
        "3.17 times, the element-wise operators 1.64 times.",
        hardware=entries(A100, H100),
        workload=Workload(activations="fp16"),
        operators=(
            row("matmul 8192", "matmul", m=8192, n=8192, k=8192),
            row("matmul 256 rows", "matmul", m=256, n=8192, k=8192),
            row("matmul 16 rows", "matmul", m=16, n=8192, k=8192),
            row("layer norm", "layer_norm", rows=8192, channels=8192),
            row("gelu", "gelu", values=2**26),
            row("residual add", "residual_add", values=2**26),
        ),
        view=View(active_hardware=H100),
    )


def bert_large() -> Study:
    batch, length, hidden, heads, inner = 8, 512, 1024, 16, 4096
    tokens, scores, layers = batch * length, batch * heads * length * length, 24
    plain, wide = tokens * hidden, tokens * inner
    named: list[tuple[str, str, int, dict[str, float]]] = [
        ("query, key, value", "matmul", 3, {"m": tokens, "n": hidden, "k": hidden}),
        ("qkv bias", "scale", 3, {"values": plain}),
        ("scores", "batched_matmul", 1, {"b": batch * heads, "m": length, "n": length, "k": hidden // heads}),
        ("scale", "scale", 1, {"values": scores}),
        ("softmax", "softmax", 1, {"values": scores}),
        ("context", "batched_matmul", 1, {"b": batch * heads, "m": length, "n": hidden // heads, "k": length}),
        ("attention output", "matmul", 1, {"m": tokens, "n": hidden, "k": hidden}),
        ("output bias", "scale", 2, {"values": plain}),
        ("residual add", "residual_add", 2, {"values": plain}),
        ("layer norm", "layer_norm", 2, {"rows": tokens, "channels": hidden}),
        ("intermediate", "matmul", 1, {"m": tokens, "n": inner, "k": hidden}),
        ("intermediate bias", "scale", 1, {"values": wide}),
        ("gelu", "gelu", 1, {"values": wide}),
        ("output", "matmul", 1, {"m": tokens, "n": hidden, "k": inner}),
    ]
    return Study(
        name="The BERT-large encoder",
        notes="The 24 encoder layers of BERT-large in fp16, eight sequences of 512 tokens, one kernel per operator. "
        "Softmax, norms, activations, biases and residuals do less than 0.4 % of the FLOPs and take a large share of "
        "the time, because each reads and writes every value once. Look at the Time view, then fuse.",
        hardware=entries(A100, H100),
        workload=Workload(activations="fp16"),
        operators=tuple(row(name, kind, count * layers, **dims) for name, kind, count, dims in named),
        view=View(active_hardware=A100),
    )


def operator_table() -> Study:
    values = 2**24
    attention = {"heads": 32, "kv_heads": 8, "S_k": 4096}
    return Study(
        name="A round of common operators",
        notes="Each operand read or written once, two bytes a value. Matmuls and convolutions of many rows stand right "
        "of the ridge; everything that touches each value once or twice stands far left of it on any card.",
        hardware=entries(A100),
        workload=Workload(activations="fp16"),
        operators=(
            row("matmul 4096", "matmul", m=4096, n=4096, k=4096),
            row("matmul 128 rows", "matmul", m=128, n=4096, k=4096),
            row("matmul one row", "matmul", m=1, n=4096, k=4096),
            row("convolution 3x3", "conv2d", N=32, C_in=256, C_out=256, H=14, W=14, K_h=3, K_w=3, pad=1),
            row("depthwise 3x3", "conv2d", N=32, C_in=256, C_out=256, H=14, W=14, K_h=3, K_w=3, pad=1, groups=256),
            row("attention prefill", "attention", **attention, S_q=4096),
            row("attention decode", "attention", **attention, S_q=1),
            row("layer norm", "layer_norm", rows=4096, channels=4096),
            row("RMS norm", "rms_norm", rows=4096, channels=4096),
            row("softmax", "softmax", values=values),
            row("ReLU", "relu", values=values),
            row("GELU", "gelu", values=values),
            row("gated SiLU", "gated_silu", values=values),
            row("residual add", "residual_add", values=values),
            row("rotary embedding", "rotary", tokens=4096, positions=4096, heads=40, dim=128),
            row("reduction", "reduction", values=values),
            row("embedding lookup", "embedding", tokens=4096, hidden=4096),
            row("copy", "copy", values=values),
        ),
        view=View(active_hardware=A100),
    )


STUDIES: dict[str, Callable[[], Study]] = {
    "llama-8b-decode": showpiece,
    "matmul-and-vector": two_matmuls,
    "quick-70b": quick_70b,
    "quick-13b": quick_13b,
    "qwen3-4b-apple": qwen3_4b,
    "a100-to-h100": a100_to_h100,
    "bert-large": bert_large,
    "operator-table": operator_table,
    "resnet-50": lambda: resnet50(entries(A100, H100), A100),
    "dit-xl": lambda: diffusion_transformer(entries(A100, H100), H100),
}
