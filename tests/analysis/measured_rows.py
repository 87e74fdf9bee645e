"""Published decode speeds copied one by one with their sources, and the models they speak of."""

from typing import NamedTuple

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, MemoryLevel
from explorer.analysis.study.study import HardwareEntry, Measurement, ModelEntry, Study


class Decode(NamedTuple):
    """One llama-bench row at batch 1: bytes of the file, tokens held on average, tokens per second."""

    device: str
    bandwidth: float
    model: str
    file_bytes: float
    context: int
    tokens_per_s: float
    label: str = ""


_Q4_8B, _F16_8B, _Q4_70B, _F16_70B = 4_917_737_553, 16_063_177_687, 42_509_438_812, 141_111_150_510
_L40S, _ADA, _ULTRA = ("L40S", 864e9), ("RTX 6000 Ada", 960e9), ("M2 Ultra", 800e9)
SOURCE = "https://github.com/XiongjieDai/GPU-Benchmarks-on-LLM-Inference"  # tg rows of its notebooks, 2024
COPIED = tuple(
    Decode(device, bandwidth, model, size, generated // 2, speed)
    for (device, bandwidth), model, size, speeds in (
        (_L40S, "8B", _Q4_8B, {512: 115.55, 1024: 113.6, 4096: 105.5, 8192: 97.98}),
        (_L40S, "8B", _F16_8B, {512: 43.69, 1024: 43.42, 4096: 42.22, 8192: 41.05}),
        (_L40S, "70B", _Q4_70B, {512: 15.46, 1024: 15.31, 4096: 14.92, 8192: 14.45}),
        (_ADA, "8B", _Q4_8B, {512: 133.44, 1024: 130.99, 4096: 120.74, 8192: 111.57}),
        (_ADA, "8B", _F16_8B, {512: 52.32, 1024: 51.97, 4096: 50.21, 8192: 48.79}),
        (_ADA, "70B", _Q4_70B, {512: 18.52, 1024: 18.36, 4096: 17.8, 8192: 16.97}),
        (_ULTRA, "8B", _Q4_8B, {512: 78.81, 1024: 76.28, 4096: 64.58, 8192: 54.13}),
        (_ULTRA, "8B", _F16_8B, {512: 36.9, 1024: 36.25, 4096: 33.67, 8192: 30.68}),
        (_ULTRA, "70B", _F16_70B, {512: 4.76, 1024: 4.71, 4096: 4.48, 8192: 4.23}),
    )
    for generated, speed in speeds.items()
)


def llama(name: str, hidden: int, inner: int, layers: int, kv_heads: int, **more: object) -> ModelEntry:
    """A model of the Llama family by its sizes; heads are 128 wide."""
    config = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": hidden,
        "intermediate_size": inner,
        "num_hidden_layers": layers,
        "num_attention_heads": hidden // 128,
        "num_key_value_heads": kv_heads,
        "vocab_size": 128_256,
        "torch_dtype": "bfloat16",
        **more,
    }
    return ModelEntry(id=name, name=name, config=config)


LLAMA_8B = llama("8B", 4096, 14_336, 32, 8)
LLAMA_70B = llama("70B", 8192, 28_672, 80, 8)


def study_of(rows: tuple[Decode, ...], models: tuple[ModelEntry, ...] = (LLAMA_8B, LLAMA_70B)) -> Study:
    """All rows of one device as measurements beside their models."""
    first = rows[0]
    level = MemoryLevel(level="memory", bandwidth=first.bandwidth)
    device = Device(id="d", name=first.device, vendor="Test", memory=(level,))
    return Study(
        hardware=(HardwareEntry(id="d", device=device),),
        models=models,
        active_model=models[0].id,
        measurements=tuple(_measurement(i, row) for i, row in enumerate(rows)),
    )


def _measurement(number: int, row: Decode) -> Measurement:
    return Measurement(
        id=f"m{number}",
        name=row.label or f"{row.model} tg",
        device="d",
        model=row.model,
        size_bytes=row.file_bytes,
        batch=1,
        context=max(1, row.context),
        phase="decode",
        tokens_per_s=row.tokens_per_s,
    )


def by_device(rows: tuple[Decode, ...]) -> dict[str, tuple[Decode, ...]]:
    """Rows of each device."""
    return {d: tuple(r for r in rows if r.device == d) for d in dict.fromkeys(r.device for r in rows)}


__all__ = ["COPIED", "LLAMA_8B", "LLAMA_70B", "SOURCE", "Catalogue", "Decode", "by_device", "llama", "study_of"]
