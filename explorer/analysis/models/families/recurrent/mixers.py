"""Hybrids: the mixers they choose from layer by layer, and what says which."""

from collections.abc import Callable
from math import ceil

from msgspec.structs import replace

from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.states.state_space import Mamba, Mamba2
from explorer.analysis.models.config.feedforward import MlpRule
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.layer_lists import FORMER, kinds_of
from explorer.analysis.models.families.decoder import DecoderReader, MixerRule, grouped_query
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Decoder, Half, Mixer

Maker = Callable[[DecoderReader, Fields, int], Mixer]
Kinds = Callable[[Fields, int], tuple[str, ...]]
LINEAR, FULL = "linear_attention", "full_attention"


def chosen(kinds: Kinds, **makers: Maker) -> MixerRule:
    """One mixer for each kind of layer that a config has, those of `makers` by their names."""

    def mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
        found = kinds(fields, layers)
        made = {kind: makers[kind](family, fields, hidden) for kind in dict.fromkeys(found)}
        if any(getattr(mixer, "states", ()) for mixer in made.values()):
            fields.note("model.states_counted")
        return tuple(made[kind] for kind in found)

    return mixers


def listed(known: tuple[str, ...], otherwise: Kinds, *names: str) -> Kinds:
    """Kinds as the first of these lists states them, old names and new; without any as `otherwise` says."""

    def kinds(fields: Fields, layers: int) -> tuple[str, ...]:
        name = next((name for name in names if fields.has(name)), None)
        if name is None:
            return otherwise(fields, layers)
        old = tuple(old for old, new in FORMER.items() if new in known)
        found = kinds_of(fields, name, layers, (*known, *old)) or (known[0],) * layers
        return tuple(FORMER.get(kind, kind) for kind in found)

    return kinds


def every_one(kind: str) -> Kinds:
    """All layers alike."""
    return lambda _fields, layers: (kind,) * layers


def at_offset(fields: Fields, layers: int, period: str, offset: str) -> tuple[bool, ...]:
    """Every `period`-th layer from number `offset` on, as the fields of these names say."""
    every, first = fields.size(period), fields.natural(offset)
    if first >= every and not fields.problems:
        fields.fault("model.out_of_range", offset, value=first, least=0, most=every - 1)
    return tuple(i % every == first for i in range(layers))


def attention(family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    """Grouped-query attention as the family has it."""
    return grouped_query(family, fields, hidden, 1)[0]


def within(parent: str, rule: MlpRule) -> MlpRule:
    """The blocks of a rule in a module of another name."""

    def blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
        found = rule(fields, hidden, layers)
        return tuple(replace(h, parent=parent) if isinstance(h, GatedMlp | Experts) else h for h in found)

    return blocks


def feed_forward(_fields: Fields, decoder: Decoder) -> Decoder:
    """The second half of a layer is the module `feed_forward`."""
    return replace(decoder, parents=(decoder.parents[0], "feed_forward"))


def first_mamba(fields: Fields, hidden: int) -> Mamba:
    """Mamba, its sizes under the names of hybrids."""
    only("hidden_act", be="silu")(fields)
    automatic = fields.config.get("mamba_dt_rank", "auto") == "auto"
    return Mamba(
        hidden,
        fields.size("mamba_expand") * hidden,
        fields.size("mamba_d_state"),
        fields.size("mamba_d_conv"),
        ceil(hidden / 16) if automatic else fields.size("mamba_dt_rank"),
        fields.flag("mamba_proj_bias"),
        fields.flag("mamba_conv_bias"),
        parent="mamba",
    )


def second_mamba(_family: DecoderReader, fields: Fields, hidden: int, inner: int | None = None) -> Mamba2:
    """Mamba-2, its sizes under the names of hybrids; `inner` where it is not the expanded width."""
    only("hidden_act", be="silu")(fields)
    width = fields.size("mamba_expand") * hidden if inner is None else inner
    heads = fields.size("mamba_n_heads")
    automatic = fields.config.get("mamba_d_head", "auto") == "auto"
    each = max(width // heads, 1) if automatic else fields.size("mamba_d_head")
    fields.check(each * heads == width, "model.inner_size_differs", "mamba_n_heads", stated=each * heads, derived=width)
    groups = fields.size("mamba_n_groups")
    fields.check(heads % groups == 0, "model.heads_not_divisible", "mamba_n_heads", heads=heads, kv=groups)
    return Mamba2(
        hidden,
        heads,
        each,
        fields.size("mamba_d_state"),
        groups,
        fields.size("mamba_d_conv"),
        fields.flag("mamba_proj_bias"),
        fields.flag("mamba_conv_bias"),
        parent="mamba",
    )
