"""What the program knows without a study: number formats, operator kinds, devices, presets."""

from collections.abc import Mapping
from functools import cached_property

import msgspec

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.catalogue.mixes import NAMES
from explorer.analysis.study.study import ModelEntry


class Catalogue(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A value that is passed along, never a global."""

    formats: tuple[NumberFormat, ...] = ()
    kinds: tuple[OperatorKind, ...] = ()
    devices: tuple[Device, ...] = ()
    presets: tuple[ModelEntry, ...] = msgspec.field(default=())

    @cached_property
    def format_by_id(self) -> Mapping[str, NumberFormat]:
        """Number formats by id."""
        return {f.id: f for f in self.formats}

    @property
    def weights_formats(self) -> tuple[str, ...]:
        """What a model's weights may be stored in: number formats, then mixes of them by tensor."""
        written = {f.id.lower() for f in self.formats}
        plain = tuple(f.id for f in self.formats if "/" not in f.id)
        return (*plain, *(name for name in NAMES if name.lower() not in written))

    @cached_property
    def kind_by_id(self) -> Mapping[str, OperatorKind]:
        """Operator kinds by id."""
        return {k.id: k for k in self.kinds}

    @cached_property
    def device_by_id(self) -> Mapping[str, Device]:
        """Devices by id."""
        return {d.id: d for d in self.devices}
