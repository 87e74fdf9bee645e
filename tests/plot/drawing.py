"""Studies to draw: by hand, and at random from a seed."""

import random
from functools import lru_cache

from msgspec.structs import replace
from msgspec.structs import replace as changed
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, Measurement, ModelEntry, OwnRow, Study, View, Workload
from explorer.files.catalogue import load_catalogue
from explorer.plot.paint.figure import ChartLayout, paint
from explorer.presentation.palette import LIGHT, Theme
from explorer.presentation.roofline.figure import Figure

CHINESE = "昇腾数据中心训练加速卡（六十四吉字节高带宽显存版本）"
RECT = QRectF(0, 0, 930, 700)

# A Llama-like config, so that a whole decode step can be drawn without a file beside the checkout.
CONFIG: dict[str, object] = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "tie_word_embeddings": False,
    "attention_bias": False,
    "mlp_bias": False,
    "hidden_act": "silu",
    "torch_dtype": "bfloat16",
    "rms_norm_eps": 1e-5,
    "rope_theta": 500000.0,
}


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    return load_catalogue(devices=False)


def device(name: str, rate: float, bandwidth: float, vector: float | None = 60e12, level: str = "HBM3") -> Device:
    peaks = [Peak(format=f, accumulate="fp32", unit="tensor", rate=rate) for f in ("bf16", "fp16")]
    if vector is not None:
        peaks.append(Peak(format="fp32", accumulate="fp32", unit="vector", rate=vector))
    return Device(
        id=f"dev-{name.lower()}"[:40],
        name=name,
        short=name,
        vendor="Test",
        peaks=tuple(peaks),
        memory=(MemoryLevel(level=level, capacity=80e9, bandwidth=bandwidth),),
    )


H100 = device("H100", 989.4e12, 3.35e12)
A100 = device("A100", 312e12, 2.039e12)
MI300X = device("MI300X", 1307.4e12, 5.3e12)


def decode_study(*devices: Device, **work: object) -> Study:
    chosen = devices or (H100, A100, MI300X)
    workload = Workload(**{"phase": "decode", "batch": 8, "context": 4096, **work})  # type: ignore[arg-type]
    return Study(
        name="decode",
        hardware=tuple(HardwareEntry(id=f"d{i}", device=d) for i, d in enumerate(chosen)),
        models=(ModelEntry(id="m", name="Llama-8B", config=dict(CONFIG)),),
        active_model="m",
        workload=workload,
    )


def matmul_study(m: float = 4096, n: float = 4096, k: float = 4096, *devices: Device) -> Study:
    return Study(
        hardware=tuple(HardwareEntry(id=f"d{i}", device=d) for i, d in enumerate(devices or (H100,))),
        operators=(OwnRow(id="a", name="matmul", kind="matmul", dims={"m": m, "n": n, "k": k}),),
    )


def measured(study: Study, row: str | None, efficiency: float, of: float) -> Study:
    """The study with a measurement that reached a share of a bound of `of` seconds."""
    one = Measurement(id="x", name="timed", device=study.hardware[0].id, row=row, time_s=of / efficiency)
    return changed(study, measurements=(*study.measurements, one))


def evaluated(study: Study) -> Evaluation:
    return evaluate(study, catalogue())


def random_study(seed: int) -> Study:
    """One to six devices, rows of many sizes or a decode step, names of any length, a selection, measurements."""
    dice = random.Random(seed)  # noqa: S311 - it draws studies, not secrets
    names = ["H100", "A100", "MI300X", "GeForce RTX 4090 Founders Edition", CHINESE, "M4 Max (40-core GPU)"]
    devices = [
        device(f"{dice.choice(names)} {i}", 10 ** dice.uniform(11, 15.5), 10 ** dice.uniform(10.5, 13))
        for i in range(dice.randint(1, 6))
    ]
    if dice.random() < 0.5:
        study = decode_study(*devices, batch=2 ** dice.randint(0, 9), context=2 ** dice.randint(4, 16))
    else:
        rows = tuple(
            OwnRow(
                id=str(i),
                name=dice.choice(["gate_proj", "operator with a long name", "矩阵乘法算子", "mlp.up_proj"]) + str(i),
                kind="matmul",
                dims={d: float(2 ** dice.randint(0, 14)) for d in ("m", "n", "k")},
                count=dice.randint(1, 64),
            )
            for i in range(dice.randint(1, 20))
        )
        study = Study(
            hardware=tuple(HardwareEntry(id=f"d{i}", device=d) for i, d in enumerate(devices)), operators=rows
        )
    picked = ("q_proj",) if dice.random() < 0.3 else ()
    launch = dice.choice(("graph", "eager"))
    view = View(selection=picked, per_value=dice.random() < 0.3, active_hardware=dice.choice(study.hardware).id)
    study = changed(study, view=view, workload=changed(study.workload, launch=launch))
    return measured(study, "q_proj", dice.choice((0.3, 0.74, 1.2)), 1e-5) if dice.random() < 0.4 else study


def painted(
    figure: Figure, theme: Theme = LIGHT, rect: QRectF = RECT, scale: float = 1.0
) -> tuple[QImage, ChartLayout]:
    image = QImage(round(rect.width() * scale), round(rect.height() * scale), QImage.Format.Format_RGB32)
    image.fill(QColor(theme.panel))
    painter = QPainter(image)
    painter.scale(scale, scale)
    chart = paint(painter, rect, figure, theme)
    painter.end()
    return image, chart


def without_texts(figure: Figure) -> Figure:
    return replace(figure, marks=tuple(replace(m, label="") for m in figure.marks))
