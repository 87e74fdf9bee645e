"""Finishing of SVG files: families to fall back to where a reader's machine lacks the font."""

import re

from explorer.plot.paint.fonts import CJK_FAMILIES, FAMILIES
from explorer.presentation.words.visible import visible

_FAMILY = re.compile(r'font-family="([^"]*)"')


def with_fallbacks(svg: str, size: tuple[int, int]) -> str:
    """Give every text a list of families, and the picture its size in pixels; what XML forbids is spelled out."""

    def listed(match: re.Match[str]) -> str:
        own = (name.strip(" '") for name in match[1].split(","))
        names = dict.fromkeys((*own, *FAMILIES, *CJK_FAMILIES))
        quoted = ", ".join(f"'{n}'" for n in names if n)
        return f'font-family="{quoted}, sans-serif"'

    svg = _FAMILY.sub(listed, visible(svg))
    return re.sub(r'<svg width="[^"]*" height="[^"]*"', f'<svg width="{size[0]}" height="{size[1]}"', svg, count=1)
