"""Content-Security-Policy of pages with pictures in ``data:`` addresses."""

from __future__ import annotations

from typing import cast

from csp.decorators import csp_update

from sheets.http.view import View


def showing_pictures(view: View) -> View:
    """Allow pictures in ``data:`` addresses: photos are not stored, so they have no others."""
    return cast(View, csp_update({"img-src": ["data:"]})(view))
