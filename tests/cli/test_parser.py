"""Flags that take numbers say so in one sentence of their own, whatever is typed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.files.catalogue import load_catalogue
from explorer.files.hardware.devices import device_to_yaml
from tests.cli.conftest import Ran


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--skew", "half"), "--skew takes a number, as in --skew 0.5; “half” is none."),
        (("--batch", "ten"), "--batch takes a whole number, as in --batch 8; “ten” is none."),
        (("--context", "1.5"), "--context takes a whole number, as in --context 8; “1.5” is none."),
        (("--devices", ""), "--devices takes a whole number, as in --devices 8; “” is none."),
        (("--batch", "8'x\nfoo"), "--batch takes a whole number, as in --batch 8; “8'x foo” is none."),
    ],
)
def test_a_number_that_is_none_is_said_with_the_flag_and_an_example(
    run: Callable[..., Ran], flags: tuple[str, ...], said: str
) -> None:
    found = run("evaluate", *flags)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("roofline-explorer: ")
    assert found.err.count("\n") == 1
    if "\n" not in flags[1]:
        assert found.err == f"roofline-explorer: {said}\n"


def test_a_hardware_file_without_a_source_or_with_a_long_short_name_is_told(
    run: Callable[..., Ran], tmp_path: Path
) -> None:
    device = load_catalogue().device_by_id["nvidia-l4"]
    lines = device_to_yaml(device).split("\n")
    first = next(i for i, line in enumerate(lines) if line.strip().startswith("source:"))
    lines[first] = ""
    path = tmp_path / "l4.yaml"
    path.write_text("\n".join(lines).replace(f"short: {device.short}", "short: A name of 22 letters!!"), "utf-8")
    told = [line for line in run("hardware", path).out.split("\n") if line.startswith("#")]
    assert told == [
        "# short has 22 characters; the labels of the chart have room for 15.",
        "# peaks[0] names no source: list one under sources and name its key there.",
    ]
    assert run("hardware", path).code == 0


def test_a_device_of_the_database_has_no_remarks(run: Callable[..., Ran]) -> None:
    assert run("hardware", "nvidia-l4").out.startswith("format: 1\n")
