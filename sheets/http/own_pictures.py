"""Which pages show pictures that have no address but their own content?"""

from __future__ import annotations

from typing import cast

from csp.decorators import csp_update

from sheets.http.view import View


def showing_pictures(view: View) -> View:
    """Of photos that were sent nothing is kept, so their pictures have no other addresses."""
    return cast(View, csp_update({"img-src": ["data:"]})(view))
