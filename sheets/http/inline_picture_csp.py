"""Content-Security-Policy of pages with pictures in ``data:`` addresses."""

from __future__ import annotations

from typing import cast

from csp.decorators import csp_update

from sheets.http.view_type import View


def allow_data_pictures(view: View) -> View:
    """Allow a view's page to show pictures in ``data:`` addresses.

    The server does not store photos that it has just read, and previews exist only on the device.
    So neither has another address.
    """
    return cast(View, csp_update({"img-src": ["data:"]})(view))
