"""Link for another device, with a QR code if a phone can reach and scan it."""

from __future__ import annotations

from typing import Final, NamedTuple

import segno
from django.http import HttpRequest
from segno import DataOverflowError, QRCode

from sheets.http.phone_address import phone_url, public_url

LARGEST_CODE: Final = 25
"""Largest QR version, 117 modules wide, that a phone reads from a screen."""


class ShareLink(NamedTuple):
    """Context of the template ``_share_link.html``.

    ``code`` is None if the address is too long, or if no phone can reach it (``is_reachable``).
    """

    url: str
    code: QRCode | None
    is_reachable: bool

    @property
    def is_dense(self) -> bool:
        """Whether the code has so many modules that it needs more room."""
        return self.code is not None and int(self.code.version) > 10


def share_link(request: HttpRequest, path: str) -> ShareLink:
    """Return the link for other devices to a page of the site; ``path`` includes the query."""
    phones = phone_url(request, path)
    return ShareLink(public_url(request, path), _code(phones) if phones else None, bool(phones))


def _code(url: str) -> QRCode | None:
    try:
        code = segno.make(url, micro=False, error="L")
    except DataOverflowError:
        return None
    return code if int(code.version) <= LARGEST_CODE else None
