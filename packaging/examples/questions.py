"""Questions that people post, as studies: the bound beside what they measured."""

from collections.abc import Callable

from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.study.study import HardwareEntry, Measurement, ModelEntry, Override, Study, View, Workload

SPARK, H200, H100 = "nvidia-gb10-dgx-spark", "nvidia-h200-sxm-141gb", "nvidia-h100-sxm5-80gb"
RTX_3090, RTX_4090, RTX_5090 = (f"nvidia-geforce-rtx-{n}" for n in (3090, 4090, 5090))
M4_MAX, STRIX_HALO = "apple-m4-max-40-core-gpu", "amd-ryzen-ai-max-plus-395-strix-halo"


def _entries(catalogue: Catalogue, *ids: str) -> tuple[HardwareEntry, ...]:
    return tuple(HardwareEntry(id=i, device=catalogue.device_by_id[i]) for i in ids)


def _preset(catalogue: Catalogue, ident: str) -> ModelEntry:
    return next(p for p in catalogue.presets if p.id == ident)


def _speed(name: str, device: str, tokens_per_s: float, source: str, batch: int = 1) -> Measurement:
    return Measurement(
        id=name, name=name, device=device, phase="decode", batch=batch, tokens_per_s=tokens_per_s, source=source
    )


def mixture_on_spark(catalogue: Catalogue) -> Study:
    """spark-arena/recipe-registry#17."""
    eight_bit = ("q_proj", "k_proj", "v_proj", "o_proj", "lm_head")
    return Study(
        name="gpt-oss-120b on a DGX Spark",
        notes="117 billion parameters, and still 59 tokens/s from 273 GB/s: a token reads 4 of 128 experts. Experts in "
        "4.25 bits are 1.90 GB a token, attention and head in 8.5 bits 1.63 GB, together 3.53 GB: at most 77 tokens/s, "
        "of which 58.7 were measured, 76 %. With attention and head in 16 bits it could be no more than 55: the "
        "measurement refutes that guess.",
        hardware=_entries(catalogue, SPARK),
        models=(_preset(catalogue, "gpt-oss-120b"),),
        active_model="gpt-oss-120b",
        workload=Workload(context=1),
        overrides=tuple(Override(row=name, weights="Q8_0") for name in eight_bit),
        measurements=(_speed("llama.cpp", SPARK, 58.7, "spark-arena/recipe-registry#17"),),
        view=View(active_hardware=SPARK),
    )


def mixture_at_home(catalogue: Catalogue) -> Study:
    """QwenLM/Qwen3#1670."""
    source, size = "QwenLM/Qwen3#1670", 17.71e9
    measured = (_speed("MLX, 4 bit", M4_MAX, 113, source), _speed("4 bit", STRIX_HALO, 78, source))
    return Study(
        name="Qwen3-30B-A3B in 4 bits at home",
        notes="300 tokens/s from a 30B model at home? 8 of 128 experts work on a token, so it reads 1.8 GB and not the "
        "whole file of 17.7 GB. With Q4_K weights and a Q6_K head at most 517 tokens/s on an RTX 3090, 557 on a 4090, "
        "990 on a 5090, 302 on an M4 Max and 141 on Strix Halo; with 4.64 bits, the mean of the file, everywhere 531, "
        "572, 1,017, 310 and 145. Measured were 113 on the M4 Max and 78 on Strix Halo. A 5090 at a third of its bound "
        "would do.",
        hardware=_entries(catalogue, RTX_3090, RTX_4090, RTX_5090, M4_MAX, STRIX_HALO),
        models=(_preset(catalogue, "qwen3-30b-a3b"),),
        active_model="qwen3-30b-a3b",
        workload=Workload(context=1, weights="Q4_K"),
        overrides=(Override(row="lm_head", weights="Q6_K"),),
        measurements=tuple(replace(m, size_bytes=size) for m in measured),
        view=View(active_hardware=RTX_5090),
    )


def h200_hardly_faster(catalogue: Catalogue) -> Study:
    """NVIDIA/TensorRT-LLM#1570."""
    source = "NVIDIA/TensorRT-LLM#1570, 128 tokens in, 2,048 out"
    runs = (("H100", H100, 8623), ("H200", H200, 8950))
    return Study(
        name="Mistral-7B: an H200 hardly beats an H100",
        notes="1.43 times the bandwidth, 1.04 times the tokens/s: is decode not memory-bound? At batch 128 and 1,152 "
        "tokens of context, weights and KV cache in fp8, a step takes at least 5.0 ms on the H100 and 3.5 ms on the "
        "H200, so 25,400 and 36,300 tokens/s. Measured: 8,623 and 8,950, a third and a quarter of that. Neither run "
        "is at the memory's roof; what happens between the kernels decides, and a faster memory cannot help.",
        hardware=_entries(catalogue, H100, H200),
        models=(_preset(catalogue, "mistral-7b-v0.3"),),
        active_model="mistral-7b-v0.3",
        workload=Workload(batch=128, context=1152, weights="fp8", kv="fp8"),
        measurements=tuple(_speed(name, device, speed, source, batch=128) for name, device, speed in runs),
        view=View(active_hardware=H200),
    )


QUESTIONS: dict[str, Callable[[Catalogue], Study]] = {
    "gpt-oss-spark": mixture_on_spark,
    "qwen3-30b-home": mixture_at_home,
    "mistral-h200": h200_hardly_faster,
}
