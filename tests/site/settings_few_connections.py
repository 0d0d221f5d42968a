"""Settings of a site that closes slow connections only if it has too many connections."""

from dizzle_site import server
from dizzle_site.settings import *  # noqa: F403

server.STALLED_S = 3600  # type: ignore[misc]
