"""A study small enough to work by hand: Llama-3.1-8B on devices with round figures."""

from functools import lru_cache
from typing import Any

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, LaunchOverhead, MemoryLevel, Peak, Source
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, ModelEntry, Study, Workload
from explorer.files.catalogue import load_catalogue

# shapes as published by Meta in the config of Llama-3.1-8B
CONFIG = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "hidden_act": "silu",
    "rms_norm_eps": 1e-05,
}
WEIGHTS = 16_060_522_496  # 8,030,261,248 parameters in 2 bytes
EMBEDDING = 128_256 * 4_096 * 2
KV_SEQUENCE = 2 * 32 * 8 * 128 * 2 * 4_096  # keys and values, layers, KV heads, head size, bytes, tokens


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    return load_catalogue(devices=False)


def device(name: str = "Round", bandwidth: float = 2e12, peak: float = 1e15, capacity: float | None = 80e9) -> Device:
    sheet = "sheet"
    return Device(
        id=name.lower(),
        name=f"{name} accelerator",
        short=name,
        vendor="Test",
        peaks=(
            Peak(format="bf16", accumulate="fp32", unit="tensor", rate=peak, source=sheet),
            Peak(format="fp32", accumulate="fp32", unit="vector", rate=peak / 20, source=sheet, confidence="medium"),
        ),
        memory=(MemoryLevel(level="HBM", capacity=capacity, bandwidth=bandwidth, source=sheet),),
        launch_overhead=LaunchOverhead(seconds=2e-6, source=sheet),
        sources={sheet: Source(kind="datasheet", title="Round data sheet")},
    )


def study(*devices: Device, batch: int = 8, context: int = 4096, model: bool = True, **work: Any) -> Study:
    entries = tuple(HardwareEntry(id=d.id, device=d) for d in devices or (device(),))
    models = (ModelEntry(id="llama", name="Llama-3.1-8B", config=CONFIG),) if model else ()
    return Study(
        name="by hand",
        hardware=entries,
        models=models,
        active_model="llama" if model else "",
        workload=Workload(batch=batch, context=context, **work),
    )


def evaluated(*devices: Device, **work: Any) -> Evaluation:
    return evaluate(study(*devices, **work), catalogue())
