"""Settings of the site, with pages that report their errors."""

from dizzle_site.settings import *  # noqa: F403
from dizzle_site.settings import MIDDLEWARE as _USUAL_MIDDLEWARE

MIDDLEWARE = [*_USUAL_MIDDLEWARE, "tests.engines.page_errors.PageErrorMiddleware"]
"""The last one, so that the script is compressed and compared as a part of the page."""
