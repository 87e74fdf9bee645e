"""What a file said, as plain rows that a test can be held against."""

import pytest


def ceilings(found):
    return [
        (c.level or c.link or c.format, c.unit, c.rate / 1e9, c.low, c.high, c.device, c.name, c.doubtful)
        for c in found.ceilings
    ]


def skipped(found):
    return [(s.where, s.why.code.removeprefix("import."), dict(s.why.values), s.count) for s in found.skipped]


def points(found):
    return [
        (p.name, p.time_s, p.flops, p.bytes, p.format, p.device, p.threads, [n.code for n in p.notes])
        for p in found.points
    ]


def near(rows):
    """The same with room for rounding in the figures."""
    return [tuple(pytest.approx(v) if isinstance(v, float) else v for v in row) for row in rows]
