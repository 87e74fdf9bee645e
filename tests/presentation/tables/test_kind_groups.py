"""Operator kinds by subject."""

from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.files.catalogue import load_catalogue
from explorer.presentation.tables.kind_groups import SUBJECTS, kind_groups

KINDS = load_catalogue(devices=False).kinds
MINE = OperatorKind(id="mine", en="My attention", flops="1", bytes_read="1", bytes_written="1")


def test_every_kind_stands_once_and_under_a_subject_of_its_own() -> None:
    groups = kind_groups(KINDS, ())
    assert sorted(k.id for g in groups for k in g.kinds) == sorted(k.id for k in KINDS)
    assert "Others" not in [g.title for g in groups]
    listed = [kind for kinds in SUBJECTS.values() for kind in kinds]
    assert sorted(listed) == sorted(k.id for k in KINDS)


def test_the_users_own_kinds_are_a_group_of_their_own_and_first() -> None:
    groups = kind_groups((*KINDS, MINE), (MINE,))
    assert (groups[0].title, groups[0].kinds) == ("Your own", (MINE,))
    assert all(MINE not in g.kinds for g in groups[1:])


def test_words_are_looked_for_in_name_meaning_and_subject() -> None:
    found = kind_groups((*KINDS, MINE), (MINE,), "attention fused")
    assert "Attention" in [g.title for g in found]
    assert {k.id for g in kind_groups(KINDS, (), "RMS") for k in g.kinds} == {"rms_norm"}
    assert {k.id for g in kind_groups(KINDS, (), "convolution 1d") for k in g.kinds} >= {"conv1d", "causal_conv1d"}
    assert kind_groups(KINDS, (), "zzz") == ()


def test_a_kind_that_nobody_put_under_a_subject_is_still_offered() -> None:
    new = OperatorKind(id="brand_new", flops="1", bytes_read="1", bytes_written="1")
    assert kind_groups((*KINDS, new), ())[-1].kinds == (new,)
