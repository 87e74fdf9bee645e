"""What hides in a text, where a text is cut, and translations that cannot be filled."""

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.problem import Problem, Refused
from explorer.presentation.explain.layout import as_text, lay_out
from explorer.presentation.explain.lines import Line
from explorer.presentation.look import Look
from explorer.presentation.roofline.figure import DrawnRoof, Figure, Mark
from explorer.presentation.tables.columns import Column
from explorer.presentation.tables.columns import as_text as cell
from explorer.presentation.words import translated
from explorer.presentation.words.messages import Message, refusal, render
from explorer.presentation.words.phases import phase_word
from explorer.presentation.words.translated import fitting, hear_no_more, hear_of_faults
from explorer.presentation.words.visible import middle_cut, one_line, shortened, visible


@pytest.mark.parametrize(
    ("hidden", "spelled"),
    [
        ("\x00", "\\x00"), ("\x1f", "\\x1f"), ("\x7f", "\\x7f"), ("\xad", "\\xad"), ("\u0601", "\\u0601"),
        ("\u200b", "\\u200b"), ("\uffff", "\\uffff"), ("\U000e0001", "\\U000e0001"), ("\u2028", "\\u2028"),
    ],
)  # fmt: skip
def test_what_hides_is_spelled_out_by_its_code(hidden: str, spelled: str) -> None:
    assert one_line(f"a{hidden}b") == visible(f"a{hidden}b") == f"a{spelled}b"


def test_line_ends_and_tabs_are_spelled_out_on_one_line_only() -> None:
    assert one_line("a\nb\tc\rd") == "a\\nb\\tc\\rd"
    assert visible("a\nb\tc") == "a\nb\tc"
    assert visible("a\rb") == "a\\rb"
    assert one_line("é 昇") == "é 昇"


@pytest.mark.parametrize(
    ("text", "most", "end", "middle"),
    [
        ("abcdef", 6, "abcdef", "abcdef"),
        ("abcdefg", 6, "abcde…", "abc…fg"),
        ("abcdefg", 5, "abcd…", "ab…fg"),
        ("abc", 9, "abc", "abc"),
    ],
)
def test_a_text_is_cut_at_its_end_or_in_its_middle(text: str, most: int, end: str, middle: str) -> None:
    assert (shortened(text, most), middle_cut(text, most)) == (end, middle)


@pytest.mark.parametrize(
    ("english", "foreign", "used"),
    [
        ("{a} of {b}", "{b} von {a}", True),
        ("{a} of {b}", "{b} von", False),
        ("{a}", "{a} {c}", False),
        ("{a}", "{a:>9}", False),
        ("{a}", "{a!r}", False),
        ("{a}", "{a", False),
        ("plain", "", False),
        ("plain", "  ", False),
        ("plain", "schlicht", True),
        ("", "", True),
        ("{never", "irgendwas {", True),
    ],
)
def test_a_translation_is_used_where_it_can_be_filled_alike(english: str, foreign: str, used: bool) -> None:
    assert fitting(english, foreign) == (foreign if used else english)


def test_a_fault_is_told_once_to_every_listener_and_kept_until_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translated, "_listeners", [])
    monkeypatch.setattr(translated, "_unheard", [])
    heard: list[str] = []
    hear_of_faults(heard.append)
    assert fitting("once {a}", "einmal") == "once {a}"
    assert fitting("once {a}", "einmal") == "once {a}"
    assert heard == ["The translation “einmal” does not have the fields of “once {a}”, which is shown instead."]
    hear_no_more(heard.append)
    fitting("later {a}", "später")
    assert len(heard) == 1
    late: list[str] = []
    hear_of_faults(late.append)
    assert len(late) == 1
    hear_no_more(late.append)
    again: list[str] = []
    hear_of_faults(again.append)
    assert again == []
    hear_no_more(again.append)


def test_an_unknown_key_shows_itself_and_its_values() -> None:
    assert render(Message("no.such", {"a": 1, "b": "x"})) == "no.such a=1 b=x"
    upper = Look(translate=lambda _context, text: text.upper())
    assert render(Message("chart.waits_memory"), upper) == "WAITS FOR MEMORY"


