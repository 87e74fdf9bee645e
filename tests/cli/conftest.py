"""The command line called as a user would, without a process for each call."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from explorer.cli.main import main

LLAMA_2_7B: dict[str, Any] = {
    "model_type": "llama",
    "hidden_act": "silu",
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "max_position_embeddings": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 32,
    "tie_word_embeddings": False,
    "torch_dtype": "float16",
    "vocab_size": 32000,
}
LLAMA_2_13B = LLAMA_2_7B | {
    "hidden_size": 5120,
    "intermediate_size": 13824,
    "num_attention_heads": 40,
    "num_hidden_layers": 40,
    "num_key_value_heads": 40,
}
LLAMA_3_8B = LLAMA_2_7B | {
    "intermediate_size": 14336,
    "num_key_value_heads": 8,
    "torch_dtype": "bfloat16",
    "vocab_size": 128256,
}
MISTRAL_7B = LLAMA_3_8B | {"model_type": "mistral", "sliding_window": None, "vocab_size": 32000}
QWEN_2_5_7B = LLAMA_3_8B | {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_attention_heads": 28,
    "num_hidden_layers": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
}


@pytest.fixture(autouse=True)
def application(qapp: object) -> None:
    """Drawing in this process makes no application of its own, which tests of the window could not use."""


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], qapp: object) -> Callable[..., Ran]:
    """Run the command line with arguments; nothing opens. `qapp`: drawing would make an application of its own kind."""

    def window(path: Path | None) -> int:
        print(f"window {path}")
        return 0

    def smoke_test(path: Path) -> int:
        print(f"smoke test {path}")
        return 0

    def called(*arguments: object) -> Ran:
        code = main([str(a) for a in arguments], window, smoke_test)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return called


@pytest.fixture
def as_json(run: Callable[..., Ran]) -> Callable[..., Any]:
    """Run a command with --json; what it printed."""

    def called(*arguments: object) -> Any:
        ran = run(*arguments, "--json")
        assert ran.code == 0, ran.err
        return json.loads(ran.out, parse_constant=lambda word: pytest.fail(f"JSON holds {word}"))

    return called


@pytest.fixture
def refused(run: Callable[..., Ran]) -> Callable[..., str]:
    """Run a command that must be refused; its one line."""

    def called(*arguments: object) -> str:
        ran = run(*arguments)
        assert ran.code == 2
        assert ran.out == ""
        assert ran.err.startswith("roofline-explorer: ")
        assert ran.err.count("\n") == 1
        assert ran.err.endswith("\n")
        return ran.err.removeprefix("roofline-explorer: ").rstrip("\n")

    return called


@pytest.fixture
def config(tmp_path: Path) -> Callable[[dict[str, Any]], Path]:
    """A model's config written to a folder of its own."""

    def written(fields: dict[str, Any], name: str = "some-model") -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(fields), encoding="utf-8")
        return folder

    return written
