"""Commands of an installed wheel, run outside the checkout."""

from __future__ import annotations

import subprocess

from tests.site.served_site import environment

TIMEOUT_S = 600
"""Maximum time in seconds to build a wheel."""


def call(*command: object, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program with only these environment variables."""
    return subprocess.run(
        [str(word) for word in command],
        cwd="/",
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
