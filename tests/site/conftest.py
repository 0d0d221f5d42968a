"""Fixtures: a wheel, and an environment into which it is installed."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.site.container_files import COPIED
from tests.site.served_site import CHECKOUT
from tests.site.wheels import call


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the files of the container's build, with the installed hatchling."""
    source = tmp_path_factory.mktemp("source")
    for name in COPIED:
        where = source / name
        where.parent.mkdir(parents=True, exist_ok=True)
        if (CHECKOUT / name).is_dir():
            shutil.copytree(CHECKOUT / name, where, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(CHECKOUT / name, where)
    folder = tmp_path_factory.mktemp("wheel")
    built = call(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-input"),
        *("--no-build-isolation", "--wheel-dir", folder, source),
    )
    assert built.returncode == 0, built.stderr
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="session")
def dizzle(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own; return the command `dizzle`."""
    home = tmp_path_factory.mktemp("environment")
    assert call(sys.executable, "-m", "venv", "--without-pip", home).returncode == 0
    bin_folder = home / ("Scripts" if os.name == "nt" else "bin")
    done = call(
        *(sys.executable, "-m", "pip", "--python", bin_folder / "python"),
        *("install", "--quiet", "--no-deps", "--no-index", wheel),
    )
    assert done.returncode == 0, done.stderr
    (packages,) = home.glob("**/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return bin_folder / "dizzle"
