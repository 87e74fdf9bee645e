"""Finishing of PDF files: nothing in them tells two exports of one study apart."""

import datetime as dt
import hashlib
import re

_NEVER = dt.date(2000, 1, 1)
_PLAIN = re.compile(rb"(/(?:CreationDate|ModDate) \(D:)\d{14}")
_META = re.compile(rb'(xmp:(?:CreateDate|ModifyDate|MetadataDate)=")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d')
_NAME = re.compile(rb"(uuid:)[0-9a-f-]{36}")
_ID = re.compile(rb"(/ID \[ <)([0-9a-f]+)(> <)([0-9a-f]+)(> \])")


def timeless(pdf: bytes, day: dt.date | None) -> bytes:
    """The file with the footer's day in place of the moment, and a name that follows from its content; as long."""
    day = day or _NEVER
    pdf = _PLAIN.sub(rb"\g<1>" + f"{day:%Y%m%d}000000".encode(), pdf)
    pdf = _META.sub(rb"\g<1>" + f"{day:%Y-%m-%d}T00:00:00".encode(), pdf)
    pdf = _NAME.sub(rb"\g<1>" + b"0" * 36, pdf)
    pdf = _ID.sub(lambda found: _renamed(found, b""), pdf)
    content = hashlib.sha256(pdf).hexdigest().encode()
    name = b"-".join((content[:8], content[8:12], content[12:16], content[16:20], content[20:32]))
    pdf = _NAME.sub(rb"\g<1>" + name, pdf)
    return _ID.sub(lambda found: _renamed(found, content), pdf)


def _renamed(found: re.Match[bytes], content: bytes) -> bytes:
    """The ids of a file, which keep their length."""
    first, one, between, other, last = found.groups()
    return first + _filled(content, len(one)) + between + _filled(content, len(other)) + last


def _filled(content: bytes, length: int) -> bytes:
    return (content * 4)[:length].ljust(length, b"0")
