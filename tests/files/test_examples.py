"""The example studies give the figures their texts speak of."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.knees import knees
from explorer.analysis.ask.levers import levers
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.measured.gap import gaps
from explorer.analysis.step.evaluate import DeviceResult, Evaluation, evaluate
from explorer.analysis.study.study import Study
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_path, example_studies, opening_study
from explorer.files.study.study import read_study

CATALOGUE: Catalogue = load_catalogue(devices=False)


def opened(name: str, **work: object) -> Evaluation:
    study = read_study(example_path(name))
    return evaluate(replace(study, workload=replace(study.workload, **work)), CATALOGUE)


def active(evaluation: Evaluation) -> DeviceResult:
    assert evaluation.active is not None
    return evaluation.active


def by_name(result: DeviceResult) -> dict[str, int]:
    return {p.row.name: i for i, p in enumerate(result.points)}


@pytest.mark.parametrize("example", example_studies(), ids=lambda e: e.id)
def test_an_example_opens_without_problems_and_says_what_it_shows(example: object) -> None:
    study: Study = read_study(example.path)  # type: ignore[attr-defined]
    evaluation = evaluate(study, CATALOGUE)
    assert evaluation.problems == ()
    assert evaluation.rows
    assert evaluation.devices
    assert study.notes
    assert example.en  # type: ignore[attr-defined]
    assert any("\u4e00" <= c <= "\u9fff" for c in example.zh)  # type: ignore[attr-defined]


def test_every_study_of_the_folder_is_in_the_menu() -> None:
    listed = {e.path for e in example_studies()}
    folder = example_studies()[0].path.parent
    assert listed == set(Path(folder).glob("*.roofline.yaml"))


def test_the_opening_study_is_the_first_example() -> None:
    assert opening_study() == read_study(example_studies()[0].path)


def test_embedded_devices_are_those_of_the_database() -> None:
    database = load_catalogue().device_by_id
    for example in example_studies():
        for entry in read_study(example.path).hardware:
            assert entry.device.id == "round-card-300t-2t" or entry.device == database[entry.device.id]


# Figures of the opening picture (Llama-3.1-8B bf16, batch 8, context 4096, H100 SXM5, A100 SXM4 80 GB, MI300X).
def test_llama_8b_decode_waits_for_memory_everywhere() -> None:
    evaluation = opened("llama-8b-decode")
    h100 = active(evaluation)
    assert h100.entry.device.id == "nvidia-h100-sxm5-80gb"
    assert h100.totals.time_s == pytest.approx(5.79e-3, rel=1e-3)
    assert h100.totals.floor_s == pytest.approx((15_010_373_632 + 8 * 131_072 * 4097) / 3.35e12, rel=1e-3)
    assert 1000 * h100.totals.expected_s[0] == pytest.approx(7.24, abs=0.01)
    assert 1000 * h100.totals.expected_s[1] == pytest.approx(9.65, abs=0.01)
    assert all(p.bound == "memory" for d in evaluation.devices for p in d.points)
    assert [round(d.ridge or 0) for d in evaluation.devices] == [295, 153, 247]


def test_llama_8b_decode_says_what_would_help() -> None:
    gains = [lever.gain for lever in levers(opened("llama-8b-decode"), "nvidia-h100-sxm5-80gb")]
    assert [round(g or 0, 2) for g in gains] == [1.56, 1.12, 2.0, 1.0]


def test_llama_8b_decode_fits_up_to_batch_130() -> None:
    evaluation = opened("llama-8b-decode")
    at = knees(evaluation, "nvidia-h100-sxm5-80gb")
    assert at is not None
    assert at.fit_batch == 130
    assert at.ridge_batch is None
    assert float(active(evaluation).totals.memory_bytes) == pytest.approx(20.4e9, abs=0.05e9)


def test_a_large_matmul_waits_for_compute_and_a_vector_for_memory() -> None:
    card = active(opened("matmul-and-vector"))
    large, vector = card.points
    assert card.ridge == 150
    assert large.intensity == pytest.approx(1365.33, abs=0.01)
    assert large.bound == "compute"
    assert vector.intensity == pytest.approx(1.0, abs=1e-3)
    assert vector.bound == "memory"
    assert vector.performance / 300e12 == pytest.approx(0.007, abs=5e-4)


def test_70b_in_fp16_takes_70_ms_a_token_at_2_tb_per_s() -> None:
    totals = active(opened("quick-70b")).totals
    assert totals.floor_s == pytest.approx(0.070, rel=1e-4)
    assert totals.tokens_per_s == pytest.approx(14.3, abs=0.05)
    slow, fast = 1 / totals.expected_s[1], 1 / totals.expected_s[0]
    assert (round(slow, 1), round(fast, 1)) == (8.6, 11.4)


def test_13b_holds_512_kib_per_token_and_moves_more_with_the_batch() -> None:
    evaluation = opened("quick-13b", batch=1)
    assert evaluation.model is not None
    assert evaluation.model.kv_bytes_per_token(2.0) == 512 * 1024
    one = active(evaluation).totals
    assert one.floor_s == pytest.approx(13.54e-3, rel=1e-3)
    assert one.tokens_per_s == pytest.approx(73.9, abs=0.05)
    speed = {}
    for batch, gigabytes in ((1, 27.1), (8, 34.6), (32, 60.4)):
        totals = active(opened("quick-13b", batch=batch)).totals
        assert totals.whole_file_s * 2e12 / 1e9 == pytest.approx(gigabytes, abs=0.05)
        speed[batch] = float(totals.tokens_per_s or 0)
    assert speed[8] / speed[1] == pytest.approx(6.3, abs=0.05)
    assert speed[32] / speed[8] == pytest.approx(2.3, abs=0.05)


# llama-bench on an M4 Pro: sizes in decimal GB, tokens/s of tg128 and pp512.
@pytest.mark.parametrize(
    ("model", "bound", "measured", "share", "prompt"),
    [
        ("qwen3-4b-bf16", 34, 29.9, 0.88, 886.5),
        ("qwen3-4b-q8_0", 64, 52.5, 0.82, 878.9),
        ("qwen3-4b-q4_k_m", 109, 79.7, 0.73, 839.5),
    ],
)
def test_qwen3_4b_decodes_at_the_speed_its_file_allows(
    model: str, bound: int, measured: float, share: float, prompt: float
) -> None:
    study = read_study(example_path("qwen3-4b-apple"))
    evaluation = evaluate(replace(study, active_model=model), CATALOGUE)
    pro, peak = evaluation.devices
    assert round(float(pro.totals.tokens_per_s or 0)) == bound
    assert measured / float(pro.totals.tokens_per_s or 1) == pytest.approx(share, abs=0.006)
    assert float(peak.totals.tokens_per_s or 0) == pytest.approx(2 * float(pro.totals.tokens_per_s or 0))
    speeds = {m.tokens_per_s for m in study.measurements}
    assert {measured, prompt} <= speeds


def test_each_file_of_qwen3_4b_is_judged_by_its_own_bytes() -> None:
    found = {g.measurement.name: g.efficiency or 0.0 for g in gaps(opened("qwen3-4b-apple"))}
    decode = {name: share for name, share in found.items() if "tg128" in name}
    assert list(decode.values()) == pytest.approx([0.88, 0.82, 0.73], abs=0.005)
    assert all(0.8 < share < 0.9 for name, share in found.items() if "pp512" in name)


def test_qwen3_4b_reads_prompts_equally_fast_from_every_file() -> None:
    study = read_study(example_path("qwen3-4b-apple"))
    work = replace(study.workload, phase="prefill", context=512)
    for entry in study.models:
        result = active(evaluate(replace(study, active_model=entry.id, workload=work), CATALOGUE))
        assert result.points[0].bound == "compute"


def test_h100_has_more_compute_per_bandwidth_than_a100() -> None:
    a100, h100 = opened("a100-to-h100").devices
    assert (h100.main_peak.rate or 0) / (a100.main_peak.rate or 1) == pytest.approx(3.17, abs=0.005)
    assert (h100.machine.bandwidth or 0) / (a100.machine.bandwidth or 1) == pytest.approx(1.64, abs=0.005)
    assert (h100.machine.bandwidth or 0) / 2.0e12 == pytest.approx(1.68, abs=0.005)
    assert (round(a100.ridge or 0), round(h100.ridge or 0)) == (153, 295)
    assert (round(2 * (a100.ridge or 0)), round(2 * (h100.ridge or 0))) == (306, 591)


def test_what_was_compute_bound_on_a100_is_memory_bound_on_h100() -> None:
    a100, h100 = opened("a100-to-h100").devices
    at = by_name(a100)["matmul 256 rows"]
    assert (a100.points[at].bound, h100.points[at].bound) == ("compute", "memory")


MATMULS = {"query, key, value", "scores", "context", "attention output", "intermediate", "output"}


def test_bert_large_spends_much_time_on_few_flops() -> None:
    """Ivanov et al. 2021, "Data movement is all you need": 0.2 % of the FLOPs; counted as the conventions do, 0.4 %."""
    for result in opened("bert-large").devices:
        others = [i for i, p in enumerate(result.points) if p.row.name not in MATMULS]
        assert 0.002 <= sum(result.flop_shares[i] for i in others) <= 0.004
        assert sum(result.shares[i] for i in others) > 0.35
        assert all(result.points[i].bound == "memory" for i in others)


# FLOPs per value over bytes per value at two bytes, each operand touched once.
@pytest.mark.parametrize(
    ("name", "intensity"),
    [
        ("matmul 4096", 1365.33),
        ("matmul one row", 1.0),
        ("softmax", 5 / 4),
        ("ReLU", 1 / 4),
        ("GELU", 8 / 4),
        ("gated SiLU", 5 / 6),
        ("residual add", 1 / 6),
        ("reduction", 1 / 2),
        ("layer norm", 7 / 4),
        ("RMS norm", 4 / 4),
        ("attention decode", 4.0),
        ("embedding lookup", 0.0),
        ("copy", 0.0),
    ],
)
def test_the_operator_table_gives_the_known_intensities(name: str, intensity: float) -> None:
    result = active(opened("operator-table"))
    assert result.points[by_name(result)[name]].intensity == pytest.approx(intensity, rel=2e-3)


def test_only_many_rowed_products_stand_right_of_the_ridge() -> None:
    result = active(opened("operator-table"))
    right = {p.row.name for p in result.points if float(p.intensity or 0) > (result.ridge or 0)}
    assert right == {"matmul 4096", "convolution 3x3", "attention prefill"}


PRODUCTS = {"conv2d", "matmul", "attention"}


def products(evaluation: Evaluation) -> float:
    """FLOPs of convolutions and matrix products."""
    pairs = zip(evaluation.rows, evaluation.costs, strict=True)
    return sum(float(row.count * cost.flops) for row, cost in pairs if row.kind in PRODUCTS)


def test_resnet_50_has_the_multiply_adds_and_weights_of_torchvision() -> None:
    """4.09 G multiply-adds an image; 25,557,032 parameters less batch norms (53,120) and the last bias (1,000)."""
    evaluation = opened("resnet-50")
    assert products(evaluation) == 2 * 32 * 4_089_184_256
    weights = sum(float(r.count * c.weight_bytes) / 2 for r, c in zip(evaluation.rows, evaluation.costs, strict=True))
    assert weights == 25_557_032 - 53_120 - 1_000
    for result in evaluation.devices:
        others = [i for i, p in enumerate(result.points) if p.row.kind not in PRODUCTS]
        assert sum(result.flop_shares[i] for i in others) < 0.01
        assert sum(result.shares[i] for i in others) > 0.4


def test_dit_xl_has_the_multiply_adds_of_its_paper() -> None:
    """Peebles and Xie 2022, table 4: 118.6 "Gflops", which are multiply-adds, for one image."""
    evaluation = opened("dit-xl")
    assert products(evaluation) / 2 / 2 == pytest.approx(118.6e9, rel=5e-4)
    h100 = active(evaluation)
    condition = h100.points[by_name(h100)["block condition"]]
    assert condition.row.count * float(condition.costs.weight_bytes) == pytest.approx(446e6, rel=1e-3)
    assert condition.bound == "memory"


def test_gpt_oss_120b_on_a_spark_is_at_three_quarters_of_what_its_mixed_formats_allow() -> None:
    evaluation = opened("gpt-oss-spark")
    assert active(evaluation).totals.tokens_per_s == pytest.approx(77, rel=0.01)
    assert [g.efficiency for g in gaps(evaluation)] == pytest.approx([0.76], abs=0.01)
    wide = evaluate(replace(evaluation.study, overrides=()), CATALOGUE)
    (refuted,) = gaps(wide)
    assert refuted.verdict == "over"
    assert active(wide).totals.tokens_per_s == pytest.approx(54.9, rel=0.015)


def test_qwen3_30b_at_home_reads_its_active_weights_only() -> None:
    evaluation = opened("qwen3-30b-home")
    speeds = [round(float(d.totals.tokens_per_s or 0)) for d in evaluation.devices]
    assert speeds == [517, 557, 990, 302, 141]
    # by the file of 17.71 GB: routers and norms in fp32 (51 MB), 4.629 bits for the 30.52e9 values beside them, of
    # which a token reads 3.029e9: 1.804 GB in all
    by_file = [m.tokens_per_s / (g.efficiency or 1) for g in gaps(evaluation) if (m := g.measurement).tokens_per_s]
    assert by_file == pytest.approx([302.7, 141.9], rel=0.002)


def test_neither_run_of_mistral_7b_is_at_the_roof_of_its_memory() -> None:
    evaluation = opened("mistral-h200")
    steps = [float(d.totals.whole_file_s) for d in evaluation.devices]
    assert steps == pytest.approx([5.05e-3, 3.52e-3], rel=0.02)
    assert [g.efficiency for g in gaps(evaluation)] == pytest.approx([0.34, 0.25], abs=0.005)
