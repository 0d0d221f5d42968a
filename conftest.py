"""Collection of doctests from modules with examples."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[object], list[object]]:
    """Skip doctests in files without `>>>`, because importing hundreds of modules takes long."""
    found = yield
    if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
        return found
    return [one for one in found if type(one) is pytest.Module]  # keeps tests, drops doctests
