"""The study: the whole document as one frozen value of scalars, tuples and embedded parts."""

from typing import Any, Literal

import msgspec

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.step.phases.ids import DECODE, PhaseId
from explorer.analysis.study.choices import AttentionCount, CompareAs, Launch, Logits, Vary
from explorer.analysis.study.variant import Variant

FORMAT = 2


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of the parts of a study: unknown keys are refused."""


class FittedRoof(_Part, frozen=True, kw_only=True):
    """What measurements say one device reaches: B/s, FLOP/s of operands in `format`, seconds per kernel.

    A figure that they do not tell is None; `spread` is the half width of the expected band as a share of the time.
    """

    bandwidth: float | None = None
    peak: float | None = None
    format: str = ""
    per_kernel_s: float = 0.0
    spread: float = 0.1
    rows: int = 0
    source: str = ""


class HardwareEntry(_Part, frozen=True, kw_only=True):
    """A device chosen in the study, embedded whole; `id` is unique within the study.

    A fit to measurements, where there is one, replaces the expected band.
    """

    id: str
    device: Device
    colour: str = ""
    visible: bool = True
    count: int = 1
    fitted: FittedRoof | None = None


class QuickModel(_Part, frozen=True, kw_only=True):
    """A model known by six numbers only; named as rough wherever it shows."""

    params: float
    layers: int
    kv_heads: int
    head_dim: int
    weights: str = "fp16"
    kv: str = "fp16"
    file_bytes: float | None = None


class TensorEntry(_Part, frozen=True, kw_only=True):
    """Tensors of a file with one name and format: how many, their values and bytes, the layers they stand in.

    `*` in the name stands for the numbers of layer and expert; `layers` reads `0-3, 7`.
    """

    name: str
    format: str
    count: int = 1
    values: int
    bytes: int
    layers: str = ""


class TensorSummary(_Part, frozen=True, kw_only=True):
    """All tensors of a model's file: the truth on its bytes.

    `label` names the file's mix of formats; `read_as` the file's architecture where another one is read in its place.
    """

    label: str
    read_as: str = ""
    entries: tuple[TensorEntry, ...]


class ModelEntry(_Part, frozen=True, kw_only=True, dict=True):
    """A model of the study: from a config (and the tensors of its file), or quick; `source` says where it came from.

    `file_bytes` is the size of the weights' file where only that is known of it.
    """

    id: str
    name: str
    source: str = ""
    config: dict[str, Any] | None = None
    quick: QuickModel | None = None
    tensors: TensorSummary | None = None
    file_bytes: float | None = None


class Group(_Part, frozen=True, kw_only=True):
    """Sequences of a step that are alike: new tokens and context of each, and how many of them there are."""

    tokens: int = 1
    context: int
    sequences: int = 1


class Workload(_Part, frozen=True, kw_only=True):
    """What is run: None for a format means what the model's config says (else bf16).

    Without `groups` the step is one of `batch` sequences that are all alike. `skew` of the experts' routing: 0 is
    random, at 1 all tokens choose alike.
    """

    phase: PhaseId = DECODE
    batch: int = 1
    context: int = 2048
    groups: tuple[Group, ...] = ()
    weights: str | None = None
    activations: str | None = None
    kv: str | None = None
    launch: Launch = "graph"
    attention_count: AttentionCount = "causal"
    logits: Logits = "last"
    skew: float = 0.0
    reserve: float = 0.0
    expected: tuple[float, float] = (0.6, 0.8)
    knee_factor: float = 1.5


class Override(_Part, frozen=True, kw_only=True):
    """The user's own formats for one row of a model, by row name."""

    row: str
    weights: str | None = None
    activations: str | None = None
    output: str | None = None
    kv: str | None = None
    accumulate: str | None = None
    fused: bool = False


class OwnRow(_Part, frozen=True, kw_only=True):
    """An operator row the user owns; dims left out take the kind's defaults."""

    id: str
    name: str
    kind: str
    dims: dict[str, float] = {}
    count: float = 1.0
    weights: str | None = None
    activations: str | None = None
    output: str | None = None
    kv: str | None = None
    accumulate: str | None = None
    fused: bool = False
    enabled: bool = True


