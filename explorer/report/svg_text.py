"""Finishing of SVG files: named groups, and families to fall back to where a reader's machine lacks the font."""

import re

from explorer.plot.paint.fonts import CJK_FAMILIES, FAMILIES
from explorer.plot.paint.groups import END, START
from explorer.presentation.words.visible import visible

_FAMILY = re.compile(r'font-family="([^"]*)"')
_MARK = re.compile(rf"<text[^>]*>\s*({START}|{END})([a-z-]*)\s*</text>")
_PARTS = re.compile(rf"<g\b[^>]*>|</g>|<text[^>]*>\s*(?:{START}|{END})[a-z-]*\s*</text>")
_EMPTY = re.compile(r"<g\b(?![^>]*\bid=)[^>]*>\s*</g>\s*")


def finished(svg: str, size: tuple[int, int]) -> str:
    """The file with its groups named, fonts to fall back to and its size in pixels."""
    return with_fallbacks(with_groups(svg), size)


def with_fallbacks(svg: str, size: tuple[int, int]) -> str:
    """Give every text a list of families, and the picture its size in pixels; what XML forbids is spelled out."""

    def listed(match: re.Match[str]) -> str:
        own = (name.strip(" '") for name in match[1].split(","))
        names = dict.fromkeys((*own, *FAMILIES, *CJK_FAMILIES))
        quoted = ", ".join(f"'{n}'" for n in names if n)
        return f'font-family="{quoted}, sans-serif"'

    svg = _FAMILY.sub(listed, visible(svg))
    return re.sub(r'<svg width="[^"]*" height="[^"]*"', f'<svg width="{size[0]}" height="{size[1]}"', svg, count=1)


def with_groups(svg: str) -> str:
    """Marks that painters left become groups with ids; the groups that Qt writes around each state stay inside them."""
    paired = _paired(svg)
    parts: list[str] = []
    open_tags: list[str] = []
    named: dict[str, int] = {}
    last = 0
    for found in _PARTS.finditer(svg):
        parts.append(svg[last : found.start()])
        last = found.end()
        mark = _MARK.fullmatch(found[0])
        if mark is not None:  # between two states: theirs is closed, and opened again on the other side
            if not paired:
                continue
            parts += ["</g>\n"] * len(open_tags)
            parts.append(f'<g id="{_unique(mark[2], named)}">\n' if mark[1] == START else "</g>\n")
            parts += [f"{tag}\n" for tag in open_tags]
            continue
        parts.append(found[0])
        if found[0] == "</g>":
            open_tags.pop()
        else:
            open_tags.append(found[0])
    parts.append(svg[last:])
    return _without_empty("".join(parts))


def _paired(svg: str) -> bool:
    """Whether every mark that begins a group has one that ends it: a name in a study may look like a mark."""
    open_names: list[str] = []
    for kind, name in _MARK.findall(svg):
        if kind == START:
            open_names.append(name)
        elif not open_names or open_names.pop() != name:
            return False
    return not open_names


def _unique(name: str, named: dict[str, int]) -> str:
    """A name that no other group has."""
    named[name] = named.get(name, 0) + 1
    return name if named[name] == 1 else f"{name}-{named[name]}"


def _without_empty(svg: str) -> str:
    while (shorter := _EMPTY.sub("", svg)) != svg:
        svg = shorter
    return svg
