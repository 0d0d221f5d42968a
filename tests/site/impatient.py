"""Settings of a site that hangs up on slow clients sooner, so that no test has to be as patient."""

from dizzle_site import patience
from dizzle_site.settings import *  # noqa: F403

patience.HEAD_S = 3.0  # type: ignore[misc]
patience.GRACE_S = 3.0  # type: ignore[misc]
