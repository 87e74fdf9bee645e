"""The operators of a study as a table for a spreadsheet or a page: every visible device, one after the other."""

from msgspec.structs import replace

from explorer.analysis.ask.notes import notes
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.hardware.device_names import device_label, named_note, whole_names
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.tables.columns import Column, as_text
from explorer.presentation.tables.conditions import conditions_text
from explorer.presentation.tables.device_columns import comparison_columns, device_rows
from explorer.presentation.tables.operator_columns import OPERATOR_COLUMNS, columns_on, ratio_column
from explorer.presentation.tables.operator_rows import OperatorRow, operator_rows
from explorer.presentation.words.messages import Message, render
from explorer.report.compared_table import compared_text
from explorer.report.markdown import paragraph
from explorer.report.text_table import markdown_text, separated_text

_TICKED = frozenset({"enabled", "fused"})
_SEPARATORS = {"csv": ",", "tsv": "\t"}


def table_text(evaluation: Evaluation, kind: str, look: Look = ENGLISH, *, compared: bool = False) -> str:
    """The table as `csv`, `tsv` (base units, full precision) or `md` (as on screen, with answer and assumptions).

    `compared`: everything side by side, in place of the operators in a file of figures, before them on a page.
    """
    if kind in _SEPARATORS and compared:
        return compared_text(evaluation, kind, look)
    if kind in _SEPARATORS:
        return _figures(evaluation, _SEPARATORS[kind], look)
    return _page(evaluation, look, compared=compared)


def shown_columns(result: DeviceResult | None = None) -> list[Column[OperatorRow]]:
    """The columns a new user sees, of a device's figures."""
    return [c for c in columns_on(result) if c.shown and c.key not in _TICKED]


def columns_beside(evaluation: Evaluation, result: DeviceResult, *, compared: bool) -> list[Column[OperatorRow]]:
    """The same, `compared` with the times on the baseline."""
    ratio = ratio_column(evaluation, result) if compared else None
    return [*shown_columns(result), *([] if ratio is None else [ratio])]


def rows_on(evaluation: Evaluation, result: DeviceResult) -> list[OperatorRow]:
    """The evaluated operators with their figures on one device."""
    study = evaluation.study
    view = replace(study.view, active_hardware=result.entry.id)
    return [row for row in operator_rows(evaluation.viewed(replace(study, view=view))) if row.point is not None]


def _visible(evaluation: Evaluation) -> list[DeviceResult]:
    return [d for d in evaluation.devices if d.entry.visible]


def _figures(evaluation: Evaluation, separator: str, look: Look) -> str:
    unknown = next((d for d in _visible(evaluation) if d.launches_unknown), None)
    columns = [c for c in OPERATOR_COLUMNS if c.key not in _TICKED]
    columns += [] if unknown is None else [_reading()]
    text = separated_text([_device_column(""), *columns], [], separator, look)  # the header, whatever follows
    names = whole_names(evaluation.study.hardware)
    for result in _visible(evaluation):
        named = [_device_column(names[result.entry.id]), *columns]
        text += separated_text(named, rows_on(evaluation, result), separator, look).partition("\n")[2]
    return text


def _reading() -> Column[OperatorRow]:
    """Of each row whether its times are exact or bounds from below."""

    def read(row: OperatorRow) -> str | None:
        return render(Message("launches.reason")) if row.point is not None and row.point.launches_unknown else None

    return Column("times_read", Message("column.times_read"), read, as_text, right=False)


def _device_column(name: str) -> Column[OperatorRow]:
    return Column("device", Message("column.device"), lambda _row: name, as_text, right=False)


def _page(evaluation: Evaluation, look: Look, *, compared: bool) -> str:
    parts = [paragraph(plain_text(answer(evaluation, look=look), look)) + "\n"]
    parts.append(paragraph(conditions_text(evaluation)) + "\n")
    parts.append(markdown_text(comparison_columns(evaluation), device_rows(evaluation), look))
    parts += [compared_text(evaluation, "md", look)] if compared else []
    names = whole_names(evaluation.study.hardware, look)
    for result in _visible(evaluation):
        heading = render(Message("console.operators", {"device": device_label(evaluation, result, look)}), look)
        columns = columns_beside(evaluation, result, compared=compared)
        parts += [paragraph(heading) + "\n", markdown_text(columns, rows_on(evaluation, result), look)]
    if notes(evaluation):
        parts.append("".join(f"- {paragraph(render(named_note(n, names), look))}\n" for n in notes(evaluation)))
    return "\n".join(parts)
