"""Link for another device, with a QR code if a phone can reach and scan it."""

from __future__ import annotations

from typing import Final, NamedTuple

import segno
from django.http import HttpRequest
from segno import DataOverflowError, QRCode

from sheets.http.phone_address import phone_url, public_url

MAX_QR_VERSION: Final = 25
"""Maximum QR version that a phone reads from a screen: 117 modules wide."""


class ShareLink(NamedTuple):
    """Context of the template ``_share_link.html``.

    ``code`` is None if the address is too long, or if no phone can reach it (``is_reachable``).
    """

    url: str
    code: QRCode | None
    is_reachable: bool

    @property
    def is_dense(self) -> bool:
        """Whether the code has too many modules for its usual size."""
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
    return code if int(code.version) <= MAX_QR_VERSION else None
