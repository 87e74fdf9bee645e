"""Files for a monkey to open: good ones of every kind that the program reads, and broken ones."""

import gzip
import json
import random
from pathlib import Path

from msgspec.structs import replace

from explorer.analysis.study.study import OwnRow, Study
from explorer.files.resources import resource_root
from explorer.files.study.examples import example_studies, opening_study
from explorer.files.study.study import study_to_text
from tests.conftest import SHARED
from tests.files.gguf_models import SMALL
from tests.files.importers.test_fuzz import SEEDS
from tests.files.importers.traces import kernel, launch, op, trace
from tests.files.weights import write_gguf, write_safetensors

CONFIGS = (
    {
        "model_type": "llama", "hidden_size": 256, "num_hidden_layers": 3, "num_attention_heads": 8,
        "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 1000, "max_position_embeddings": 512,
    },
    {
        "model_type": "bert", "hidden_size": 256, "num_hidden_layers": 3, "num_attention_heads": 8,
        "intermediate_size": 512, "vocab_size": 1000, "max_position_embeddings": 512,
    },
    {"model_type": "llama", "hidden_size": 256}, {"model_type": "none of ours"}, {"model_type": 7}, [], {},
    {"model_type": "llama", "hidden_size": 1e300, "num_hidden_layers": -3, "num_attention_heads": 0},
)  # fmt: skip
BROKEN: dict[str, bytes] = {
    "empty": b"", "nul": b"\x00" * 900, "random": bytes(range(256)) * 40, "half": b"format: 1\nname: [x\n",
    "newer.roofline.yaml": b"format: 999\nname: from the future\n", "words": b"plain words, nothing else\n",
    "bomb.yaml": b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nformat: 1\noperators: *c\n",
    "deep.json": b"[" * 3000 + b"]" * 3000, "gguf": b"GGUF\x03\x00\x00\x00" + b"\xff" * 16,
    "tag.yaml": b"!!python/x y\n",
    "html.roofline.yaml": b"format: 1\nname: '<b>x</b><img src=x>'\noperators: []\n",
}  # fmt: skip

_EVENT = '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": %s}'
HOSTILE: dict[str, bytes] = {
    "quotes.sql": b"INSERT INTO t (model_type, n_prompt, n_gen, avg_ts) VALUES (" + b"'" * 90 + b"\n",
    "newlines.txt": b"\n" * 20_000, "spaces.txt": b"  100.5 GFLOPs\n" + b" " * 100_000 + b"x\n" + b"   50.0 DRAM\n",
    "surrogate.json": b'{"traceEvents": [%b]}' % (_EVENT % r'{"Input Dims": [[8]], "Input type": ["\udfff"]}').encode(),
    "escapes.md": SEEDS["markdown"].replace("llama", "\x1b]0;x\x07\u202ellama").encode(),
    "images.md": SEEDS["markdown"].replace("llama", "<img src='file:///dev/null'><b>").encode(),
    "formulas.csv": SEEDS["llama csv"].replace("CUDA", "=cmd|' /C calc'!A0").encode(),
    "long line.json": b"[" + b"1," * 2_000_000 + b"1]", "bars.md": b"|" * 200_000 + b"\n",
}  # fmt: skip
JUNK = (b"", b"\x00", b"nan", b"1e999", b"\xff\xfe", b'"', b"[", b"\n\n", b"-", b"9" * 400)


