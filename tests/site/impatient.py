"""Settings of a site that closes slow connections sooner, so that tests need not wait so long."""

from dizzle_site import body_limit, server
from dizzle_site.settings import *  # noqa: F403

server.STALLED_S = 3  # type: ignore[misc]
body_limit.GRACE_S = 3.0  # type: ignore[misc]
