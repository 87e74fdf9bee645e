"""Published prefill speeds and decode of mixtures: none honest beats the floor; beyond random routing is told.

A prompt is judged by the integer peak where llama.cpp computes its quantised products in integers.
"""

import csv
from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.measured.gap import Gap, gaps
from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import HardwareEntry, Measurement, ModelEntry, Study, Workload
from explorer.files.catalogue import load_catalogue
from explorer.files.hardware.find_device import find_device
from tests.analysis.test_measured_decode import _MODELS, MODELS

DEVICES = {
    "Apple M2 Ultra 76-core GPU 192GB": "apple-m2-ultra",
    "A100 80GB": "nvidia-a100-sxm4-80gb",
    "A100 80GB SXM (power-limited 330 W)": "nvidia-a100-sxm4-80gb",
    "Apple M4 Max 64GB": "apple-m4-max-40-core-gpu",
    "H100 80GB": "nvidia-h100-sxm5-80gb",
}
# (device, model, prompt) that are no measurement of the work they name, and why
ODD = {
    ("Apple M1 7-core GPU 8GB", "Llama-3-8B", "8192"): "8 GB out of memory: prints 13 times what compute allows",
    (
        "RTX 4080 16GB",
        "Llama-3-8B",
        "512",
    ): "5 % above the sheet: it boosts past its clock, no matmul published",
    ("Tesla P40 24GB", "Llama-7B Q4_0", "512"): "in integers (dp4a), for which the database has no peak of it",
}
HEAD_ONCE = "n_ubatch"  # notes of rows whose head runs once a prompt, not once a chunk
MIXTURES = {
    "DeepSeek-V2-Lite 16B": ("deepseek-v2-lite", {"bf16": None}),
    "Mixtral-8x7B": ("mixtral-8x7b", {"int8 w-only": "int8"}),
    "Qwen3-30B-A3B-Instruct-2507": ("qwen3-30b-a3b", {"q4": "Q4_0", "q5": "Q5_0", "q8": "Q8_0"}),
}  # MLX's groups of 64 take as many bits as those of llama.cpp


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return load_catalogue(presets=True)


def rows(shared: Path) -> list[dict[str, str]]:
    with (shared / "cases/measured_decode.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def entry(name: str, bandwidth: str, known: Catalogue) -> HardwareEntry | None:
    """The device of a row: by its name, with or without its memory, at the row's bandwidth."""
    for text in (DEVICES.get(name, name), " ".join(name.split()[:-1])):
        try:
            found = find_device(known.devices, text)
        except Refused:
            continue
        level = replace(found.outermost, bandwidth=max(float(bandwidth or 0) * 1e9, found.bandwidth or 0.0))
        return HardwareEntry(id="d", device=found.with_outermost(level))
    return None


def judged(measurement: Measurement, on: HardwareEntry, model: ModelEntry, work: Workload, known: Catalogue) -> Gap:
    study = Study(hardware=(on,), models=(model,), active_model=model.id, workload=work, measurements=(measurement,))
    (found,) = gaps(evaluate(study, known))
    return found


def test_no_honest_prompt_of_the_collection_beats_the_floor(shared: Path, known: Catalogue) -> None:
    honest = 0
    for row in rows(shared):
        name = "1B" if row["model"].startswith("Llama-3.2-1B") else _MODELS.get(row["model"])
        on = entry(row["device"], row["bw_gbs"], known) if row["pp_tok_s"] and row["weight_bytes"] and name else None
        if on is None or (row["device"], row["model"], row["prompt_len"]) in ODD or HEAD_ONCE in row["notes"]:
            continue
        model = next(m for m in MODELS if m.id == name)
        quantised = row["quant"].startswith("Q")
        found = judged(
            Measurement(
                id="m", name="pp", device="d", model=model.id, size_bytes=float(row["weight_bytes"]), batch=1,
                context=int(row["prompt_len"] or 512), phase="prefill", tokens_per_s=float(row["pp_tok_s"]),
            ),
            on, model, Workload(activations="int8" if quantised else "fp16"), known,
        )  # fmt: skip
        assert found.efficiency is not None
        assert found.efficiency <= 1.0, (row["device"], row["model"], row["quant"], found.efficiency)
        honest += 1
    assert honest >= 115


def test_no_decode_of_a_mixture_beats_the_floor_and_those_beyond_random_routing_are_listed(
    shared: Path, known: Catalogue
) -> None:
    honest, alike = [], []
    for row in rows(shared):
        preset, formats = MIXTURES.get(row["model"], ("", {}))
        if row["quant"] not in formats or not row["batch"].isdecimal():
            continue
        on = entry(row["device"], row["bw_gbs"], known)
        if on is None:
            continue
        model = ModelEntry(id="m", name=preset, config=next(p for p in known.presets if p.id == preset).config)
        weights = formats[row["quant"]]
        found = judged(
            Measurement(
                id="m", name="tg", device="d", model="m", weights=weights, batch=int(row["batch"]),
                context=int(row["ctx_depth"] or row["prompt_len"] or 1), phase="decode",
                tokens_per_s=float(row["tg_tok_s"]),
            ),
            on, model, Workload(), known,
        )  # fmt: skip
        assert found.efficiency is not None
        assert found.efficiency <= 1.0, (row["device"], row["model"], row["quant"], found.efficiency)
        honest.append(row["model"])
        alike += [row["model"]] if found.beats_random_routing else []
    print("faster than random routing:", alike)
    assert (len(honest), len(alike)) == (5, 0)  # all at batch 1, where both are one


@pytest.mark.parametrize(
    ("batch", "milliseconds", "alike", "verdict"),
    [(64, 10.0, True, "between"), (64, 30.0, False, "room"), (64, 5.0, False, "over"), (1, 2.5, False, "between")],
)
def test_between_floor_and_random_routing_is_no_fault(
    batch: int, milliseconds: float, alike: bool, verdict: str, known: Catalogue
) -> None:
    """Qwen3-30B-A3B bf16 on an H100 at context 2,048: 5.67 ms at least, 21.6 ms by random routing at batch 64."""
    on = HardwareEntry(id="d", device=find_device(known.devices, "h100 sxm"))
    preset = next(p for p in known.presets if p.id == "qwen3-30b-a3b")
    step = Measurement(
        id="m", name="s", device="d", batch=batch, context=2048, phase="decode", time_s=milliseconds / 1e3
    )
    found = judged(step, on, ModelEntry(id="m", name="m", config=preset.config), Workload(), known)
    assert (found.beats_random_routing, found.verdict) == (alike, verdict)
    assert found.prediction is not None
    assert found.prediction.uniform_s == pytest.approx(21.6e-3 if batch == 64 else found.bound_s, rel=2e-3)
    assert bool(found.causes) == (verdict == "over")


def test_an_operator_of_experts_is_bound_by_its_fewest(known: Catalogue) -> None:
    on = HardwareEntry(id="d", device=find_device(known.devices, "h100 sxm"))
    preset = next(p for p in known.presets if p.id == "qwen3-30b-a3b")
    model = ModelEntry(id="m", name="m", config=preset.config)
    work = Workload(batch=64)
    row = Measurement(id="m", name="r", device="d", row="experts.up_proj", time_s=20e-6)
    found = judged(row, on, model, work, known)
    fewest = (8 * 2048 * 768 + 64 * 8 * (2048 + 768)) * 2 / 3.35e12
    assert found.bound_s == pytest.approx(fewest, rel=1e-6)
    assert found.beats_random_routing
