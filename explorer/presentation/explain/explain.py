"""How any figure on screen comes about: formula, substituted numbers, result, unit and source."""

from collections.abc import Sequence

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.explain.lines import Explanation, Line, Teller
from explorer.presentation.explain.rows import of_row, of_rows
from explorer.presentation.explain.totals import of_step, of_total
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import Message, render


def explain(
    evaluation: Evaluation,
    *,
    rows: Sequence[str] = (),
    total: str = "",
    look: Look = ENGLISH,
    compares: bool = False,
) -> Explanation:
    """Explain a total by its key, else the selected rows, else the step, on the active device.

    Where devices are compared (`compares`), an operator on all of them comes first.
    """
    if evaluation.active is None:
        return Explanation("", "", (Line("", source=render(Message("explain.nothing"), look)),))
    teller = Teller(evaluation, evaluation.active, look, compares)
    if total:
        return of_total(teller, total)
    wanted = set(rows)
    points = [p for p in teller.device.points if p.row.name in wanted] if wanted else []
    if len(points) == 1:
        return of_row(teller, points[0])
    if points:
        return of_rows(teller, points)
    if rows:
        return Explanation("", "", (teller.remark("no_row"),))
    return of_step(teller)
