"""What serves looks for garbage in short looks, and lets threads take short turns."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .running import CHECKOUT, environment

ASK = """
import gc, sys, dizzle_site.{}
print(gc.get_freeze_count() > 10_000, *gc.get_threshold(), sys.getswitchinterval())
"""


@pytest.mark.parametrize("served_by", ["asgi", "wsgi"])
def test_what_serves_looks_shortly_and_switches_often(served_by: str, tmp_path: Path) -> None:
    """What the site consists of is left alone, and no look is a long one for who waits."""
    said = subprocess.run(
        [sys.executable, "-c", ASK.format(served_by)],
        cwd=CHECKOUT,
        env=environment({"DATA_DIR": str(tmp_path)}),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.split() == ["True", "5000", "10", "50", "0.0005"]
