"""The tables of the Memory view."""

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.edits import add_hardware, add_model
from explorer.analysis.study.study import Study, Workload
from explorer.files.catalogue import load_catalogue
from explorer.files.models.presets import load_presets
from explorer.presentation.look import Look
from explorer.presentation.views.held.tables import TextRow, TextTable, held_tables
from explorer.presentation.views.memory import memory_chart

PRESETS = {p.id: p for p in load_presets()}
CATALOGUE = load_catalogue()


def evaluated(model: str = "llama-3.1-8b", **work: object) -> Evaluation:
    study = add_model(Study(workload=Workload(**{"batch": 8, "context": 4096, **work})), PRESETS[model])
    for device in ("nvidia-h100-sxm5-80gb", "amd-instinct-mi300x"):
        study = add_hardware(study, CATALOGUE.device_by_id[device])
    return evaluate(study, CATALOGUE)


def column(table: TextTable, header: str) -> list[str]:
    place = table.headers.index(header)
    return [row.cells[place] for row in table.rows]


def test_every_visible_device_says_what_is_held_what_is_left_and_what_would_fit() -> None:
    """80 GiB are 85.9 GB; of them 16.06 GB of weights leave room for 130 sequences of 536.9 MB."""
    table = held_tables(evaluated())[0]
    assert table.rows[0] == TextRow(("H100 SXM5", "20.4 GB", "85.9 GB", "65.5 GB", "130", "66,603", "1"), strong=True)
    assert column(table, "Largest batch") == ["130", "354"]


def test_what_does_not_fit_says_how_much_is_missing_and_how_many_devices_would_do() -> None:
    row = held_tables(evaluated("llama-3.1-70b"))[0].rows[0]
    assert row.fault
    assert row.cells[1:] == ("152 GB", "85.9 GB", "−65.9 GB", "none", "none", "2")


def test_an_unknown_capacity_is_a_dash_with_its_reason() -> None:
    study = evaluated().study
    blank = replace(study.hardware[0].device.memory[0], capacity=None)
    device = replace(study.hardware[0].device, memory=(blank,))
    bare = replace(study, hardware=(replace(study.hardware[0], device=device), study.hardware[1]))
    table = held_tables(evaluate(bare, CATALOGUE))[0]
    assert table.rows[0].cells[1:] == ("20.4 GB", "–", "–", "–", "–", "–")
    assert table.note == "“–”: the capacity of H100 SXM5 is not known."


def test_each_kind_of_layer_says_its_weights_and_its_keys_and_values_in_all_and_a_layer() -> None:
    table = held_tables(evaluated("gemma-3-27b-it"))[1]
    assert table.title == "By kind of layer, batch 8, context 4,096"
    assert column(table, "Attention · feed-forward") == [
        "sliding 1024 · dense", "full · dense", "outside of the layers", "in all",
    ]  # fmt: skip
    assert column(table, "Layers") == ["52", "10", "", "62"]
    assert column(table, "KV per layer") == ["67.1 MB", "268 MB", "", ""]
    assert column(table, "KV cache") == ["3.49 GB", "2.68 GB", "", "6.17 GB"]
    assert column(table, "Weights") == ["42.9 GB", "8.26 GB", "3.67 GB", "54.9 GB"]
    assert [r.strong for r in table.rows] == [False, False, False, True]


def test_state_has_its_column_where_a_layer_keeps_one() -> None:
    table = held_tables(evaluated("qwen3-next-80b-a3b"))[1]
    assert column(table, "State")[1] == "0 B"
    assert column(table, "KV cache")[0] == "0 B"
    assert "State" not in held_tables(evaluated())[1].headers


def test_weights_of_a_file_are_known_in_all_alone() -> None:
    evaluation = evaluated()
    entry = replace(evaluation.study.models[0], file_bytes=16.1e9)
    table = held_tables(evaluate(replace(evaluation.study, models=(entry,)), CATALOGUE))[1]
    assert column(table, "Weights") == ["–", "–", "16.1 GB"]
    assert table.note == "“–”: of the model's file only the size of all weights together is known."


def test_one_unit_stands_in_all_of_the_view() -> None:
    chart = memory_chart(evaluated(), Look(unit="GiB"))
    told = [d.now.text for d in chart.devices] + [*chart.sentences]
    told += [cell for table in chart.tables for row in table.rows for cell in row.cells]
    assert not any(word in text for text in told for word in ("GB", "MB"))
    assert any("GiB" in text for text in told)


def test_the_bar_at_hand_sets_the_scale_and_not_the_one_at_the_longest_context() -> None:
    chart = memory_chart(evaluated(batch=64))
    assert chart.largest == max(d.capacity or 0.0 for d in chart.devices)
    assert max(d.longest.total for d in chart.devices if d.longest is not None) > chart.largest
    over = memory_chart(evaluated("llama-3.1-405b"))
    assert over.largest == over.devices[0].now.total


def test_inputs_of_a_fixed_size_have_no_context() -> None:
    headers = held_tables(evaluated("bert-base", phase="prefill"))[0].headers
    assert ("Longest context" in headers) == (evaluated("bert-base", phase="prefill").tokens_per_input is None)
