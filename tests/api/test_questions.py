import msgspec
import pytest

import explorer
from explorer.files.study.examples import opening_study


def test_knees_are_those_of_the_active_device_unless_another_is_named() -> None:
    evaluation = explorer.evaluate(opening_study())
    assert evaluation.active is not None
    found = explorer.knees(evaluation)
    assert found == explorer.knees(opening_study(), evaluation.active.entry.id)
    assert found is not None
    assert found.kv_half_batch == pytest.approx(27.96, abs=0.01)  # 15.01 GB of weights, 537 MB of cache a sequence
    other = explorer.knees(evaluation, evaluation.devices[-1].entry.id)
    assert other is not None
    assert other.fit_batch != found.fit_batch


def test_knees_are_of_decode() -> None:
    assert explorer.knees(explorer.with_workload(opening_study(), phase="prefill")) is None


def test_levers_tell_what_would_help_in_the_order_of_the_window() -> None:
    gains = {lever.code: lever.gain for lever in explorer.levers(opening_study())}
    assert list(gains) == ["lever.weights8", "lever.kv8", "lever.bandwidth2", "lever.compute2"]
    assert gains["lever.bandwidth2"] == pytest.approx(2.0, abs=0.01)
    assert gains["lever.compute2"] == pytest.approx(1.0, abs=0.01)


def test_a_device_is_meant_by_its_id_or_either_name() -> None:
    evaluation = explorer.evaluate(opening_study())
    named = [explorer.knees(evaluation, n) for n in ("amd-instinct-mi300x", "AMD Instinct MI300X", "MI300X")]
    assert named[0] == named[1] == named[2] != explorer.knees(evaluation)


def test_a_name_of_two_devices_means_neither() -> None:
    study = explorer.new_study("Llama-3.1-8B", "H100 SXM5")
    (entry,) = study.hardware
    both = msgspec.structs.replace(study, hardware=(entry, msgspec.structs.replace(entry, id="copy")))
    with pytest.raises(explorer.InputError, match="or several"):
        explorer.knees(both, entry.device.name)
    assert explorer.knees(both, "copy") is not None


def test_a_device_that_is_not_there_is_said_with_those_that_are() -> None:
    with pytest.raises(
        explorer.InputError, match="“x” is none of the evaluation’s devices, or several; take one of nvidia-h100"
    ):
        explorer.levers(opening_study(), "x")


def test_everything_side_by_side_is_plain_data() -> None:
    study = opening_study()
    found = explorer.compare(study, baseline="A100")
    assert found["baseline"] == "A100 SXM4 80GB"
    figures = {row["name"]: row["figures"] for row in found["rows"]}
    assert figures["H100 SXM5"]["bandwidth"]["ratio"] == pytest.approx(3.35 / 2.039)
    assert figures["H100 SXM5"]["bandwidth"]["unit"] == "B/s"
    assert figures["A100 SXM4 80GB"]["at_least"]["ratio"] == 1.0
    assert figures["MI300X"]["launch"] == {
        "value": None, "unit": "s", "ratio": None, "difference": None, "best": False, "at_least": False,
        "why": "Nobody published this figure.",
    }  # fmt: skip
    assert msgspec.json.encode(found)
    assert explorer.compare(study, vary="formats")["rows"][0]["name"] == "weights and KV bf16"


def test_what_cannot_be_compared_is_refused_in_words() -> None:
    with pytest.raises(explorer.InputError, match="is not one of the devices compared"):
        explorer.compare(opening_study(), baseline="no such card")
    with pytest.raises(explorer.InputError, match="known are machines, models"):
        explorer.compare(opening_study(), vary="weather")
