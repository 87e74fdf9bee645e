"""Published decode speeds: no honest one beats the floor, and a fit to one model foretells the others."""

import csv
import statistics
from pathlib import Path

import pytest

from explorer.analysis.measured.gap import Gap, gaps
from explorer.analysis.measured.roof_fit import Sample, fit_roof
from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import ModelEntry
from tests.analysis.measured_rows import COPIED, LLAMA_8B, LLAMA_70B, Decode, by_device, llama, study_of

# rows of the collection that are no measurement of the work they name: (device, model, length) and why
ODD = {
    ("Apple M1 7-core GPU 8GB", "8B", "8192"): "8 GB out of memory: prints 82 times what its bandwidth allows",
    ("RTX 5090 32GB", "Llama-3.2-1B", ""): "pp512 at a microbatch of 1: the head is computed once, not per token",
}
_MODELS = {
    "Llama-3-8B": "8B",
    "Llama-3.1-8B": "8B",
    "Llama-3-70B": "70B",
    "Llama-3.1-70B": "70B",
    "Llama-2-7B": "2-7B",
    "Llama-2-7b-chat": "2-7B",
    "Llama-7B Q4_0": "2-7B",
    "Llama-2-70B": "2-70B",
    "Llama-3.2-3b": "3B",
    "Llama-3.2-1B BF16": "1B",
}
_TWO = {"vocab_size": 32_000}
MODELS: tuple[ModelEntry, ...] = (
    LLAMA_8B,
    LLAMA_70B,
    llama("2-7B", 4096, 11_008, 32, 32, **_TWO),
    llama("2-70B", 8192, 28_672, 80, 8, **_TWO),
    llama("3B", 3072, 8192, 28, 8, tie_word_embeddings=True),
    llama("1B", 2048, 8192, 16, 8, head_dim=64, num_attention_heads=32, tie_word_embeddings=True),
)


def collected(shared: Path) -> list[tuple[dict[str, str], Decode]]:
    """Rows of the collection at batch 1 whose bytes are printed, of models that are built here."""
    found = []
    with (shared / "cases/measured_decode.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            model = _MODELS.get(row["model"])
            if model and row["batch"] == "1" and row["weight_bytes"] and row["tg_tok_s"] and row["bw_gbs"]:
                found.append((row, _decode(row, model)))
    return found


def _decode(row: dict[str, str], model: str) -> Decode:
    size = float(row["weight_bytes"])
    if row["engine"].startswith("gpt-fast"):  # it prints the bytes streamed, all but the table of embeddings
        entry = next(m for m in MODELS if m.id == model)
        table = entry.config["vocab_size"] * entry.config["hidden_size"]
        size *= 1 + table / {"2-7B": 6.607e9, "2-70B": 68.7e9, "8B": 7.505e9, "70B": 69.5e9}[model]
    held = int(row["ctx_depth"] or 0) + int(row["gen_len"] or 0) // 2
    if row["ctx_depth"] == row["prompt_len"] and row["ctx_depth"] not in {"", "0"}:
        held = int(row["ctx_depth"])
    label = f"{row['engine']} {row['quant']} {row['gen_len']}"
    return Decode(row["device"], float(row["bw_gbs"]) * 1e9, model, size, held, float(row["tg_tok_s"]), label)


def joined(rows: tuple[Decode, ...], catalogue, models=MODELS) -> tuple[Gap, ...]:
    found = gaps(evaluate(study_of(rows, models), catalogue))
    assert all(g.efficiency for g in found)
    return found


def foretold(found: tuple[Gap, ...], fitted_on: str) -> list[float]:
    """Expected over measured speed of the other models, less 1."""
    known = [Sample(g.measured_s, g.prediction.parts) for g in found if g.measurement.model == fitted_on]
    fit = fit_roof(known)
    return [g.measured_s / fit.seconds(g.prediction.parts) - 1 for g in found if g.measurement.model != fitted_on]


def test_copied_rows_never_beat_the_floor(catalogue):
    for rows in by_device(COPIED).values():
        assert max(g.efficiency for g in joined(rows, catalogue)) < 1


def test_a_fit_to_llama_8b_foretells_llama_70b_within_ten_percent_in_the_copied_rows(catalogue):
    errors = [e for rows in by_device(COPIED).values() for e in foretold(joined(rows, catalogue), "8B")]
    assert len(errors) == 12
    assert statistics.median(abs(e) for e in errors) < 0.05
    assert max(abs(e) for e in errors) < 0.10


def test_no_honest_row_of_the_collection_beats_the_floor(shared: Path, catalogue):
    honest = 0
    for row, decode in collected(shared):
        if (row["device"], decode.model, row["gen_len"]) in ODD or "NOT tg" in row["notes"]:
            continue
        (gap,) = joined((decode,), catalogue)
        assert gap.efficiency <= 1.0, (row["device"], row["model"], row["quant"], gap.efficiency)
        honest += 1
    assert honest > 150


def test_odd_rows_of_the_collection_beat_the_floor_and_are_told_why(shared: Path, catalogue):
    rows = {(r["device"], d.model, r["gen_len"]): d for r, d in collected(shared)}
    (failed,) = joined((rows["Apple M1 7-core GPU 8GB", "8B", "8192"],), catalogue)
    assert failed.verdict == "over"
    assert failed.causes[0].code == "cause.failed_run"


def test_fits_foretell_other_models_within_ten_percent_in_the_median(shared: Path, catalogue):
    errors: list[float] = []
    devices = 0
    for name, rows in _groups(shared).items():
        found = joined(rows, catalogue)
        fitted_on = "2-7B" if name.startswith("gpt-fast") else "8B"
        others = {r.model for r in rows} - {fitted_on}
        if not others or len([r for r in rows if r.model == fitted_on]) < 3:
            continue
        try:
            errors += foretold(found, fitted_on)
        except Refused as refused:
            pytest.fail(f"{name}: {refused}")
        devices += 1
    assert devices >= 8
    assert len(errors) >= 37
    assert statistics.median(abs(e) for e in errors) < 0.10


def _groups(shared: Path) -> dict[str, tuple[Decode, ...]]:
    """Rows that one fit may speak of: one engine's of one source on one device."""
    groups: dict[str, list[Decode]] = {}
    for row, decode in collected(shared):
        odd = (row["device"], decode.model, row["gen_len"]) in ODD
        if not odd and "NOT tg" not in row["notes"]:
            groups.setdefault(f"{row['engine']} {row['device']} {row['url']}", []).append(decode)
    return {name: tuple(rows) for name, rows in groups.items()}
