"""What a notebook may hand over by mistake: each is one sentence, and none gives figures of something else."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

import explorer
from explorer.analysis.study.study import Study
from explorer.files.study.examples import opening_study


def under(**workload: Any) -> Study:
    study = opening_study()
    return msgspec.structs.replace(study, workload=msgspec.structs.replace(study.workload, **workload))


@pytest.mark.parametrize(
    "workload",
    [
        {"launch": "x"}, {"logits": "x"}, {"attention_count": "x"}, {"batch": 2.5}, {"context": 100.5}, {"batch": True},
        {"batch": None}, {"phase": 5}, {"launch": np.array([1, 2])}, {"batch": object()}, {"phase": "\u202ex"},
    ],
)  # fmt: skip
def test_a_value_that_no_file_could_hold_is_refused(workload: dict[str, Any]) -> None:
    with pytest.raises(explorer.InputError):
        explorer.evaluate(under(**workload))


@pytest.mark.parametrize(
    "call",
    [
        lambda: explorer.new_study("Qwen3-8B", "H100 SXM5", name=5),
        lambda: explorer.new_study("Qwen3-8B", "H100 SXM5", name=None),
        lambda: explorer.with_workload(opening_study(), launch=np.array([1, 2])),
        lambda: explorer.with_workload(opening_study(), groups=(np.float64(0.5), np.float64(0.9))),
        lambda: explorer.evaluate(msgspec.structs.replace(opening_study(), what_ifs=("x",))),
        lambda: explorer.evaluate(msgspec.structs.replace(opening_study(), hardware=None)),
        lambda: explorer.evaluate(msgspec.structs.replace(opening_study(), view=None)),
        lambda: explorer.evaluate(opening_study(), 5),
        lambda: explorer.evaluate(opening_study(), {}),
        lambda: explorer.evaluate(None),
        lambda: explorer.knees(3),
        lambda: explorer.load_study(""),
        lambda: explorer.model(""),
        lambda: explorer.render(opening_study(), scale="big"),
    ],
)
def test_what_is_no_study_no_name_and_no_figure_is_said_in_words(call: Callable[[], Any], qapp: object) -> None:
    with pytest.raises(explorer.InputError) as said:
        call()
    assert all(line.isprintable() for line in said.value.faults)


def test_what_is_shown_of_a_strangers_text_hides_nothing() -> None:
    with pytest.raises(explorer.InputError) as said:
        explorer.with_workload(opening_study(), phase="\u202eedoced")
    assert "\u202e" not in str(said.value)


def test_a_config_that_was_changed_inside_counts_as_it_is_now() -> None:
    study = opening_study()
    before = explorer.as_json(study)["hardware"][0]["totals"]["time_s"]
    assert study.models[0].config is not None
    study.models[0].config["num_hidden_layers"] = 64
    changed = explorer.as_json(study)["hardware"][0]["totals"]["time_s"]
    assert changed / before == pytest.approx(2, rel=0.1)


def test_numbers_of_numpy_are_numbers_everywhere(qapp: object) -> None:
    config = {**(opening_study().models[0].config or {}), "num_hidden_layers": np.int64(32)}
    found = explorer.new_study(config, "H100 SXM5", batch=np.int64(8))
    assert explorer.evaluate(found).active is not None
    assert explorer.render(found, scale=np.float32(1.0)).startswith(b"\x89PNG")
    assert explorer.evaluate(under(batch=np.int64(4))).study.workload.batch == 4


def test_an_evaluation_and_its_devices_are_taken_wherever_a_study_is() -> None:
    evaluation = explorer.evaluate(opening_study())
    assert explorer.evaluate(evaluation).study == evaluation.study
    other = explorer.new_study("Qwen3-8B", evaluation.study.hardware, batch=2)
    assert [e.id for e in other.hardware] == [e.id for e in evaluation.study.hardware]
    assert explorer.with_workload(evaluation, batch=3).workload.batch == 3
