"""The table of a comparison in words: values, ratios or differences, reasons, columns, names."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import compare, figures_of
from explorer.analysis.ask.knees import knees
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import HardwareEntry, ModelEntry
from explorer.analysis.study.variant import ScaleDevice, Variant
from explorer.api.studies import new_study
from explorer.files.catalogue import load_catalogue
from explorer.presentation.compare.columns import ComparedColumn
from explorer.presentation.compare.table import ComparedEntry, ComparedTable, compare_table
from explorer.presentation.look import Look
from explorer.presentation.words.messages import TEMPLATES
from tests.analysis.ask.comparison.machines import A100, B200, GEFORCE, H100, H200, MI300X, TWO, evaluated, llama
from tests.analysis.making import device, own

MIXTRAL = ModelEntry(
    id="mixtral",
    name="Mixtral",
    config={
        "model_type": "mixtral",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "num_local_experts": 8,
        "num_experts_per_tok": 2,
        "vocab_size": 32000,
        "torch_dtype": "bfloat16",
    },
)
ROWS = (own("up", "matmul", m=256, n=8192, k=8192),)


def entry(table: ComparedTable, key: str, figure: str) -> ComparedEntry:
    line = next(line for line in table.lines if line.key == key)
    return line.entries[[c.figure for c in table.columns].index(figure)]


def column(table: ComparedTable, figure: str) -> ComparedColumn:
    return next(c for c in table.columns if c.figure == figure)


def test_values_stand_over_their_ratio_to_the_baseline() -> None:
    table = compare_table(evaluated(llama()))
    for key, figure, text, relation in (
        (H100, "at_least", "14.8 ms", "1"),
        (B200, "at_least", "6.18 ms", "0.42×"),
        (B200, "in_all", "41,398", "2.39×"),
        (B200, "per_request", "161.7", "2.39×"),
        (MI300X, "in_all", "27,426", "1.58×"),
        (A100, "at_least", "24.3 ms", "1.64×"),
        (A100, "by_operator", "30.0 ms", "1.92×"),
        (A100, "per_request", "41.2", "0.61×"),
        (TWO, "bandwidth", "4.08 TB/s", "1.22×"),
        (TWO, "first_token", "23.5 ms", "1.59×"),
        (GEFORCE, "largest_batch", "72", "0.14×"),
        (B200, "peak", "2,250", "2.27×"),
        (B200, "per_joule", "41.4", "1.67×"),
        (A100, "expected_low", "37.5 – 50.0 ms", "1.92×"),
        (H100, "held", "50.4 GB", "of 85.9 GB"),
    ):
        assert (entry(table, key, figure).text, entry(table, key, figure).relation) == (text, relation)
    assert entry(table, B200, "at_least").best
    assert not entry(table, A100, "at_least").best


def test_differences_have_their_sign_and_unit() -> None:
    table = compare_table(evaluated(llama(compare_as="difference")))
    assert entry(table, A100, "at_least").relation == "+9.49 ms"
    assert entry(table, B200, "bandwidth").relation == "+4.65 TB/s"
    assert entry(table, A100, "year").relation == "−2"
    assert entry(table, A100, "memory_share").relation == "−41.1 pts"
    assert entry(table, A100, "largest_batch").relation == "0"
    assert entry(table, H100, "at_least").relation == ""


def test_a_missing_figure_is_a_dash_with_its_reason_said_once_in_short() -> None:
    table = compare_table(evaluated(llama()))
    first, second = entry(table, GEFORCE, "at_least"), entry(table, GEFORCE, "in_all")
    assert (first.text, first.relation, second.text, second.relation) == ("–", "no room", "–", "")
    assert first.muted
    assert first.tip == second.tip == "No room: the step does not fit."
    assert entry(table, B200, "launch").tip == "Nobody published this figure."
    line = table.lines[-1]
    assert (line.note, line.room) == ("up to batch 72", False)
    other = compare_table(evaluated(llama(baseline=B200)))
    assert entry(other, A100, "launch").tip == "The baseline lacks this figure: there is no ratio."
    assert entry(other, A100, "launch").relation == ""


def test_memory_is_a_bar_that_says_where_it_is_too_much() -> None:
    table = compare_table(evaluated(llama()))
    assert entry(table, H100, "held").share == pytest.approx(50.42 / 85.9, abs=1e-3)
    assert not entry(table, H100, "held").over
    assert entry(table, GEFORCE, "held").over
    unknown = HardwareEntry(id="x", device=device(bandwidth=2e12, capacity=None, ident="x"))
    study = llama(H100)
    open_end = compare_table(evaluated(replace(study, hardware=(*study.hardware, unknown))))
    assert entry(open_end, "x", "held").share is None
    assert entry(open_end, "x", "held").relation == ""


def test_ideal_devices_say_so_and_paper_names_the_baseline_and_ridges() -> None:
    notes = {line.key: (line.note, line.paper_note) for line in compare_table(evaluated(llama())).lines}
    assert notes[TWO] == ("ideal, no link", "ideal, no link")
    assert notes[H100] == ("", "baseline · ridge 295")
    assert notes[A100] == ("", "ridge 153")


def test_names_become_shorter_only_as_far_as_they_tell_rows_apart() -> None:
    names = {line.key: line.names for line in compare_table(evaluated(llama())).lines}
    assert names[A100] == ("A100 SXM4 80GB", "A100 80GB", "A100")
    assert names[TWO] == ("2 × A100 SXM4 80GB", "2 × A100 80GB", "2 × A100")
    pair = replace(llama(A100, A100), hardware=(*llama(A100).hardware, HardwareEntry(id="b", device=small())))
    shown = {line.key: line.names for line in compare_table(evaluated(pair)).lines}
    assert shown[A100][-1] == "A100 80GB"
    assert shown["b"][-1] == "A100 40GB"


def small() -> Device:
    known = llama(A100).hardware[0].device
    return replace(known, id="small", name="NVIDIA A100 SXM4 40GB", short="A100 SXM4 40GB")


def test_the_column_of_the_order_bears_its_direction() -> None:
    assert column(compare_table(evaluated(llama(compare_sort="-in_all"))), "in_all").order == "down"
    assert column(compare_table(evaluated(llama(compare_sort="in_all"))), "in_all").order == "up"
    assert column(compare_table(evaluated(llama())), "in_all").order == ""


def test_columns_of_which_nothing_can_be_said_are_left_out() -> None:
    shown = [c.figure for c in compare_table(evaluated(llama())).columns]
    assert "overhead_share" not in shown
    assert "routed" not in shown
    bare = replace(llama(H100, A100), models=(), active_model="", operators=ROWS)
    without = [c.figure for c in compare_table(evaluated(bare)).columns]
    assert {"at_least", "by_operator", "bandwidth"} <= set(without)
    assert {"in_all", "held", "largest_batch", "first_token"}.isdisjoint(without)


def test_another_format_than_the_heading_stands_beside_the_ratio() -> None:
    study = llama(H100, A100)
    table = compare_table(evaluated(replace(study, workload=replace(study.workload, weights="fp8", activations="fp8"))))
    assert column(table, "peak").header == "fp8 TFLOP/s"
    assert entry(table, A100, "peak").relation.startswith("bf16 · ")
    assert "stands" not in entry(table, H100, "peak").tip


def test_a_time_without_known_launches_is_at_least_and_has_no_ratio() -> None:
    study = llama(H100, B200)
    table = compare_table(evaluated(replace(study, workload=replace(study.workload, launch="eager"))))
    assert entry(table, B200, "by_operator").text.startswith("≥ ")
    assert entry(table, B200, "by_operator").relation == ""
    assert entry(table, B200, "at_least").relation == "0.42×"
    assert not any(entry(table, key, "by_operator").best for key in (H100, B200))


def test_formats_and_measurements_have_names_of_their_own() -> None:
    formats = compare_table(evaluated(llama(H100)), vary="formats")
    assert formats.lines[0].names == ("weights and KV bf16",)
    assert ("weights fp8 + KV fp8",) in [line.names for line in formats.lines]
    assert [line.colour for line in formats.lines] == list(range(len(formats.lines)))
    nothing = compare_table(evaluated(llama(H100)), vary="measurements")
    assert nothing.lines == ()
    assert nothing.empty_text


def test_verdicts_that_flip_name_operators_and_machines_in_short() -> None:
    line = compare_table(evaluated(llama())).flips
    assert line.title == "Verdicts that flip, 8 of 17"
    assert [chip.text for chip in line.chips] == [
        "q, o, gate, up, down, lm_head: memory on H100, MI300X, B200, compute on A100, H200 SXM, 2 × A100, RTX 4090",
        "k, v: memory on the other 4, compute on A100, 2 × A100, RTX 4090",
    ]
    assert line.text.startswith(f"{line.title}: {line.chips[0].text}; ")
    assert "memory: H100, MI300X, H200 SXM, B200" in line.chips[1].tip
    assert compare_table(evaluated(llama(H100))).flips.title == ""
    assert "No verdict flips" in compare_table(evaluated(llama(H100, B200))).flips.title


def test_gibibytes_reach_the_table() -> None:
    table = compare_table(evaluated(llama()), Look(unit="GiB"))
    assert entry(table, H100, "held").relation == "of 80.0 GiB"


def test_every_figure_has_a_header_a_tip_and_words_of_its_group() -> None:
    for vary in ("machines", "measurements"):
        for figure in figures_of(vary):
            name = "expected" if figure.id.startswith("expected") else figure.id
            assert f"compare.{name}" in TEMPLATES
            assert f"compare.tip.{name}" in TEMPLATES
            assert f"compare.group.{figure.group}" in TEMPLATES


def test_what_is_the_same_on_one_device_takes_no_column() -> None:
    formats = [c.figure for c in compare_table(evaluated(llama(H100)), vary="formats").columns]
    assert {"peak", "ridge"}.isdisjoint(formats)
    study = llama(H100)
    narrow = replace(study, workload=replace(study.workload, activations="fp8"))
    assert "peak" in [c.figure for c in compare_table(evaluated(narrow), vary="formats").columns]


def test_every_column_orders_the_rows_by_its_figure() -> None:
    for shown in compare_table(evaluated(llama())).columns:
        ordered = compare_table(evaluated(llama(compare_sort=f"-{shown.figure}")))
        assert column(ordered, shown.figure).order == "down"
        values = [
            row.cells[shown.figure].value for row in compare(evaluated(llama(compare_sort=f"-{shown.figure}"))).rows
        ]
        known = [value for value in values[1:-1] if value is not None]
        assert known == sorted(known, reverse=True)


def test_experts_chosen_at_random_are_said_over_the_rates_and_have_a_step_of_their_own() -> None:
    study = llama(H200, B200, batch=8)
    table = compare_table(evaluated(replace(study, models=(MIXTRAL,), active_model="mixtral")))
    assert column(table, "routed").header == "random routing"
    assert {column(table, f).group for f in ("per_request", "in_all")} == {"tok/s, random routing"}
    assert column(table, "per_joule").group == "random routing, sheet's power"
    least, routed = (entry(table, H200, f) for f in ("at_least", "routed"))
    assert least.text != routed.text
    rate = float(entry(table, H200, "per_request").text)
    assert rate == pytest.approx(1e3 / float(routed.text.removesuffix(" ms")), rel=5e-3)
    assert column(compare_table(evaluated(llama())), "in_all").group == "tok/s, at most"


def test_a_what_if_of_a_device_names_it() -> None:
    twice = Variant(label="twice the bandwidth", edit=ScaleDevice(device=A100, figure="bandwidth", factor=2.0))
    study = replace(llama(H100, A100), what_ifs=(twice,))
    line = compare_table(evaluated(study), vary="what_ifs").lines[1]
    assert (line.names, line.note) == (("twice the bandwidth",), "A100 SXM4 80GB")


def test_a_strangers_name_stays_on_one_line() -> None:
    first = llama(H100).hardware[0]
    odd = replace(first, id="odd", device=replace(first.device, name="a\nb\u202e" + "x" * 300, short="", id="odd"))
    study = replace(llama(H100), hardware=(first, odd))
    names = compare_table(evaluated(study)).lines[1].names
    assert all("\n" not in name and "\u202e" not in name for name in names)


def test_operators_of_one_name_are_counted_and_those_that_shorten_alike_keep_their_names() -> None:
    rows = tuple(own(name, "matmul", m=256, n=8192, k=8192) for name in ("same", "same", "mlp.up_proj", "up"))
    study = replace(llama(A100, H100), models=(), active_model="", operators=rows)
    line = compare_table(evaluated(study)).flips
    assert "2 × same" in line.text
    assert "mlp.up_proj, up" in line.text
    assert line.text.endswith(": compute on A100, memory on H100")


def test_the_sheets_power_is_no_bound() -> None:
    found = column(compare_table(evaluated(llama())), "per_joule")
    assert (found.group, found.alone) == ("at sheet's power", "tok/J at the sheet's power")
    assert "no bound" in found.tip


def test_the_baseline_keeps_its_ridge_and_that_it_is_ideal() -> None:
    on_paper = {line.key: line.paper_note for line in compare_table(evaluated(llama(H100, A100))).lines}
    assert on_paper == {H100: "baseline · ridge 295", A100: "ridge 153"}
    two = compare_table(evaluated(llama(TWO, H100))).lines[0]
    assert two.paper_note == "baseline · ideal, no link"


def test_the_largest_batch_is_told_beyond_what_the_program_takes_as_the_device_table_does() -> None:
    few = evaluated(llama(MI300X, batch=1, context=1))
    told = entry(compare_table(few), MI300X, "largest_batch").text
    found = knees(few, MI300X)
    assert found is not None
    assert told == f"{found.fit_batch:,}"
    assert (found.fit_batch or 0) > 2**20


def test_what_is_on_another_device_than_the_active_one_says_which() -> None:
    swapped = evaluated(llama(A100, H100, baseline=H100))
    for vary in ("models", "formats", "what_ifs"):
        assert compare_table(swapped, vary=vary).header.endswith(", on H100 SXM5")  # type: ignore[arg-type]
    assert compare_table(swapped, vary="machines").header == "Machine"
    assert compare_table(evaluated(llama(A100, H100)), vary="models").header == "Model"


def test_the_first_token_says_that_it_is_of_one_prompt() -> None:
    study = llama(A100, H100)
    work = replace(study.workload, phase="prefill", batch=8)
    columns = {c.figure: c for c in compare_table(evaluated(replace(study, workload=work))).columns}
    assert columns["first_token"].alone == "first token, one prompt"
    mixture = compare_table(evaluate(new_study("Qwen3-30B-A3B", ["H100 SXM5"], batch=8), load_catalogue(devices=False)))
    routed = next(c.alone for c in mixture.columns if c.figure == "first_token")
    assert routed == "first token, one prompt, random routing"
