import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

import explorer
from explorer.files.study.examples import opening_study
from explorer.files.study.study import write_study

CONFIG = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "intermediate_size": 128,
    "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 128,
}  # fmt: skip
QUICK = {"params": 13e9, "layers": 32, "kv_heads": 32, "head_dim": 128}


def test_a_study_comes_back_from_its_file_by_any_kind_of_path(tmp_path: Path) -> None:
    write_study(opening_study(), tmp_path / "s.roofline.yaml")
    assert explorer.load_study(tmp_path / "s.roofline.yaml") == opening_study()
    assert explorer.load_study(str(tmp_path / "s.roofline.yaml")) == opening_study()


def test_a_path_below_home_may_be_written_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    write_study(opening_study(), tmp_path / "s.roofline.yaml")
    assert explorer.load_study("~/s.roofline.yaml") == opening_study()


def test_a_new_study_holds_the_model_and_the_devices_asked_for_and_the_programs_own_defaults() -> None:
    study = explorer.new_study("llama-3.1-8b", ["H100 SXM5", "RTX 4090", "H100 SXM5"], name="mine")
    assert study.name == "mine"
    assert [entry.device.short for entry in study.hardware] == ["H100 SXM5", "RTX 4090"]
    assert study.models[0].name == "Llama-3.1-8B"
    assert (study.workload.phase, study.workload.batch, study.workload.context) == ("decode", 1, 2048)


def test_devices_and_presets_of_the_catalogue_are_taken_as_they_are() -> None:
    catalogue = explorer.load_catalogue()
    assert catalogue is explorer.load_catalogue()
    apple = [device for device in catalogue.devices if device.vendor == "Apple"]
    study = explorer.new_study(catalogue.presets[0], apple)
    assert [entry.device for entry in study.hardware] == apple
    assert study.models == (catalogue.presets[0],)


@pytest.mark.parametrize("form", ["dict", "file", "folder"])
def test_a_model_is_a_config_however_it_comes(form: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    source = {"dict": CONFIG, "file": tmp_path / "config.json", "folder": str(tmp_path)}[form]
    assert explorer.model(source).parameters == explorer.model(CONFIG).parameters > 0


def test_six_numbers_are_a_model() -> None:
    assert explorer.model(QUICK).parameters == 13e9
    assert explorer.new_study({**QUICK, "weights": "F16", "params": np.float64(7e9)}).models[0].quick is not None


def test_a_workload_changes_what_is_given_and_nothing_else() -> None:
    study = explorer.new_study("llama-3.1-8b", "H100 SXM5", batch=8, kv="fp8")
    changed = explorer.with_workload(study, batch=np.int64(64), weights="torch.float8_e4m3fn")
    assert changed == msgspec.structs.replace(
        study, workload=msgspec.structs.replace(study.workload, batch=64, weights="fp8")
    )
    assert type(changed.workload.batch) is int
    assert explorer.with_workload(study, kv=None).workload.kv is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("qqq",), "No model or file is named “qqq”; give a preset's name"),
        (("llama",), "fits several models"),
        ((None, "H100"), "“H100” fits 3 devices"),
        ((None, ["H100 SXM5", "nothing like it"]), "“nothing like it”"),
        ((None, "none.yaml"), "none.yaml cannot be read"),
        ((None, 5), "A name or a path is expected, not 5."),
        ((4,), "A name or a path is expected, not 4."),
        (({"params": 1e9},), "model.layers: This key is missing; add it.\nmodel.kv_heads"),
        (({"model_type": "unheard_of"},), "The model type 'unheard_of' is not supported"),
        (({"model_type": {1}},), "The config is not plain JSON"),
        (({"model_type": "llama", "hidden_size": float("nan")},), "hidden_size: A whole number is expected, not 'NaN'"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_words(arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(explorer.InputError) as refused:
        explorer.new_study(*arguments)  # type: ignore[arg-type]
    assert said in str(refused.value)
    assert "--" not in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bacth": 3}, "workload.bacth: This key is unknown; use one of: phase, batch"),
        ({"batch": 0}, "workload.batch: The figure must lie between 1 and"),
        ({"batch": "8"}, "workload.batch: A whole number is expected"),
        ({"phase": "train"}, "workload.phase: “train” is not one of"),
        ({"kv": "fp99"}, "fp99"),
    ],
)
def test_a_workload_that_cannot_be_is_refused_field_by_field(changes: dict[str, object], said: str) -> None:
    with pytest.raises(explorer.InputError) as refused:
        explorer.with_workload(explorer.new_study(QUICK), **changes)
    assert said in str(refused.value)


def test_every_fault_has_a_line_of_its_own() -> None:
    with pytest.raises(explorer.InputError) as refused:
        explorer.with_workload(explorer.new_study(QUICK), batch=0, context=-1)
    assert str(refused.value) == "\n".join(refused.value.faults)
    assert [line.partition(":")[0] for line in refused.value.faults] == ["workload.batch", "workload.context"]


def test_decode_of_an_encoder_is_refused_where_it_is_asked_for() -> None:
    encoder = {
        "model_type": "bert", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
        "num_attention_heads": 4, "vocab_size": 128, "max_position_embeddings": 512, "type_vocab_size": 2,
    }  # fmt: skip
    study = explorer.new_study(encoder, "H100 SXM5")
    assert explorer.evaluate(study).study.workload.phase == "prefill"
    with pytest.raises(explorer.InputError, match="it has no decode"):
        explorer.with_workload(study, phase="decode")


@pytest.mark.parametrize("text", ["", "format: 1\nworkload: {batch: no}", "a: ["])
def test_a_file_that_is_no_study_is_refused_by_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(explorer.InputError) as refused:
        explorer.load_study(tmp_path / "s.yaml")
    assert refused.value.faults[0].startswith("s.yaml")
