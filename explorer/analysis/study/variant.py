"""Changes of a study as values: saved, shown, evaluated and clicked, always the same one."""

from msgspec import UNSET, Struct, UnsetType

from explorer.analysis.step.phases.ids import PhaseId
from explorer.analysis.study.choices import AttentionCount, Figure, Launch, Logits


class _Edit(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, tag_field="kind"):
    """Base of the edits: unknown keys are refused; `kind` names which one it is."""


class SetWorkload(_Edit, frozen=True, kw_only=True, tag="workload"):
    """Other work: what is None stays as it is."""

    phase: PhaseId | None = None
    context: int | None = None
    launch: Launch | None = None
    attention_count: AttentionCount | None = None
    logits: Logits | None = None
    skew: float | None = None
    reserve: float | None = None


class SetBatch(_Edit, frozen=True, kw_only=True, tag="batch"):
    """Another batch, a whole number in a study; curves have places between them too."""

    batch: float


class SetFormats(_Edit, frozen=True, kw_only=True, tag="formats"):
    """Other number formats: what is left out stays as it is, None is what the model's config says."""

    weights: str | UnsetType | None = UNSET
    activations: str | UnsetType | None = UNSET
    kv: str | UnsetType | None = UNSET


class ScaleDevice(_Edit, frozen=True, kw_only=True, tag="scale"):
    """One kind of figure of a device entry times a factor: of its outermost memory, all its peaks or all its links."""

    device: str
    figure: Figure
    factor: float


class SetCount(_Edit, frozen=True, kw_only=True, tag="count"):
    """Another number of one device entry's devices, which work as one as far as links allow."""

    device: str
    count: int


class UseModel(_Edit, frozen=True, kw_only=True, tag="model"):
    """Another model of the study; overrides of the active model's rows stay with it."""

    model: str


Edit = SetWorkload | SetBatch | SetFormats | ScaleDevice | SetCount | UseModel


class Variant(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A named change of a study."""

    label: str
    edit: Edit
