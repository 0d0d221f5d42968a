"""The site's own settings, with pages that tell what goes wrong in them."""

from dizzle_site.settings import *  # noqa: F403
from dizzle_site.settings import MIDDLEWARE as _AS_EVER

MIDDLEWARE = [*_AS_EVER, "tests.engines.watching.WatchPages"]
"""The last one: what it puts into a page is compressed and compared as the page itself."""
