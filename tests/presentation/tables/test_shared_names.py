"""Names of measurements say what sets them apart."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.tables.shared_names import what_differs


def test_what_all_share_is_left_out_and_what_differs_is_whole() -> None:
    names = [f"vllm serve meta-llama/Llama-3.1-8B-Instruct batch {n} on the lab machine" for n in (1, 16)]
    assert what_differs(names) == {names[0]: "vllm … batch 1 …", names[1]: "vllm … batch 16 …"}


def test_names_that_share_little_or_nothing_stay_as_they_are() -> None:
    assert what_differs(["gate_proj", "up_proj", "norm"]) == {}
    assert what_differs(["run 1", "run 2"]) == {}
    assert what_differs(["only one name that is very long indeed"]) == {}
    assert what_differs([]) == {}


def test_groups_that_share_something_else_keep_their_first_words_apart() -> None:
    names = [f"{tool} benchmark of the big model, decode, {n} users" for tool in ("vllm", "sglang") for n in (1, 8)]
    short = what_differs(names)
    assert len(set(short.values())) == 4
    assert short[names[0]].startswith("vllm")
    assert "8 users" in short[names[3]] or short[names[3]].endswith("8 …")


WORDS = st.lists(st.sampled_from(["batch", "1", "16", "llama", "8b", "decode", "一", "run"]), min_size=1, max_size=6)


@given(st.lists(WORDS.map(" ".join), max_size=6))
def test_two_names_never_become_one_and_no_number_is_cut(names: list[str]) -> None:
    short = what_differs(names)
    shown = [short.get(name, name) for name in dict.fromkeys(names)]
    assert len(set(shown)) == len(shown)
    for name, text in short.items():
        assert len(text) < len(name)
        assert set(text.split()) - {"…"} <= set(name.split())
