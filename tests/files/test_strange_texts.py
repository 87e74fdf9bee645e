"""Any text in a study or a hardware file: read back equal, or refused by the field that holds it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.analysis.catalogue.device_check import device_problems
from explorer.analysis.problem import Refused
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import Measurement, ModelEntry, OwnRow, Study
from explorer.files.hardware.devices import device_to_yaml, read_device
from explorer.files.study.examples import opening_study
from explorer.files.study.study import study_from_text, study_to_text
from tests.strangers import FORMULAS, NAMES, ODD_NAMES

ANY = st.text(st.characters(exclude_categories=()), max_size=40) | st.sampled_from([*NAMES, *FORMULAS, *ODD_NAMES])
DEVICE = opening_study().hardware[0].device


def whole(text: str) -> str:
    """The text as UTF-8 can hold it."""
    return "".join("\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in text)


def study(text: str) -> Study:
    return Study(
        name="n",
        notes=text,
        models=(ModelEntry(id="m", name="m", source=text, config={"model_type": text, text: [text, {text: text}]}),),
        operators=(OwnRow(id="o", name="o", kind="matmul"),),
        measurements=(Measurement(id="x", name="x", source=text, tool=text, format=text, time_s=1.0),),
    )


@given(ANY)
@example("\r\n\x85\u2028\u2029\ufeff\x00\x1b\x7f\x9f")
@settings(max_examples=300, deadline=None)
def test_any_text_of_a_study_is_read_back(text: str) -> None:
    made = study(text)
    if study_problems(made):
        return
    assert study_from_text(study_to_text(made)) == study(whole(text))


@given(ANY)
@settings(max_examples=200, deadline=None)
def test_a_name_that_is_no_line_is_refused_by_its_field_and_any_other_is_read_back(text: str) -> None:
    base = study("")
    for path, made in (
        ("name", replace(base, name=text)),
        ("operators[0].name", replace(base, operators=(replace(base.operators[0], name=text),))),
        ("models[0].name", replace(base, models=(replace(base.models[0], name=text),))),
        ("measurements[0].name", replace(base, measurements=(replace(base.measurements[0], name=text),))),
    ):
        if text.isprintable() and len(text) <= 200:
            assert study_problems(made) == ()
            assert study_from_text(study_to_text(made)) == made
        else:
            assert [p.path for p in study_problems(made)] == [path]
            if whole(text).isprintable() and len(text) <= 200:
                continue
            with pytest.raises(Refused, match=r"study\.line") as caught:
                study_from_text(study_to_text(made))
            assert [p.path for p in caught.value.problems] == [path]


@given(ANY)
@settings(max_examples=200, deadline=None)
def test_any_text_of_a_hardware_file_is_read_back(text: str) -> None:
    level = replace(DEVICE.memory[0], note=text)
    made = replace(DEVICE, note=text, form=text, memory=(level, *DEVICE.memory[1:]))
    assert device_problems(made) == ()
    assert read_device(device_to_yaml(made)) == replace(
        made, note=whole(text), form=whole(text), memory=(replace(level, note=whole(text)), *DEVICE.memory[1:])
    )


@given(ANY)
@settings(max_examples=200, deadline=None)
def test_a_device_whose_name_is_no_line_is_refused_by_its_field(text: str) -> None:
    made = replace(DEVICE, name=text)
    if text.strip() and text.isprintable() and len(text) <= 100:
        assert read_device(device_to_yaml(made)) == made
    else:
        assert [p.path for p in device_problems(made)] == ["name"]
