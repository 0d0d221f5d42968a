"""The rules library runs without installed packages."""

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
IMPORT_ALL = """
import importlib, pkgutil, sheets.rules
for module in pkgutil.walk_packages(sheets.rules.__path__, "sheets.rules."):
    importlib.import_module(module.name)
"""


def test_rules_import_only_the_standard_library() -> None:
    without_packages = [sys.executable, "-E", "-S", "-c", IMPORT_ALL]
    ran = subprocess.run(
        without_packages, cwd=CHECKOUT, capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stderr
