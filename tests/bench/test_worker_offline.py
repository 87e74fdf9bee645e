"""A trace never goes online and runs no code that a config names; nor does any other job, nor the program itself."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.bench import worker
from explorer.bench.drive import drive
from explorer.bench.gathering import Summary
from explorer.bench.interpreter import Interpreter
from explorer.bench.jobs import Job
from explorer.presentation.words.messages import of_note, render, render_problem

NETWORK = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "imaplib.", "poplib.")
# Before all else: every audit event that leads out of the process, one a line.
WATCH = """
import sys
def told(event, args):
    if event in {"socket.__new__", "socket.bind", "socket.gethostname"}:
        return
    if event.startswith(%r) or event in {"os.system", "subprocess.Popen", "os.exec", "os.posix_spawn"}:
        with open(%r, "a") as log:
            log.write(event + " " + repr(args)[:200] + "\\n")
sys.addaudithook(told)
"""
# As much of the library as a trace uses, with the traps of the real one.
LIBRARY = """
import json, os, socket, torch, urllib.request
LOG = %r
def note(**more):
    with open(LOG, "a") as log:
        log.write(json.dumps(more, default=str) + "\\n")
note(switches={n: os.environ.get(n) for n in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN", "USE_HUB_KERNELS")})
class PreTrainedConfig:
    architectures, use_pretrained_backbone = None, True
    def __init__(self, **fields):
        self.__dict__.update(fields)
class Small(PreTrainedConfig): model_type = "small"
class Curious(PreTrainedConfig): model_type = "curious"
class Kernels(PreTrainedConfig): model_type = "kernels"
class AutoConfig:
    @staticmethod
    def for_model(kind, **fields):
        note(fields=fields)
        return {"small": Small, "curious": Curious, "kernels": Kernels}[kind](**fields)
class PreTrainedModel(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        note(made=type(self).__name__)
        if config.use_pretrained_backbone:
            urllib.request.urlopen("http://127.0.0.1:9/backbone")
        self.layer = torch.nn.Linear(8, 8)
    def forward(self, input_ids, **more):
        return self.layer(torch.zeros(*input_ids.shape, 8, dtype=self.layer.weight.dtype))
class SmallModel(PreTrainedModel): config_class = Small
class PairModel(SmallModel): main_input_name = ["pixel_values", "task_inputs"]
class CuriousModel(PreTrainedModel):
    config_class = Curious
    def __init__(self, config):
        super().__init__(config)
        try:
            socket.create_connection(("127.0.0.1", 9))
        except OSError as error:
            raise RuntimeError("a model cannot be made") from error
class KernelsModel(PreTrainedModel):
    config_class = Kernels
    def __init__(self, config):
        super().__init__(config)
        try:
            import kernels
        except ImportError:
            return
        note(ran="kernels")
class Trainer:
    def __init__(self, config): note(ran="Trainer")
def pipeline(config): note(ran="pipeline")
class AutoModel:
    @staticmethod
    def from_config(config):
        return {"small": SmallModel, "curious": CuriousModel, "kernels": KernelsModel}[config.model_type](config)
AutoModelForCausalLM = AutoModel
"""
HOSTILE = {
    "auto_map": {"AutoModel": "a/b--code.Model"},
    "trust_remote_code": True,
    "custom_pipelines": {"x": {"impl": "code.P"}},
    "backbone": "resnet50",
    "use_timm_backbone": True,
    "use_pretrained_backbone": True,
    "backbone_kwargs": {"a": 1},
    "attn_implementation": "some/kernel",
    "_attn_implementation": "some/kernel:fast",
    "_attn_implementation_internal": "some/kernel",
    "experts_implementation": "a/b",
    "quantization_config": {"quant_method": "odd"},
    "kernel_config": {"kernel_mapping": {}},
    "use_kernels": True,
    "backbone_config": "resnet50",
    "vision_tower": "openai/clip",
    "architecture": "hf-hub:a/b",
    "text_encoder": "https://example.com/x",
    "tokenizer_file": "../x",
    "weights": "~/x",
    "base_model_name_or_path": "x",
    "pretrained": True,
    "adapter_config": {"a": 1},
    "vision_repo_id": "x",
    "code_revision": "main",
}
KEPT = {
    "hidden_size": 8,
    "kernel_size": 3,
    "conv_kernel": [10, 3],
    "index_topk": 2,
    "hidden_act": "gelu",
    "dtype": "float32",
    "rope_scaling": {"rope_type": "llama3", "factor": 8.0},
    "id2label": {"0": "either/or"},
    "layer_types": ["full", "full"],
    "gradient_checkpointing": False,
    "vision_config": {"hidden_size": 4, "backbone_config": {"depths": [3, 4]}},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_field_that_names_something_elsewhere_is_dropped_at_any_depth_and_named(name):
    field = {name: HOSTILE[name]}
    given = {**KEPT, **field, "text_config": {"a": 1, **field, "deep": {"deeper": field}}, "parts": [field, 1]}
    kept, dropped = worker._own_fields(given)
    assert kept == {**KEPT, "text_config": {"a": 1, "deep": {"deeper": {}}}, "parts": [{}, 1]}
    assert dropped == [name, f"text_config.{name}", f"text_config.deep.deeper.{name}", f"parts.{name}"]


def test_what_a_config_says_of_the_model_itself_is_kept():
    assert worker._own_fields(KEPT) == (KEPT, [])


@pytest.mark.parametrize("name", ["_name_or_path", "_commit_hash"])
def test_where_a_config_came_from_is_dropped_without_a_word(name):
    assert worker._own_fields({"a": 1, name: "meta/llama"}) == ({"a": 1}, [])


@pytest.mark.parametrize("value", ["eager", "sdpa", "flash_attention_2", None, ""])
def test_an_attention_of_the_library_is_chosen_anew_without_a_word(value):
    assert worker._own_fields({"_attn_implementation": value}) == ({}, [])


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("trace-goes-online", {"use_pretrained_backbone", "backbone"}),
        ("trace-hub-kernel", {"attn_implementation", "_attn_implementation"}),
    ],
)
def test_the_collected_configs_lose_the_fields_that_lead_elsewhere(name, fields, shared):
    path = shared / "cases" / "hostile" / f"{name}.config.json"
    assert set(worker._own_fields(json.loads(path.read_text(encoding="utf-8")))[1]) == fields


# --- under torch


class Watched:
    """A Python with torch and a library of ours, whose ways out are written down."""

    def __init__(self, python: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._events, self._log = folder / "events", folder / "log"
        (folder / "lib").mkdir()
        (folder / "lib" / "sitecustomize.py").write_text(WATCH % (NETWORK, str(self._events)), encoding="utf-8")
        (folder / "lib" / "transformers.py").write_text(LIBRARY % str(self._log), encoding="utf-8")
        (folder / "lib" / "kernels.py").write_text("print('hub code')\n", encoding="utf-8")
        path = folder / "python"
        path.write_text(f'#!/bin/sh\nPYTHONPATH={folder / "lib"} exec {python} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
        self._python = Interpreter(str(path))
        monkeypatch.setenv("HF_TOKEN", "secret")

    def does(self, job: Job) -> Summary:
        return drive(self._python, job)

    def traces(self, **config: object) -> Summary:
        return self.does(Job(command="trace", config=config, batch=1, context=4))

    def calls(self, body: str) -> Summary:
        source = f"import socket, torch, urllib.request\ndef model():\n    {body}\n"
        return self.does(Job(command="trace", source=source, path="net.py", callable="model"))

    @property
    def events(self) -> list[str]:
        """Ways out that were tried."""
        return self._events.read_text(encoding="utf-8").splitlines() if self._events.exists() else []

    @property
    def sockets(self) -> list[str]:
        return [e for e in self.events if not e.startswith("urllib.Request")]

    def told(self, what: str) -> list[object]:
        """What the library wrote down."""
        lines = [json.loads(line) for line in self._log.read_text(encoding="utf-8").splitlines()]
        return [line[what] for line in lines if what in line]


@pytest.fixture
def watched(torch_python, tmp_path, monkeypatch) -> Watched:
    return Watched(torch_python, tmp_path, monkeypatch)


@pytest.mark.torch
def test_a_config_is_traced_without_what_it_names_elsewhere(watched):
    nested = {"a": 1, "auto_map": HOSTILE["auto_map"]}
    summary = watched.traces(**HOSTILE, model_type="small", architectures=["SmallModel"], text_config=nested)
    assert summary.problem is None, render_problem(summary.problem)
    assert watched.told("fields") == [{"architectures": ["SmallModel"], "text_config": {"a": 1}}]
    (note,) = (render(of_note(n)) for n in summary.traced.notes)
    assert all(name in note for name in ("auto_map", "backbone", "_attn_implementation", "trust_remote_code"))
    assert len(summary.traced.rows) == 1
    assert watched.events == []


@pytest.mark.torch
def test_the_library_is_told_to_stay_offline_before_it_is_imported(watched):
    assert watched.traces(model_type="small").problem is None
    switches = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_TOKEN": None, "USE_HUB_KERNELS": "0"}
    assert watched.told("switches") == [switches]


@pytest.mark.torch
def test_only_a_model_class_that_is_made_from_such_a_config_is_made(watched):
    names = ["pipeline", "Trainer", "CuriousModel", "AutoModel", "torch", "os", "__class__", 7, None]
    summary = watched.traces(model_type="small", architectures=names)
    assert summary.problem is None, render_problem(summary.problem)
    assert watched.told("made") == ["SmallModel"]
    assert watched.told("ran") == []


@pytest.mark.torch
def test_a_model_that_loads_kernels_of_a_hub_unasked_gets_none(watched):
    assert watched.traces(model_type="kernels").problem is None
    assert watched.told("ran") == []


@pytest.mark.torch
def test_a_model_that_goes_online_unasked_is_one_clear_sentence(watched):
    summary = watched.traces(model_type="curious")
    assert "(127.0.0.1), and a trace never goes online" in render_problem(summary.problem)


@pytest.mark.torch
def test_a_model_that_cannot_be_made_without_what_was_dropped_names_the_field(watched):
    summary = watched.traces(model_type="curious", backbone="resnet50", text_config={"auto_map": {"a": "b"}})
    text = render_problem(summary.problem)
    assert "without what it names elsewhere (backbone, text_config.auto_map)" in text
    assert "a model cannot be made" in text


@pytest.mark.torch
@pytest.mark.parametrize(
    ("body", "what"),
    [
        ('return torch.hub.load("owner/repo", "net")', "github.com/owner/repo"),
        ('return torch.hub.load("owner/repo:v1", "net", trust_repo=True)', "github.com/repos/owner/repo"),
        ('torch.hub.load_state_dict_from_url("https://example.com/none-such.pth")', "example.com/none-such.pth"),
        ('urllib.request.urlopen("http://127.0.0.1:9/x")', "127.0.0.1:9/x"),
        ('socket.create_connection(("127.0.0.1", 9))', "127.0.0.1"),
        ('socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))', "127.0.0.1:9"),
    ],
)
def test_a_file_that_asks_the_network_is_one_clear_sentence(body, what, watched):
    text = render_problem(watched.calls(body).problem)
    assert what in text
    assert "never goes online" in text
    if "socket." not in body:
        assert watched.sockets == []


@pytest.mark.torch
def test_what_torch_hub_kept_on_this_machine_is_still_used(watched, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_HOME", str(tmp_path / "torch"))
    kept = tmp_path / "torch" / "hub" / "owner_repo_main"
    kept.mkdir(parents=True)
    (kept / "hubconf.py").write_text("import torch\ndef net(): return torch.nn.Linear(4, 4)\n", encoding="utf-8")
    summary = watched.calls('return torch.hub.load("owner/repo", "net", trust_repo=True), torch.zeros(2, 4)')
    assert summary.problem is None, render_problem(summary.problem)
    assert len(summary.traced.rows) == 1


@pytest.mark.torch
def test_no_job_tries_the_network(watched, two_rows):
    jobs = [two_rows, Job(command="hello"), Job(command="ceilings", formats=("none",))]
    jobs.append(Job(command="trace", config={"model_type": "small"}))
    assert [watched.does(job).problem for job in jobs] == [None] * len(jobs)
    assert watched.calls("return torch.nn.Linear(4, 4), torch.zeros(2, 4)").problem is None
    assert [e for e in watched.events if e.startswith(NETWORK)] == []


# --- the program itself


COMMANDS = [
    ["evaluate", "--quick", "params=13e9,layers=32,kv_heads=32,head_dim=128", "--hardware", "H100 SXM5"],
    ["evaluate", "--model", "Llama-3.1-8B", "--hardware", "H100 SXM5", "--json"],
    ["hardware"],
    ["model", "Llama-3.1-8B"],
    ["render", "-o", "figure.svg"],
    ["import", "bench.md"],
    ["measure", "--ceilings", "--python", sys.executable],
]
BENCH = "| model | size | params | backend | ngl | test | t/s |\n|---|---|---|---|---|---|---|\n"
BENCH += "| llama 8B Q4_K - Medium | 4.58 GiB | 8.03 B | CUDA | 99 | tg 512 | 135.04 ± 0.15 |\n"
WINDOW = """
import sys
sys.argv[1:] = []
from PySide6.QtCore import QTimer
from explorer import app
made = app.make_window
def make_window(study, settings):
    window = made(study, settings)
    QTimer.singleShot(3000, app.QApplication.instance().quit)
    return window
app.make_window = make_window
assert app.main() == 0
assert not [m for m in sys.modules if m.startswith("PySide6.QtNetwork")]
"""


def online(events: Path) -> list[str]:
    lines = events.read_text(encoding="utf-8").splitlines() if events.exists() else []
    return [line for line in lines if line.startswith(NETWORK)]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_no_command_of_the_program_tries_the_network(command, root, tmp_path):
    (tmp_path / "bench.md").write_text(BENCH, encoding="utf-8")
    watch = WATCH % (NETWORK, str(tmp_path / "events"))
    program = f"{watch}\nimport sys; from explorer.__main__ import main; sys.exit(main())"
    variables = {**os.environ, "PYTHONPATH": str(root)}
    line = [sys.executable, "-P", "-c", program, *command]
    done = subprocess.run(line, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == (2 if command[0] == "measure" else 0), done.stderr
    assert online(tmp_path / "events") == []


def test_the_window_tries_no_network(root, tmp_path):
    program = WATCH % (NETWORK, str(tmp_path / "events")) + WINDOW
    variables = {
        **os.environ,
        "PYTHONPATH": str(root),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }
    line = [sys.executable, "-P", "-c", program]
    strace = shutil.which("strace")
    if strace and subprocess.run([strace, "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0:
        line = [strace, "-f", "-qq", "-e", "trace=connect,sendto", "-o", str(tmp_path / "calls"), *line]
    done = subprocess.run(line, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert online(tmp_path / "events") == []
    calls = (tmp_path / "calls").read_text(encoding="utf-8") if (tmp_path / "calls").exists() else ""
    assert [call for call in calls.splitlines() if "AF_INET" in call] == []


@pytest.mark.torch
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system sets no bound")
def test_a_model_that_asks_for_more_than_half_of_the_free_memory_ends_with_a_sentence(watched):
    problem = watched.calls("held = [bytearray(1 << 28) for _ in range(1 << 20)]").problem
    assert problem is not None
    assert problem.code == "measure.no_memory"
    assert "more memory than" in render_problem(problem)


@pytest.mark.torch
def test_a_model_of_several_inputs_is_named_by_them(watched):
    problem = watched.traces(model_type="small", architectures=["PairModel"]).problem
    assert problem is not None
    assert "pixel_values, task_inputs" in render_problem(problem)