def test_a_phase_has_a_name_and_forms() -> None:
    assert [phase_word("decode"), phase_word("prefill", "listed"), phase_word("decode", "context")] == [
        "Decode", "prefill", "Context, tokens",
    ]  # fmt: skip


def test_what_a_figure_leaves_out_is_nothing() -> None:
    roof = DrawnRoof("k", "n", 0, 1.0, 2.0, "b", "p")
    assert roof == DrawnRoof("k", "n", 0, 1.0, 2.0, "b", "p", "", measured=False, active=False, lower_peaks=())
    mark = Mark(1.0, 2.0, (), "d", 0, "", 0.1)
    assert (mark.shape, mark.bound, mark.ceiling, mark.measured, mark.over, mark.active) == (
        "circle", "", None, False, False, True
    )  # fmt: skip
    assert (mark.gain_text, mark.spread, mark.measurement, mark.hover) == ("", None, "", "")
    figure = Figure((0, 1), (0, 1), "", "")
    assert (figure.colour_by_bound, figure.area_is_share, figure.fitted, figure.clouded) == (False, True, True, False)
    assert (figure.zone, figure.marks, figure.crowds, figure.selection) == (None, (), (), frozenset())
    column: Column[str] = Column("k", Message("column.kind"), str, cell)
    assert (column.unit, column.right, column.style, column.words, column.shown, column.edit, column.bar) == (
        "", True, "plain", False, True, None, False
    )  # fmt: skip
    assert (column.can_edit(""), column.changed(""), column.tip("")) == (False, False, None)


LONG = Line("time", "a/b", "12 / 34", "5.67", "ms", source="because of this and that")


@pytest.mark.parametrize(
    ("line", "columns", "lines"),
    [
        (LONG, 60, ["time = a/b = 12 / 34 = 5.67 ms", "  because of this and that"]),
        (LONG, 30, ["time = a/b = 12 / 34 = 5.67 ms", "  because of this and that"]),
        (LONG, 29, ["time = a/b = 12 / 34", "  = 5.67 ms", "  because of this and that"]),
        (LONG, 20, ["time = a/b = 12 / 34", "  = 5.67 ms", "  because of this", "  and that"]),
        (LONG, 1, ["time = a/b", "  = 12 / 34", "  = 5.67 ms", "  because of", "  this and that"]),
        (Line("", source="a remark of words"), 16, ["a remark of", "words"]),
        (Line("", source="a remark of word"), 17, ["a remark of word"]),
        (Line("x", result="1"), 40, ["x = 1"]),
        (Line("x", formula="aaaa·bbbb·cccc·dddd", result="1"), 16, ["x", "  = aaaa·bbbb·", "  cccc·dddd = 1"]),
        (Line("x", source="y" * 5000), 9999, ["x = ", "  " + "y" * 3999 + "…"]),
        (Line("a\nb", formula="c\td", result="1"), 40, ["a\\nb = c\\td = 1"]),
    ],
)
def test_a_figure_is_broken_where_it_does_not_fit(line: Line, columns: int, lines: list[str]) -> None:
    assert [text.rstrip() for text in as_text(lay_out([line], columns)).split("\n")] == [
        text.rstrip() for text in lines
    ]


def test_spans_tell_the_roles_of_a_line_and_cover_it() -> None:
    first, second = lay_out([LONG], 60)
    assert [(first.text[s : s + n], role) for s, n, role in first.spans] == [
        ("time", "label"), (" = a/b", "plain"), (" = 12 / 34", "plain"), (" = 5.67 ms", "result"),
    ]  # fmt: skip
    assert second.spans == ((0, len(second.text), "muted"),)
    result = lay_out([LONG], 20)[1]
    assert {role for _, _, role in result.spans} == {"result"}
    assert "".join(result.text[s : s + n] for s, n, _ in result.spans) == "= 5.67 ms"
    remark = lay_out([Line("", source="one two three four five")], 16)
    assert [b.spans for b in remark] == [((0, len(b.text), "muted"),) for b in remark]


def test_of_several_faults_the_first_is_the_reason() -> None:
    first, second = Problem("field.missing", "a"), Problem("yaml.not_mapping", "b")
    assert refusal(Refused(first, second)) == refusal(Refused(first)) != refusal(Refused(second))
