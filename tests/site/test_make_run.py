"""Checks of `make run` before it downloads anything."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.site.served_site import CHECKOUT, environment

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="no make here")


def test_python_of_32_bits_is_refused_in_one_sentence(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "run", f"PYTHON={python}", f"VENV={tmp_path / 'venv'}"],
        cwd=CHECKOUT,
        env=environment({}),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("A 64-bit system is needed")
    assert "docs/reference.md#platforms" in done.stderr
    assert not (tmp_path / "venv").exists()
