"""`--baseline` and `--vary`: ratios to a device on the command line, in every form of its output."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.files.study.examples import example_path
from explorer.files.study.study import study_from_text

Run = Callable[..., Any]
HARDWARE = ("--hardware", "A100 SXM4 80GB", "H100 SXM5", "RTX 4090")
WORK = ("--model", "Llama-3.1-8B", *HARDWARE, "--batch", "256", "--context", "1024")


def test_json_has_the_ratios_of_each_device_to_the_baseline(run: Run) -> None:
    found = json.loads(run("evaluate", *WORK, "--baseline", "A100", "--json").out)
    assert found["baseline"] == "A100 SXM4 80GB"
    one, two, none = (device["vs_baseline"] for device in found["hardware"])
    assert one == {"time": 1.0, "tokens_per_s": 1.0}
    times = [device["totals"]["time_s"] for device in found["hardware"]]
    assert two["time"] == pytest.approx(times[1] / times[0])
    assert two["tokens_per_s"] == pytest.approx(3.35 / 2.039)
    assert none == {"time": None, "tokens_per_s": None}


def test_of_a_mixture_json_has_also_the_ratio_that_the_table_has(run: Run) -> None:
    work = ("--model", "Mixtral-8x7B", "--hardware", "H200 SXM", "B200", "--batch", "4", "--context", "1024")
    found = json.loads(run("evaluate", *work, "--baseline", "H200", "--json").out)
    one, two = (device["totals"]["routed_tokens_per_s"] for device in found["hardware"])
    ratios = [device["vs_baseline"]["routed_tokens_per_s"] for device in found["hardware"]]
    assert ratios == [1.0, pytest.approx(two / one)]


def test_of_a_mixture_json_has_that_ratio_also_of_a_device_whose_time_does_not_follow_the_routing(run: Run) -> None:
    devices = ("H200 SXM", "1PB/s,1TFLOP/s", "RTX 4090")  # the second computes longer than it reads, the third is full
    work = ("--model", "Mixtral-8x7B", "--hardware", *devices, "--batch", "64", "--context", "1024")
    found = json.loads(run("evaluate", *work, "--baseline", "H200", "--json").out)["hardware"]
    one, two, _ = (device["totals"]["routed_tokens_per_s"] for device in found)
    ratios = [device["vs_baseline"]["routed_tokens_per_s"] for device in found]
    assert ratios == [1.0, pytest.approx(two / one), None]


def test_without_a_baseline_json_is_as_it_was(run: Run) -> None:
    found = json.loads(run("evaluate", *WORK, "--json").out)
    assert "baseline" not in found
    assert all("vs_baseline" not in device for device in found["hardware"])


def test_text_and_markdown_have_a_table_with_ratios_and_what_flips(run: Run) -> None:
    text = run("evaluate", *WORK, "--baseline", "H100").out
    assert "None serves more tokens than H100; A100 takes" in text
    line = next(line for line in text.splitlines() if line.startswith("A100 SXM4 80GB") and "×" in line)
    assert "24.3 ms (1.64×)" in line
    assert "10,551 (0.61×)" in line
    assert "Verdicts that flip, 8 of 17: " in text
    page = run("evaluate", *WORK, "--baseline", "H100", "--markdown").out
    assert "24.3 ms, 1.64×" in page
    assert "–, no room" in page
    assert "None serves" not in run("evaluate", *WORK).out


def test_a_table_of_figures_has_every_value_in_base_units_with_its_ratio(run: Run) -> None:
    out = run("evaluate", *WORK, "--baseline", "H100", "--csv").out
    rows = {row["Machine"]: row for row in csv.DictReader(out.splitlines())}
    assert float(rows["A100 SXM4 80GB"]["bandwidth (B/s)"]) == 2.039e12
    assert float(rows["A100 SXM4 80GB"]["at least, ratio to the baseline"]) == pytest.approx(3.35 / 2.039)
    assert rows["RTX 4090"]["at least (s)"] == rows["RTX 4090"]["at least, ratio to the baseline"] == ""
    assert [name for name, row in rows.items() if row["baseline"] == "1"] == ["H100 SXM5"]


def test_what_varies_is_chosen(run: Run) -> None:
    text = run("evaluate", str(example_path("qwen3-4b-apple")), "--vary", "measurements").out
    assert "Q4_K_M tg128: 2.67× as fast as BF16 tg128, by its bound 3.22×" in text
    assert "0.947×" in text
    formats = run("evaluate", *WORK, "--vary", "formats", "--baseline", "H100").out
    assert "weights fp8 + KV fp8" in formats
    assert "step at least" in formats


def test_a_baseline_that_is_not_compared_is_one_clear_sentence(run: Run) -> None:
    for name in ("MI300X", "no such card"):
        done = run("evaluate", *WORK, "--baseline", name)
        assert done.code == 2
        assert "--baseline: " in done.err
        assert "A100 SXM4 80GB, H100 SXM5, RTX 4090" in done.err
        assert done.err.count("\n") == 1
    assert run("evaluate", *WORK, "--vary", "weather").code == 2


def test_a_comparison_is_drawn_against_a_baseline(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    for file, name in ((first, "A100"), (second, "H100")):
        assert run("render", *WORK, "--view", "compare", "--baseline", name, "-o", str(file)).code == 0
    assert "its ratio to A100 SXM4 80GB" in first.read_text("utf-8")
    assert "its ratio to H100 SXM5" in second.read_text("utf-8")


def test_a_baseline_that_fits_several_devices_is_said_to_be_ambiguous_and_which(run: Run) -> None:
    for name in ("00", "nvidia", "SXM"):
        done = run("evaluate", *WORK, "--baseline", name)
        assert done.code == 2
        assert f"--baseline: {name} is ambiguous, it fits A100 SXM4 80GB, H100 SXM5" in done.err
        assert ("RTX 4090" in done.err) == (name == "nvidia")


def test_an_empty_baseline_is_refused(run: Run) -> None:
    done = run("evaluate", *WORK, "--baseline", "")
    assert done.code == 2
    assert "name one of those compared: A100 SXM4 80GB, H100 SXM5, RTX 4090" in done.err


def test_what_ifs_are_spelled_either_way_in_flags_and_in_a_study(run: Run, tmp_path: Path) -> None:
    work = example_path("llama-8b-decode")
    assert run("evaluate", str(work), "--vary", "what_ifs").out == run("evaluate", str(work), "--vary", "what-ifs").out
    for spelling in ("what-ifs", "what_ifs"):
        text = work.read_text("utf-8").replace("view: {", f"view: {{vary: {spelling}, ")
        assert study_from_text(text).view.vary == "what_ifs"


def test_json_has_the_comparison_that_flags_ask_for(run: Run) -> None:
    found = json.loads(run("evaluate", *WORK, "--baseline", "A100", "--json").out)["comparison"]
    assert (found["vary"], found["baseline"]) == ("machines", "A100 SXM4 80GB")
    rows = {row["name"]: row for row in found["rows"]}
    assert rows["H100 SXM5"]["key"]
    least = rows["H100 SXM5"]["figures"]["at_least"]
    assert (least["unit"], least["best"], least["why"]) == ("s", True, None)
    assert least["ratio"] == pytest.approx(2.039 / 3.35)
    lacking = rows["RTX 4090"]["figures"]["at_least"]
    assert (lacking["value"], lacking["ratio"]) == (None, None)
    assert lacking["why"]
    assert found["flips"]
    formats = json.loads(run("evaluate", *WORK, "--vary", "formats", "--json").out)["comparison"]
    assert "weights fp8" in {row["name"] for row in formats["rows"]}


def test_a_table_of_figures_marks_the_best_the_bounds_and_what_is_missing(run: Run) -> None:
    out = run("evaluate", *WORK, "--baseline", "H100", "--csv").out
    rows = {row["Machine"]: row for row in csv.DictReader(out.splitlines())}
    assert "at least" in rows["H100 SXM5"]["best in"].split("; ")
    assert "at least: No room: the step does not fit." in rows["RTX 4090"]["remarks"]
    eager = run(
        "evaluate",
        *WORK[:2],
        "--hardware",
        "A100 SXM4 80GB",
        "MI300X",
        "--launch",
        "eager",
        "--vary",
        "machines",
        "--csv",
    ).out
    rows = {row["Machine"]: row for row in csv.DictReader(eager.splitlines())}
    assert "by operator" in rows["MI300X"]["bounds from below"].split("; ")
    assert rows["MI300X"]["memory share"] == rows["A100 SXM4 80GB"]["bounds from below"] == ""
    assert "memory share: Nobody published what a launch takes" in rows["MI300X"]["remarks"]


def test_operators_without_a_model_have_one_basis_in_every_headline(run: Run) -> None:
    """The answer, the comparison's title and JSON all go operator by operator."""
    study = str(example_path("bert-large"))
    text = " ".join(run("evaluate", study, "--baseline", "A100").out.split())
    assert "H100 SXM5 is 2.13× as fast" in text
    assert "Operator by operator, H100 needs 0.47× the time of A100" in text
    found = json.loads(run("evaluate", study, "--baseline", "A100", "--json").out)
    times = {device["name"]: device["vs_baseline"]["time"] for device in found["hardware"]}
    assert 1 / times["NVIDIA H100 SXM5 80GB"] == pytest.approx(2.13, abs=0.005)


def test_a_model_is_the_baseline_of_models_by_its_name(run: Run) -> None:
    name = WORK[1]
    out = json.loads(run("evaluate", *WORK, "--vary", "models", "--baseline", name.lower(), "--json").out)
    assert out["comparison"]["baseline"] == name
    done = run("evaluate", *WORK, "--vary", "models", "--baseline", "no such model")
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_no_column_is_left_out_of_the_text(run: Run) -> None:
    out = run("evaluate", *WORK, "--baseline", "H100").out
    assert all(header in out for header in ("memory held", "knee batch", "launch", "power", "largest batch", "ridge"))
    assert out.count("H100 SXM5 80GB (baseline)") + out.count("H100 SXM5 (baseline)") >= 3
