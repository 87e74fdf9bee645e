from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.main_work import main_demand
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.edits import add_hardware, change_hardware
from explorer.analysis.study.study import Study
from explorer.analysis.study.what_if import add_what_if
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_studies, opening_study
from explorer.files.study.study import read_study
from explorer.presentation.hardware.entries import colour_index, plain_name
from explorer.presentation.hardware.picker_rows import HardwareRow, filtered, hardware_rows
from explorer.presentation.look import ENGLISH
from explorer.presentation.roofline.marks import colour_index as chart_colour

H100 = "nvidia-h100-sxm5-80gb"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def rows_of(study: Study, catalogue: Catalogue, own: Sequence[str] = ()) -> tuple[HardwareRow, ...]:
    return hardware_rows(evaluate(study, catalogue), own, ENGLISH)


def row(rows: Sequence[HardwareRow], key: str) -> HardwareRow:
    return next(r for r in rows if r.key == key)


def known(catalogue: Catalogue, ident: str) -> Device:
    return catalogue.device_by_id[ident]


def test_compared_entries_lead_then_vendors_with_most_devices_first(catalogue: Catalogue) -> None:
    rows = rows_of(opening_study(), catalogue)
    sections = [r.name for r in rows if r.kind == "section"]
    assert sections[:4] == ["Compared", "NVIDIA, data centre", "NVIDIA, workstation", "NVIDIA, desktop"]
    assert [r.name for r in rows[1:4]] == ["H100 SXM5 80GB", "A100 SXM4 80GB", "Instinct MI300X"]
    assert len([r for r in rows if r.kind == "device"]) == len(catalogue.devices)


def test_a_row_says_peak_with_its_format_bandwidth_and_ridge(catalogue: Catalogue) -> None:
    rows = rows_of(opening_study(), catalogue)
    assert row(rows, f"entry:{H100}").details == ("989 TFLOP/s bf16", "3.35 TB/s", "ridge 295")


def test_the_peak_follows_the_studys_compute_format(catalogue: Catalogue) -> None:
    study = opening_study()
    fp8 = replace(study, workload=replace(study.workload, weights="fp8", activations="fp8"))
    rows = rows_of(fp8, catalogue)
    assert row(rows, f"entry:{H100}").details[0] == "1,979 TFLOP/s fp8"
    assert row(rows, "device:nvidia-a100-sxm4-80gb").details[0] == "312 TFLOP/s bf16"


@pytest.mark.parametrize("example", example_studies(), ids=lambda e: e.id)
def test_the_judged_peak_is_the_charts(example: object, catalogue: Catalogue) -> None:
    evaluation = evaluate(read_study(example.path), catalogue)  # type: ignore[attr-defined]
    for result in evaluation.devices:
        assert Machine(result.entry.device, result.entry.count).peak(*main_demand(evaluation)) == result.main_peak


def test_figures_less_sure_than_a_datasheet_say_so_in_a_word(catalogue: Catalogue) -> None:
    rows = rows_of(Study(), catalogue)
    assert row(rows, "device:apple-m4-max-40-core-gpu").details[0] == "16.2 TFLOP/s fp16, uncertain"
    assert row(rows, "device:nvidia-jetson-agx-thor-t5000").details[0] == "258 TFLOP/s bf16, derived"
    assert "community figures" in row(rows, "device:apple-m4-max-40-core-gpu").tip


def test_a_device_without_a_peak_says_so_and_has_no_ridge(catalogue: Catalogue) -> None:
    details = row(rows_of(Study(), catalogue), "device:cerebras-wse-3").details
    assert details == ("no bf16 peak known", "21.0 PB/s")


def test_several_devices_count_their_rates_and_show_their_number(catalogue: Catalogue) -> None:
    study = add_hardware(Study(), known(catalogue, H100), count=8)
    shown = row(rows_of(study, catalogue), f"entry:{H100}")
    assert shown.count == "×8"
    assert shown.details == ("7,915 TFLOP/s bf16", "26.8 TB/s", "ridge 295")


def test_before_the_database_is_read_every_entry_counts_as_compared() -> None:
    rows = rows_of(opening_study(), load_catalogue(devices=False))
    assert [r.name for r in rows if r.kind == "section"] == ["Compared"]


