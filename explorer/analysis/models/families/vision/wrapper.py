"""A text model of any type that can be read, and the towers beside it, each described by a config of its own.

Field names, class defaults and module structure: the transformers library, version 5.24.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Reader
from explorer.analysis.models.families.vision.nested import NESTED
from explorer.analysis.models.parts import Architecture, Tensor, count_values
from explorer.analysis.models.registry import reader_of, text_reader_of
from explorer.analysis.models.towers.joins import Join, Meeting, none
from explorer.analysis.models.towers.parts import Parts, resident
from explorer.analysis.models.towers.registry import TOWERS
from explorer.analysis.problem import Refused, Value

TIED: Final = "tie_word_embeddings"
Defaults = Mapping[str, Value | None]
Own = Callable[[Fields, int], Parts]


class Side(msgspec.Struct, frozen=True):
    """One tower: where its config stands, its kind where that names none, its modules, what joins it to the text.

    A `fixed` tower is of its kind whatever its config names; `times` it stands beside the text.
    """

    kind: str
    join: Join = none
    field: str = "vision_config"
    place: str = "vision_tower"
    sense: Literal["vision", "audio"] = "vision"
    fixed: bool = False
    times: int = 1

    def tensors(self, whole: Fields, text: Fields, hidden: int) -> tuple[Tensor, ...]:
        """The tensors that the config of the whole describes, or none; a note says which."""
        if not whole.has(self.field):
            whole.note(f"model.{self.sense}_left_out" if self.sense == "vision" else "model.audio_not_described")
            return ()
        own = whole.within(self.field)
        kind = own.text("model_type") if own.has("model_type") and not self.fixed else self.kind
        if kind not in TOWERS:
            own.fault(f"model.{self.sense}_unknown", "model_type", value=brief(kind))
            return ()
        built = TOWERS[kind](own)
        tower = tuple(replace(t, count=t.count * self.times, active=t.active * self.times)
                      for t in resident(self.place, built.parts))  # fmt: skip
        found = (*tower, *resident("", self.join(Meeting(whole, own, text, built.width, hidden))))
        whole.note(f"model.{self.sense}_counted", parameters=count_values(found))
        return found


class Wrapper(msgspec.Struct, frozen=True):
    """A text model in `text_config` and the towers beside it.

    `text` is its type where the config names none; `flat` configs have its fields beside those of the whole. The head
    is the embedding where the outer config says so, else the inner one (`alone`: the outer one says so or nobody;
    `inner`: the inner one; `either`; `never`). What the text's config leaves out is `inside` where the wrapper's class
    has defaults of its own for it; `own` is what stands beside the text without a tower. With `encoded`
    the text may have an encoder of its own, as T5 has.
    """

    label: str
    text: str
    sides: tuple[Side, ...]
    defaults: Defaults = msgspec.field(default_factory=dict)
    ties: Literal["outer", "alone", "inner", "either", "never"] = "outer"
    flat: bool = False
    inside: Defaults = msgspec.field(default_factory=dict)
    own: Own | None = None
    encoded: bool = False

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        reader, text = self._text(fields)
        hidden = width_of(reader, text)
        found = tuple(t for side in self.sides for t in side.tensors(fields, text, hidden))
        if self.own is not None:
            beside = resident("", self.own(fields, hidden))
            fields.note("model.vision_counted", parameters=count_values(beside))
            found = (*found, *beside)
        text.config = {**text.config, TIED: self._tied(fields, text)}
        made = reader(text, storage)
        return replace(made, extra=(*made.extra, *found))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        reader, text = self._text(fields)
        return reader.max_context(text)

    def _text(self, fields: Fields) -> tuple[Reader, Fields]:
        inner = fields.without() if self.flat and not fields.has("text_config") else fields.within("text_config")
        named = inner.has("model_type") and inner.path != fields.path
        kind = inner.text("model_type") if named else self.text
        reader = reader_of(kind) if kind == self.text else text_reader_of(kind, encoded=self.encoded)
        if reader is None:
            inner.fault("model.text_unknown", "model_type", value=brief(kind))
            raise Refused(*fields.problems)
        inner.defaults = {**reader.defaults, **NESTED.get(kind, {}), **self.inside}
        return reader, inner

    def _tied(self, fields: Fields, text: Fields) -> bool:
        asked = {"inner": (text,), "alone": (fields,), "never": ()}.get(self.ties, (fields, text))
        stated = [f.flag(TIED) for f in asked if f.has(TIED)]
        if not stated:
            return self.ties not in ("alone", "never") and text.flag(TIED)
        return any(stated) if self.ties == "either" else stated[0]


def width_of(reader: Reader, text: Fields) -> int:
    """The width of the text's stream; the reader of the text names what is wrong with it."""
    usual = ("hidden_size", "d_model", "n_embd", "embed_dim")
    names = reader.names_of("hidden_size") if isinstance(reader, DecoderReader) else usual
    stated = [text.config[name] for name in names if text.has(name)]
    found = (stated or [text.defaults[name] for name in names if name in text.defaults] or [1])[0]
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 1
