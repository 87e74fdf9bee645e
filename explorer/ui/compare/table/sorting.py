"""What a click on a column's title does to the order: best first, then the other way round, then the study's order."""

from explorer.analysis.ask.comparison.compared import figures_of
from explorer.analysis.study.choices import Vary


def next_sort(figure: str, current: str, vary: Vary) -> str:
    """The order after one more click; figures of which none is better begin with the largest."""
    smaller = any(f.id == figure and f.better == "smaller" for f in figures_of(vary))
    first, second = (figure, f"-{figure}") if smaller else (f"-{figure}", figure)
    return {first: second, second: ""}.get(current, first)
