"""Names that a stranger's file may hold."""

IMAGE = '<img src="file:///nowhere/mark.png">'
NAMES = (  # a study may hold each as a name
    IMAGE,
    '<img src="/dev/stdin">',
    '<a href="file:///nowhere">click</a>',
    "<b>&amp;&lt;",
    "<table><tr><td>x",
    "<!doctype html><img src=x.png>",
    "<?xml ?><h1>big",
    "R&D",
    "a[*]b",
    "{x} {0} {name}",
    "%1 %n %s",
    "</text><script>alert(1)</script>",
    "a|b `c` *d* _e_ [f](javascript:g) ~~h~~ $i$ ![j](k)",
    "# heading",
    "1. list",
    "]]>&#x27;<!--",
)
FORMULAS = (
    '=cmd|"/c calc"!A1',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1",
    "\uff20x",
    '"=1+1"',
    "' =1",
    "'=1",
    "''=1",
    "x;=1+1",
)
ODD_NAMES = (  # no study holds these as a name, but files of measuring tools and notes do
    "esc\x1b[31mred\x07",
    "nul\x00end",
    "tab\tend",
    "two\nlines",
    "right\u202eleft\u2066",
    "zero\u200bwidth\ufeff",
    "half\ud800pair",
    "line\u2028end",
    "delete\x7f\x9b31m",
    f"{IMAGE}\n{IMAGE}\x1b",
    f"long {IMAGE} " + "x" * 100_000,
)