class Measurement(_Part, frozen=True, kw_only=True):
    """A measured figure to stand beside the predicted ones.

    `quartiles_s` are the first and third of `runs` runs; `cached`: the operands stayed in a cache. `device` is an
    entry of the study. A `row` is one of the study's rows; without a row it is a whole step, of `model` (an entry's
    id, "" for the active one) with weights in `weights`, or of a file of `size_bytes`. Where another tool counted what
    it timed, `flops` and `bytes` are its counts per call (in `format`), and the figure needs no row.
    `memory_busy` and `compute_busy` are a profiler's shares of the peak, `total_s` the time of all `calls` together;
    `depth`: tokens held before the test, `tool`: what measured it.
    """

    id: str
    name: str
    device: str = ""
    row: str | None = None
    time_s: float | None = None
    tokens_per_s: float | None = None
    batch: int | None = None
    context: int | None = None
    phase: PhaseId | None = None
    source: str = ""
    quartiles_s: tuple[float, float] | None = None
    runs: int | None = None
    cached: bool = False
    model: str = ""
    weights: str | None = None
    size_bytes: float | None = None
    flops: float | None = None
    bytes: float | None = None
    format: str = ""
    memory_busy: float | None = None
    compute_busy: float | None = None
    total_s: float | None = None
    calls: float | None = None
    depth: int | None = None
    tool: str = ""

    @property
    def of_step(self) -> bool:
        """Whether a whole step of the model was timed, not an operator or a kernel that is no row of the study."""
        return self.row is None and (self.phase is not None or self.tokens_per_s is not None or not self.tool)


class PlannedStep(_Part, frozen=True, kw_only=True):
    """A step of a plan: how often it runs, its work, and the device entry that it runs on ("" for the active one)."""

    times: float = 1.0
    workload: Workload
    device: str = ""


class View(_Part, frozen=True, kw_only=True):
    """How the study is looked at; saved, but never makes it dirty.

    Ratios are to the device entry `baseline`, and where models are compared to the model `baseline_model`, "" for the
    active one. `vary` is what stands side by side, `compare_sort` the figure that orders it, with "-" in front
    descending, "" for the study's order. `compare_with` is the device entry whose speed-up over the baseline is drawn,
    "" for the fastest other one; `compare_columns` are the figures shown and `compare_charts` the views drawn below, ()
    for the usual ones. `log_curves`: curves against batch on a log axis, None where the program chooses.
    """

    active_hardware: str = ""
    baseline: str = ""
    baseline_model: str = ""
    vary: Vary = "machines"
    compare_as: CompareAs = "ratio"
    compare_sort: str = ""
    compare_with: str = ""
    compare_charts: tuple[str, ...] = ()
    compare_columns: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()
    tab: str = "roofline"
    per_value: bool = False
    log_curves: bool | None = None
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    area_is_share: bool = True
    colour_by: Literal["hardware", "bound"] = "hardware"


class SlideTexts(_Part, frozen=True, kw_only=True):
    """Texts of a slide in place of those that the program proposes: None as proposed, "" left out."""

    title: str | None = None
    subtitle: str | None = None
    help_title: str | None = None
    help: str | None = None
    read_title: str | None = None
    read: str | None = None
    footer: str | None = None


class SlideChoice(_Part, frozen=True, kw_only=True):
    """The slide of a view as the user made it: texts, blocks (None: those the view has), logical pixels, theme."""

    view: str
    texts: SlideTexts = SlideTexts()
    blocks: tuple[str, ...] | None = None
    size: tuple[int, int] = (1600, 900)
    theme: Literal["light", "dark"] = "light"


class Study(_Part, frozen=True, kw_only=True):
    """The whole document."""

    format: int = FORMAT
    name: str = ""
    notes: str = ""
    hardware: tuple[HardwareEntry, ...] = ()
    models: tuple[ModelEntry, ...] = ()
    active_model: str = ""
    workload: Workload = Workload()
    overrides: tuple[Override, ...] = ()
    operators: tuple[OwnRow, ...] = ()
    kinds: tuple[OperatorKind, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    what_ifs: tuple[Variant, ...] = ()
    plan: tuple[PlannedStep, ...] = ()
    slides: tuple[SlideChoice, ...] = ()
    view: View = View()
