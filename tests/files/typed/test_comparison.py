"""Which device a typed baseline means among those compared."""

import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Study
from explorer.files.typed.comparison import compared_study, named_entry
from tests.analysis.ask.comparison.machines import A100, H100, TWO, llama


def test_a_device_is_meant_by_its_id_its_label_or_a_part_of_its_name() -> None:
    entries = llama(H100, A100, TWO).hardware
    for text, meant in (
        (A100, A100), ("a100", A100), ("A100 SXM4 80GB", A100), ("H100", H100), ("hopper's H100", None),
        ("2 × A100 SXM4 80GB", TWO), ("two", TWO), ("MI300X", None),
    ):  # fmt: skip
        if meant is None:
            with pytest.raises(Refused):
                named_entry(text, entries)
        else:
            assert named_entry(text, entries).id == meant


def test_of_two_numbers_of_one_device_neither_is_guessed() -> None:
    pair = llama(TWO).hardware[0]
    twins = (replace(pair, id="a", count=2), replace(pair, id="b", count=4))
    with pytest.raises(Refused) as refused:
        named_entry("A100", twins)
    assert refused.value.problems[0].code == "compare.several_baselines"
    assert "4 × A100 SXM4 80GB" in str(refused.value.problems[0].values["known"])


def test_a_hidden_device_is_no_baseline() -> None:
    study = llama(H100, A100)
    hidden = replace(study, hardware=(study.hardware[0], replace(study.hardware[1], visible=False)))
    with pytest.raises(Refused):
        compared_study(hidden, "A100", None)


def test_the_study_is_only_seen_otherwise() -> None:
    study = llama(H100, A100)
    found = compared_study(study, "A100", "what-ifs")
    assert (found.view.baseline, found.view.vary) == (A100, "what_ifs")
    assert replace(found, view=study.view) == study
    assert compared_study(study, None, None) == study
    with pytest.raises(Refused):
        compared_study(Study(), "A100", None)
    with pytest.raises(Refused):
        compared_study(study, None, "weather")
