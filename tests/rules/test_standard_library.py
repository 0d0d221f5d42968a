"""Independence of the rules library from installed packages."""

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
"""The root of the repository."""

IMPORT_ALL = """
import importlib, pkgutil, sheets.rules
for module in pkgutil.walk_packages(sheets.rules.__path__, "sheets.rules."):
    importlib.import_module(module.name)
"""
"""A script that imports every module of the rules library."""


def test_rules_import_only_the_standard_library() -> None:
    without_packages = [sys.executable, "-E", "-S", "-c", IMPORT_ALL]
    ran = subprocess.run(
        without_packages, cwd=CHECKOUT, capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stderr
