"""How many tokens each layer may look back: one entry per layer, None for all of them."""

from explorer.analysis.models.config.fields import Fields, brief

Windows = tuple[int | None, ...]
KINDS = ("full_attention", "sliding_attention")


def full(_fields: Fields, layers: int) -> Windows:
    """Every layer sees every token."""
    return (None,) * layers


def everywhere(fields: Fields, layers: int) -> Windows:
    """One window for all layers where `sliding_window` is set (Mistral, Mixtral, Phi-3)."""
    return (fields.optional_size("sliding_window", "sliding_window_size"),) * layers


def from_layer_on(fields: Fields, layers: int) -> Windows:
    """Qwen: off unless `use_sliding_window`; `layer_types`, else layers from `max_window_layers` on."""
    return beyond(fields, layers) if fields.flag("use_sliding_window") else full(fields, layers)


def beyond(fields: Fields, layers: int) -> Windows:
    """`layer_types`, else layers from `max_window_layers` on."""
    window = fields.optional_size("sliding_window")
    if window is None or fields.has("layer_types"):
        return by_type(fields, layers, window)
    first = fields.natural("max_window_layers")
    return tuple(window if i >= first else None for i in range(layers))


def every(default_period: int, *, stated: bool = False, first: bool = False, field: str = "") -> "_Pattern":
    """One full layer in every `default_period`, the last of them or the `first`.

    `stated` where the config may name another period, maybe under a `field` of its own.
    """
    return _Pattern(default_period, stated=stated or bool(field), first=first, field=field)


class _Pattern:
    """Alternation of windowed and full layers: `layer_types`, else a period."""

    def __init__(self, period: int, *, stated: bool, first: bool, field: str) -> None:
        self.period = period
        self.stated = stated
        self.first = first
        self.names = (field,) if field else ("sliding_window_pattern", "_sliding_window_pattern")

    def __call__(self, fields: Fields, layers: int) -> Windows:
        window = fields.optional_size("sliding_window", "sliding_window_size")
        if fields.has("layer_types"):
            return by_type(fields, layers, window)
        period = self._period(fields)
        types = tuple(window if (i + (not self.first)) % period else None for i in range(layers))
        fields.check(window is not None or period == 1, "model.window_missing", "sliding_window")
        return types

    def _period(self, fields: Fields) -> int:
        if not self.stated:
            fields.assumed[f"{fields.path}layer_types"] = f"full every {self.period}"
            return self.period
        return fields.size(*self.names, otherwise=self.period)


def by_type(fields: Fields, layers: int, window: int | None) -> Windows:
    """Windows from `layer_types`, which names the kind of every layer."""
    types = fields.items("layer_types", lambda item: isinstance(item, str))
    if types is None:
        return full(fields, layers)
    for index, kind in enumerate(types):
        if kind not in KINDS:
            fields.fault("model.layer_type_unknown", f"layer_types[{index}]", value=brief(kind), known=", ".join(KINDS))
            return full(fields, layers)
    fields.check(len(types) == layers, "model.layer_types_count", "layer_types", count=len(types), layers=layers)
    fields.check(window is not None or KINDS[1] not in types, "model.window_missing", "sliding_window")
    return tuple(window if kind == KINDS[1] else None for kind in types)
