"""A link to take to another device: its address, and a code to scan where one can be scanned."""

from __future__ import annotations

from typing import Final, NamedTuple

import segno
from django.http import HttpRequest
from segno import DataOverflowError, QRCode

from sheets.http.phone_address import phone_url, public_url

LARGEST_CODE: Final = 25
"""The QR version, 117 modules across, up to which a phone reads one from a screen."""


class ShareLink(NamedTuple):
    """What the template ``_share_link.html`` shows.

    ``code`` is None where there is nothing to scan: ``is_reachable`` tells whether that is because
    the address is too long, or because no phone could reach it.
    """

    url: str
    code: QRCode | None
    is_reachable: bool

    @property
    def is_dense(self) -> bool:
        """Whether the code has so many modules that it needs more room."""
        return self.code is not None and int(self.code.version) > 10


def share_link(request: HttpRequest, path: str) -> ShareLink:
    """The link to a page of ours as other devices know it; path includes the query."""
    phones = phone_url(request, path)
    return ShareLink(public_url(request, path), _code(phones) if phones else None, bool(phones))


def _code(url: str) -> QRCode | None:
    try:
        code = segno.make(url, micro=False, error="L")
    except DataOverflowError:
        return None
    return code if int(code.version) <= LARGEST_CODE else None
