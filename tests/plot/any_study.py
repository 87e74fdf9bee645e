"""Studies of the program's own devices and models, drawn at random from a seed; a size and a face for each."""

import random
from functools import lru_cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, ModelEntry, OwnRow, QuickModel, Study, View, Workload
from explorer.files.catalogue import load_catalogue
from tests.plot.drawing import measured

FACES = ("Inter", "DejaVu Sans", "Noto Sans CJK SC")
_NAMES = ("gate_proj", "an operator with a very long name", "矩阵乘法算子", "mlp.up_proj", "conv 3x3 of stage 4", "q")


@lru_cache(maxsize=1)
def whole_catalogue() -> Catalogue:
    return load_catalogue()


def any_study(seed: int) -> Study:
    """One to six devices, a preset, a quick model or rows of one's own, at any batch, context and phase."""
    dice = random.Random(seed)  # noqa: S311 - it draws studies, not secrets
    hardware = tuple(
        HardwareEntry(id=f"d{i}", device=d, count=dice.choice((1, 1, 1, 2, 8)))
        for i, d in enumerate(dice.sample(whole_catalogue().devices, dice.randint(1, 6)))
    )
    models, rows = _work(dice)
    workload = Workload(
        phase=dice.choice(("decode", "decode", "prefill")),
        batch=2 ** dice.randint(0, 9),
        context=2 ** dice.randint(5, 17),
        launch=dice.choice(("graph", "eager")),
    )
    view = View(
        selection=dice.choice(((), (), ("q_proj",), ("0",))),
        per_value=dice.random() < 0.3,
        active_hardware=dice.choice(hardware).id,
    )
    study = Study(
        hardware=hardware,
        models=models,
        active_model=models[0].id if models else "",
        operators=rows,
        workload=workload,
        view=view,
    )
    row = rows[0].name if rows else "q_proj"
    return measured(study, row, dice.choice((0.3, 0.74, 1.2)), 1e-5) if dice.random() < 0.4 else study


def _work(dice: random.Random) -> tuple[tuple[ModelEntry, ...], tuple[OwnRow, ...]]:
    kind = dice.randrange(3)
    if kind == 0:
        return (dice.choice(whole_catalogue().presets),), ()
    if kind == 1:
        params = 10 ** dice.uniform(8, 12)
        quick = QuickModel(params=params, layers=dice.randint(8, 120), kv_heads=8, head_dim=128)
        return (ModelEntry(id="quick", name="quick", quick=quick),), ()
    rows = tuple(
        OwnRow(
            id=str(i),
            name=f"{dice.choice(_NAMES)}{i}",
            kind="matmul",
            dims={d: float(2 ** dice.randint(0, 14)) for d in ("m", "n", "k")},
            count=dice.randint(1, 64),
        )
        for i in range(dice.randint(1, 20))
    )
    return (), rows


def any_rect(seed: int) -> QRectF:
    """A chart between 320 x 240 and 2400 x 1400."""
    dice = random.Random(-seed)  # noqa: S311
    return QRectF(0, 0, dice.randint(320, 2400), dice.randint(240, 1400))


def any_font(seed: int) -> QFont:
    """One of the faces of CI, at a usual size and at larger ones."""
    font = QFont(FACES[seed % len(FACES)])
    font.setPixelSize((13, 13, 16, 20)[seed // 3 % 4])
    return font


def any_evaluation(seed: int) -> Evaluation:
    return evaluate(any_study(seed), whole_catalogue())
