"""Settings of a site with short time limits for slow connections, so that tests are fast."""

from dizzle_site import body_limit, server
from dizzle_site.settings import *  # noqa: F403

server.STALLED_S = 3  # type: ignore[misc]
body_limit.GRACE_S = 3.0  # type: ignore[misc]