class Samples:
    """A folder of files, by what they are; those that are there already are left as they are."""

    def __init__(self, folder: Path, rng: random.Random, *, hostile: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._rng = folder, rng
        self.studies = self._studies()
        self.models = self._models()
        self.devices = self._devices()
        self.measured = self._measured()
        self.broken = [self._put(f"broken {name}", content) for name, content in BROKEN.items()]
        self.odd = [folder, folder / "missing.yaml", Path("/dev/null"), Path("relative.json")]
        if hostile:
            self.broken += [self._put(f"hostile {name}", content) for name, content in HOSTILE.items()]
        if hostile and SHARED.is_dir():
            self.broken += sorted(p for p in (SHARED / "cases" / "hostile").iterdir() if p.is_file())

    def any(self) -> Path:
        """A file of any kind, good ones more often."""
        kinds = (self.studies, self.models, self.devices, self.measured, self.measured, self.measured, self.broken)
        return self._rng.choice(self._rng.choice((*kinds, self.odd)))

    def spoiled(self) -> Path:
        """A copy of a good file with a few bytes changed, cut off, or written over."""
        source = self._rng.choice((*self.studies, *self.devices, *self.measured))
        content = bytearray(source.read_bytes())
        for _ in range(self._rng.randrange(1, 5)):
            at = self._rng.randrange(len(content) + 1)
            junk = self._rng.choice(
                (b"", b"\x00", b"nan", b"1e999", b"\xff\xfe", b'"', b"[", b"\n\n", b"-", b"9" * 400)
            )
            content[at : at + self._rng.choice((0, 1, 40))] = junk
        path = self.folder / f"spoiled {self._rng.randrange(10**9)} {source.name}"  # none that was saved to meanwhile
        path.write_bytes(content[: self._rng.choice((None, None, 300))])
        return path

    def _put(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        if not path.exists():
            path.write_bytes(content)
        return path

    def _studies(self) -> list[Path]:
        rows = tuple(OwnRow(id=f"r{i}", name=f"row {i}", kind="matmul", dims={"m": 8.0}) for i in range(3))
        made = {"opening": opening_study(), "rows": Study(name="rows", operators=rows), "nothing": Study()}
        made["named <i>x"] = replace(opening_study(), name="<img src='file:///dev/null'>", notes="=1+1\n" * 3)
        for name, study in made.items():
            self._put(f"{name}.roofline.yaml", study_to_text(study).encode())
        copies = [self._put(e.path.name, e.path.read_bytes()) for e in example_studies()]  # which may be saved over
        return [*(self.folder / f"{name}.roofline.yaml" for name in made), *copies]

    def _models(self) -> list[Path]:
        found = [self._put(f"{i} config.json", json.dumps(c).encode()) for i, c in enumerate(CONFIGS)]
        for name in self._rng.sample(sorted(SMALL), 3):
            small = SMALL[name]
            path = self.folder / f"{name}.gguf"
            write_gguf(path, small.metadata, small.tensors)
            found.append(path)
        home = self.folder / "a model"
        home.mkdir(exist_ok=True)
        (home / "config.json").write_text(json.dumps(CONFIGS[0]))
        write_safetensors(home / "model.safetensors", [("model.embed_tokens.weight", (256, 1000), "BF16")])
        return [*found, home, home / "model.safetensors"]

    def _devices(self) -> list[Path]:
        database = sorted((resource_root() / "hardware").glob("*.yaml"))
        found = [self._put(path.name, path.read_bytes()) for path in self._rng.sample(database, 3)]
        for i, path in enumerate(self._rng.sample(database, 3)):
            text = path.read_text(encoding="utf-8").replace(f"id: {path.stem}", f"id: own-{i}", 1)
            found.append(self._put(f"own-{i}.yaml", text.encode()))
        return found

    def _measured(self) -> list[Path]:
        found = [self._put(name, text.encode()) for name, text in SEEDS.items()]
        found.append(self._put("packed", gzip.compress(SEEDS["trace"].encode())))
        found.append(self._put("long trace.json", long_trace(3000).encode()))
        return found


def long_trace(calls: int) -> str:
    """A trace that takes a while to read."""
    steps = (
        (op("aten::mm", 10.0 * i, 5, [[8, 8], [8, 8]]), launch(i, 10.0 * i + 1), kernel(i, 7.0)) for i in range(calls)
    )
    return trace(*(event for step in steps for event in step))
