"""Run what was installed, far from the checkout."""

from __future__ import annotations

import subprocess

from .running import environment

PATIENCE_S = 600


def call(*command: object, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, with these environment variables alone."""
    return subprocess.run(
        [str(word) for word in command],
        cwd="/",
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