def test_changed_copies_stand_under_what_if_and_name_their_origin(catalogue: Catalogue) -> None:
    device = known(catalogue, H100)
    study = add_what_if(opening_study(), H100, replace(device, name="H100, what-if"))
    copy = row(rows_of(study, catalogue), f"entry:{H100}-2")
    assert (copy.section, copy.history) == ("what_if", "copy of H100 SXM5")


def test_a_device_that_nobody_knows_stands_under_what_if(catalogue: Catalogue) -> None:
    study = add_hardware(opening_study(), replace(known(catalogue, H100), id="mine", name="昇腾训练卡"))
    assert row(rows_of(study, catalogue), "entry:mine").section == "what_if"


def test_an_older_figure_of_the_database_stays_compared_and_says_that_newer_ones_exist(catalogue: Catalogue) -> None:
    device = known(catalogue, H100)
    older = replace(device, memory=(replace(device.memory[0], bandwidth=3.0e12), *device.memory[1:]))
    entry = row(rows_of(add_hardware(Study(), older), catalogue), f"entry:{H100}")
    assert (entry.section, entry.history) == ("compared", "database has newer figures")


def test_own_devices_have_a_section_of_their_own(catalogue: Catalogue) -> None:
    mine = replace(known(catalogue, H100), id="mine", name="My card")
    merged = replace(catalogue, devices=(*catalogue.devices, mine))
    found = row(rows_of(opening_study(), merged, ["mine"]), "device:mine")
    assert (found.section, found.own) == ("own", True)


def test_chosen_devices_carry_the_colour_of_their_entry(catalogue: Catalogue) -> None:
    study = change_hardware(opening_study(), "nvidia-a100-sxm4-80gb", colour="5")
    rows = rows_of(study, catalogue)
    assert row(rows, f"device:{H100}").colour == 0
    assert row(rows, "device:nvidia-a100-sxm4-80gb").colour == 5
    assert not row(rows, "device:nvidia-t4").chosen


def test_picker_and_chart_have_one_rule_of_colours(catalogue: Catalogue) -> None:
    study = change_hardware(opening_study(), "nvidia-a100-sxm4-80gb", colour="6")
    evaluation: Evaluation = evaluate(study, catalogue)
    assert [chart_colour(evaluation, d) for d in evaluation.devices] == [0, 6, 2]
    assert [colour_index(study, e.id) for e in study.hardware] == [0, 6, 2]


@pytest.mark.parametrize(
    ("text", "ident"),
    [
        ("h100 nvidia sxm5", H100),
        ("SXM5 h100", H100),
        ("2022 hbm3 nvidia", H100),
        ("trillium", "google-tpu-v6e-trillium"),
        ("gddr6x 4090", "nvidia-geforce-rtx-4090"),
        ("cpu epyc", "amd-epyc-9654"),
    ],
)
def test_a_search_takes_words_in_any_order(text: str, ident: str, catalogue: Catalogue) -> None:
    found = filtered(rows_of(Study(), catalogue), text)
    assert f"device:{ident}" in [r.key for r in found]
    assert len(found) < 20


def test_a_search_hides_empty_sections_counts_matches_and_looks_into_closed_ones(catalogue: Catalogue) -> None:
    rows = rows_of(Study(), catalogue)
    found = filtered(rows, "apple 2024", collapsed={"vendor:Apple"})
    assert [(r.name, r.count, r.foldable) for r in found if r.kind == "section"] == [("Apple", "6", False)]
    assert filtered(rows, "no such device") == ()


def test_a_closed_section_keeps_its_title_only(catalogue: Catalogue) -> None:
    rows = filtered(rows_of(Study(), catalogue), "", collapsed={"vendor:NVIDIA:laptop"})
    assert not any(r.section == "vendor:NVIDIA:laptop" for r in rows if r.kind == "device")
    assert not row(rows, "section:vendor:NVIDIA:laptop").visible


def test_names_stand_without_their_vendor(catalogue: Catalogue) -> None:
    assert plain_name(known(catalogue, "amd-instinct-mi300x")) == "Instinct MI300X"
    assert plain_name(replace(known(catalogue, H100), name="NVIDIA")) == "NVIDIA"
