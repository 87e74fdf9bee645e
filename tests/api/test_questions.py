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
