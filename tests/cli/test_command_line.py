"""The command line as a person meets it: commands, one-line refusals, exit codes, files."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorer import __version__
from explorer.cli.main import COMMANDS, main
from explorer.files.study.examples import example_path
from tests.cli.conftest import LLAMA_3_8B, Ran

QUICK = "params=13e9,layers=32,kv_heads=32,head_dim=128"


def test_without_a_command_the_window_opens(run: Callable[..., Ran]) -> None:
    assert run() == Ran(0, "window None\n", "")


def test_a_study_opens_in_the_window(run: Callable[..., Ran]) -> None:
    path = example_path("quick-13b")
    assert run(path).out == f"window {path}\n"


def test_the_smoke_test_writes_where_it_is_told(run: Callable[..., Ran]) -> None:
    assert run("smoke-test", "out.json").out == "smoke test out.json\n"


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"], lambda _path: 1, lambda _path: 1)
    assert left.value.code == 0
    assert capsys.readouterr().out.strip().endswith(__version__)


@pytest.mark.parametrize("command", [*COMMANDS, "smoke-test"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"], lambda _path: 1, lambda _path: 1)
    assert left.value.code == 0
    assert f"roofline-explorer {command}" in capsys.readouterr().out


def test_the_answer_comes_first(run: Callable[..., Ran]) -> None:
    out = run("evaluate", example_path("llama-8b-decode")).out
    assert out.startswith("Waiting for memory on all three. On H100 SXM5 a step takes at least 5.76 ms")
    assert "<b>" not in out
    assert "q_proj" in out
    assert "8-bit weights 1.56×" in out


def test_flags_change_the_study_they_follow(as_json: Callable[..., Any]) -> None:
    found = as_json("evaluate", example_path("llama-8b-decode"), "--batch", 16, "--hardware", "A100 SXM 80GB")
    assert found["workload"]["batch"] == 16
    assert found["workload"]["context"] == 4096
    assert [d["name"] for d in found["hardware"]] == ["NVIDIA A100 SXM4 80GB"]


def test_a_model_of_the_study_is_chosen_by_name(as_json: Callable[..., Any]) -> None:
    found = as_json("evaluate", example_path("qwen3-4b-apple"), "--model", "qwen3-4b q8_0")
    assert found["model"]["name"] == "Qwen3-4B Q8_0"
    assert found["hardware"][0]["totals"]["tokens_per_s"] == pytest.approx(63.8, abs=0.1)


def test_figures_of_the_csv_are_those_of_the_json(run: Callable[..., Ran], as_json: Callable[..., Any]) -> None:
    import csv

    command = ("evaluate", example_path("llama-8b-decode"))
    rows = list(csv.DictReader(run(*command, "--csv").out.splitlines()))
    found = [(d["name"], o) for d in as_json(*command)["hardware"] for o in d["operators"]]
    assert len(rows) == len(found)
    for row, (device, operator) in zip(rows, found, strict=True):
        assert row["Device"] == device
        assert row["Operator"] == operator["name"]
        assert float(row["FLOPs (FLOP)"]) == operator["flops"]
        assert float(row["Time (s)"]) == operator["time_s"]
        assert float(row["Time share"]) == operator["share"]


def test_markdown_has_a_row_for_each_operator(run: Callable[..., Ran]) -> None:
    out = run("evaluate", example_path("quick-13b"), "--markdown").out
    table = [line for line in out.splitlines() if line.startswith("| ")]
    assert len({line.count("|") for line in table[-4:]}) == 1
    assert any(line.startswith("| weights | quick_weights |") for line in table)


def test_model_json_has_the_keys_of_the_manual(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    found = as_json("model", config(LLAMA_3_8B, "Meta-Llama-3.1-8B"), "--context", 4096)
    assert list(found) == [
        "name",
        "model_type",
        "parameters",
        "active_parameters",
        "kv_bytes_per_token",
        "kv_bytes_per_token_at_context",
        "kv_bytes",
        "state_bytes",
        "weight_bytes",
        "layers",
        "assumptions",
    ]
    assert found["name"] == "Meta-Llama-3.1-8B"
    assert found["parameters"] == 8_030_261_248  # params.csv
    assert found["kv_bytes"] == 536_870_912  # kv_cache.csv: 512 MiB
    assert found["weight_bytes"] == 2 * 8_030_261_248


def test_a_pair_says_that_its_kv_is_self_attention_alone(
    as_json: Callable[..., Any], run: Callable[..., Ran], config: Callable[..., Path]
) -> None:
    file = config(
        {
            "model_type": "t5", "d_model": 512, "d_ff": 2048, "d_kv": 64, "num_heads": 8, "num_layers": 6,
            "vocab_size": 32128, "torch_dtype": "bfloat16",
        }
    )  # fmt: skip
    found = as_json("model", file)
    assert (found["kv_bytes_per_token"], found["cross_kv_bytes_per_encoder_token"]) == (12288, 12288)
    assert any("self-attention alone" in line for line in found["assumptions"])
    out = " ".join(run("model", file).out.split())
    assert "cross-attention holds 12.3 kB for each token of the encoder" in out


def test_hardware_lists_shows_and_checks(run: Callable[..., Ran], as_json: Callable[..., Any], tmp_path: Path) -> None:
    assert len(as_json("hardware")) >= 90
    shown = as_json("hardware", "h100 sxm5")
    assert shown["class"] == "gpu"
    assert shown["memory"][0]["bandwidth"] == 3350e9
    assert shown["price_per_hour"] is None
    copy = tmp_path / "mine.yaml"
    copy.write_text(run("hardware", "MI300X").out, encoding="utf-8")
    assert as_json("hardware", copy) == as_json("hardware", "MI300X")


def test_hardware_names_every_fault_of_a_file_in_one_line(refused: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("format: 1\nid: A B\nname: ''\nvendor: V\nyear: 12\nmemory: [{level: X, bandwidth: -1}]\n")
    line = refused("hardware", file)
    for path in ("id", "name", "year", "memory[0].bandwidth"):
        assert f"bad.yaml: {path}: " in line


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["evaluat"], "did you mean evaluate?"),
        (["nothing.yaml"], "nothing.yaml cannot be read"),
        (["evaluat", "x", "--json"], "did you mean evaluate?"),
        (["evaluate", "--quick", QUICK], 'Name a device, for example --hardware "H100 SXM5"'),
        (["evaluate", "--hardware", "MI300X"], "Name a model with --model or --quick"),
        (["evaluate", "--quick", QUICK, "--hardware", "H100"], "“H100” fits 3 devices"),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300Y"], "the nearest are: AMD Instinct MI300X"),
        (["evaluate", "--quick", QUICK, "--hardware", "no.yaml"], "no.yaml cannot be read"),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300X", "--batch", "0"], "--batch: The figure must lie"),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300X", "--batch", "x"], "--batch"),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300X", "--bach", "2"], "did you mean --batch?"),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300X", "--devices", "0"], "--devices: "),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300X", "--kv", "fp9"], "--kv: No number format is named"),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300X", "--phase", "train"], "--phase train is not built yet"),
        (["evaluate", "--quick", QUICK, "--hardware", "MI300X", "--phase", "trai"], "--phase"),
        (["evaluate", "--quick", "params=1e9", "--hardware", "MI300X"], "--quick needs also layers"),
        (["evaluate", "--quick", QUICK + ",layers=3", "--hardware", "MI300X"], "--quick names layers twice"),
        (["evaluate", "--quick", QUICK + ",x=1", "--hardware", "MI300X"], "--quick: “x=1” is not name=value"),
        (["evaluate", "--quick", "params=-1,layers=1,kv_heads=1,head_dim=1"], "params cannot be “-1”"),
        (["evaluate", "--quick", "params=1e9,layers=1.5,kv_heads=1,head_dim=1"], "layers cannot be “1.5”"),
        (["evaluate", "--quick", QUICK, "--model", "x", "--hardware", "MI300X"], "not both"),
        (["evaluate", "--model", "nothing", "--hardware", "MI300X"], "No model or file is named “nothing”"),
        (["evaluate", "--json", "--csv"], "not allowed with"),
        (["model"], "required"),
        (["model", "nothing"], "No model or file is named “nothing”"),
        (["hardware", "qqq"], "No device is named “qqq”"),
        (["render"], "required"),
        (["render", "-o", "x.gif"], "“.gif” is no ending of a figure; use one of: .png, .svg, .pdf"),
        (["render", "-o", "x.png", "--view", "nothing"], "There is no view “nothing”; the views are: "),
        (["render", "-o", "x.png", "--size", "big"], "--size is WIDTHxHEIGHT"),
        (["render", "-o", "/no/such/folder/x.png"], "x.png cannot be written"),
        (["render", "-o", "x.png", "--scale", "much"], "--scale"),
        (["render", "-o", "x.png", "--scale", "99"], "A figure of 1600 × 900 at scale 99.0 cannot be drawn"),
    ],
)
def test_bad_input_is_refused_in_one_line(refused: Callable[..., str], arguments: list[str], says: str) -> None:
    assert says in refused(*arguments)


@pytest.mark.parametrize("name", ["x" * 5000, "a/" * 3000, "x" * 300 + ".yaml", "new\nline", "\0"])
def test_a_study_of_any_name_is_refused_in_one_short_line(refused: Callable[..., str], name: str) -> None:
    assert len(refused(name)) < 300
    assert len(refused("evaluate", name, "--hardware", "MI300X")) < 300


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_device_is_never_replaced_by_a_file(refused: Callable[..., str], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    assert "pipe.png cannot be written (not a regular file)" in refused("render", "-o", pipe)
    assert pipe.is_fifo()


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_links_that_point_at_each_other_are_said(refused: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "a.png").symlink_to("a.png")
    assert "a.png cannot be written" in refused("render", "-o", tmp_path / "a.png")


def test_an_unknown_model_is_refused(refused: Callable[..., str], config: Callable[..., Path]) -> None:
    line = refused("evaluate", "--model", config({"model_type": "bertha"}), "--hardware", "MI300X")
    assert "model_type" in line
    assert "bertha" in line


def test_a_config_that_is_no_json_is_refused_with_its_place(refused: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"model_type": llama}')
    assert refused("model", file).startswith("config.json: Line 1, column 16 is not valid JSON")


def test_a_row_that_cannot_be_computed_refuses_the_study(refused: Callable[..., str], tmp_path: Path) -> None:
    study = tmp_path / "x.roofline.yaml"
    study.write_text("format: 1\noperators: [{id: c, name: conv, kind: conv2d, dims: {stride: 0}}]\n")
    assert "x.roofline.yaml: operators[0]: " in refused("evaluate", study, "--hardware", "MI300X")


ARGUMENTS = st.lists(
    st.sampled_from(
        [
            *COMMANDS,
            *("--json", "--csv", "--hardware", "MI300X", "--quick", QUICK, "--batch", "--context", "8", "-1"),
            *("--phase", "decode", "prefill", "--weights", "fp8", "--devices", "--model", "--logits", "all", "\x00"),
        ]
    )
    | st.text(max_size=12).filter(lambda t: not {"-h", "--help", "--version"} & {t, t.strip()}),
    max_size=7,
)


@given(ARGUMENTS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_arguments_give_a_result_or_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    capsys.readouterr()
    code = main(arguments, lambda _path: 0, lambda _path: 0)
    out, err = capsys.readouterr()
    assert code in {0, 2}
    assert (err.count("\n") == 1) == (code == 2)
    assert "Traceback" not in out + err


def program(*arguments: object, script: str = "", **more: Any) -> "subprocess.CompletedProcess[str]":
    root = Path(__file__).resolve().parent.parent.parent
    env = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}}
    command = [sys.executable, "-m", "explorer", *map(str, arguments)]
    if script:
        command = ["sh", "-c", script, sys.executable]
    return subprocess.run(
        command,
        cwd=root,
        env=env,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
        **{"capture_output": True} | more,
    )


def test_without_a_screen_the_window_says_how_to_render() -> None:
    done = program()
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "roofline-explorer render -o figure.png" in done.stderr


def test_a_reader_that_has_enough_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        done = program("hardware", "--json", capture_output=False, stdout=pipe, stderr=subprocess.PIPE)
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        done = program("hardware", "--json", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr


def test_a_terminal_without_unicode_still_gets_the_answer() -> None:
    root = Path(__file__).resolve().parent.parent.parent
    command = [sys.executable, "-m", "explorer", "evaluate", str(example_path("quick-13b"))]
    env = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0
    assert done.stdout.startswith(b"Waiting for memory.")


def test_a_fault_is_readable_on_a_terminal_without_unicode() -> None:
    root = Path(__file__).resolve().parent.parent.parent
    env = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "explorer", "hardware", "H100"]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, check=False, timeout=120)
    assert done.returncode == 2
    assert done.stderr.startswith(b'roofline-explorer: "H100" fits 3 devices')


@pytest.mark.skipif(os.name != "posix", reason="closes streams the way a shell does")
@pytest.mark.parametrize("closed", ["1", "2", "1 2"])
def test_closed_streams_are_no_traceback(closed: str) -> None:
    closing = " ".join(f"{n}>&-" for n in closed.split())
    done = program(script=f'exec "$0" -m explorer hardware MI300X {closing}')
    assert done.returncode == (2 if "1" in closed else 0)
    assert "Traceback" not in done.stdout + done.stderr


def test_figures_without_a_drawing_import_no_qt() -> None:
    code = (
        "import sys; from explorer.cli.main import main; "
        f"main(['evaluate', {str(example_path('quick-13b'))!r}, '--json'], None, None); "
        "print([m for m in sys.modules if m.startswith(('PySide6', 'shiboken6', 'pyqtgraph'))], file=sys.stderr)"
    )
    root = Path(__file__).resolve().parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )
    assert json.loads(done.stdout)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(("ending", "first"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_render_draws_the_study_it_is_given(tmp_path: Path, ending: str, first: bytes) -> None:
    out = tmp_path / f"figure.{ending}"
    done = program("render", example_path("quick-13b"), "-o", out, "--size", "800x600", "--scale", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert out.read_bytes().startswith(first)


def test_render_without_a_study_draws_the_first_example_on_other_devices(tmp_path: Path) -> None:
    out = tmp_path / "figure.svg"
    done = program("render", "-o", out, "--hardware", "MI300X", "--theme", "dark")
    assert (done.returncode, done.stderr) == (0, "")
    text = out.read_text(encoding="utf-8")
    assert "MI300X" in text
    assert "H100" not in text


def test_render_imports_neither_widgets_nor_pyqtgraph(tmp_path: Path) -> None:
    code = (
        "import sys; from explorer.cli.main import main; "
        f"main(['render', '-o', {str(tmp_path / 'x.png')!r}], None, None); "
        "print([m for m in sys.modules if m.startswith(('PySide6.QtWidgets', 'pyqtgraph', 'explorer.ui'))])"
    )
    root = Path(__file__).resolve().parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.strip() == "[]"
