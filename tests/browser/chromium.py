"""Search for a Chromium for the browser tests; `python -m tests.browser.chromium` installs one.

The environment variable CHROMIUM names one in another place. The headless shell is the same engine
without windows; the tests take little more than half as long with it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Debian's package and program of Chromium without windows."""

NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Names of programs to search for, the fastest first."""

PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
"""Paths to search on macOS and Windows."""

MISSING = "no Chromium found (on Debian: sudo apt install chromium; CHROMIUM can name one)"
"""Error message if there is no browser."""


def find_chromium() -> str | None:
    """Return the path of a Chromium or a browser built on it."""
    if named := os.environ.get("CHROMIUM"):
        return shutil.which(named)
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in found if path), None) or next(
        (place for place in PATHS if Path(place).is_file()), None
    )


def is_ci() -> bool:
    """Return whether a missing browser is a failure, not a reason to skip."""
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def is_install_needed() -> bool:
    """Return whether no browser is installed, or in CI no headless shell."""
    if not find_chromium():
        return True
    return is_ci() and not os.environ.get("CHROMIUM") and not shutil.which(SHELL)


def install_chromium() -> bool:
    """Install Debian's package if this user may; return whether that worked."""
    apt = shutil.which("apt-get")
    if not apt:
        return False
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if as_root and not shutil.which("sudo"):
        return False
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}

    def run(*words: str) -> bool:
        return not subprocess.run(
            [*as_root, apt, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment,
            check=False,
        ).returncode

    # Not every Debian has the shell, and Ubuntu has other packages.
    packages = (SHELL, "chromium")
    return run("update", "-qq") and any(run("install", "-y", "-qq", one) for one in packages)


def main() -> int:
    if is_install_needed():
        sys.stderr.write("Looking for a Chromium to install for the browser tests ...\n")
        install_chromium()
    if find_chromium():
        return 0
    sys.stderr.write(f"Browser tests: {MISSING}\n")
    return 1 if is_ci() else 0


if __name__ == "__main__":
    sys.exit(main())
