"""Search for the installed engines.

The environment variable FIREFOX names a Firefox in another place. On Debian everything comes with
`apt install --no-install-recommends firefox-esr webkit2gtk-driver xvfb`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NO_FIREFOX = "no Firefox found (on Debian: sudo apt install firefox-esr; FIREFOX can name one)"
"""Reason to skip a test without Firefox."""

NO_WEBKIT = "no WebKit found (on Debian: sudo apt install webkit2gtk-driver xvfb); missing: "
"""Reason to skip a test without WebKit; the missing programs follow."""

LIBRARIES = Path("/usr/lib")
"""Folder with the MiniBrowser of WebKitGTK."""


def find_firefox() -> str:
    """Return the path of a Firefox; empty if there is none."""
    named = os.environ.get("FIREFOX")
    names = (named,) if named else ("firefox-esr", "firefox")
    return next((path for name in names if (path := shutil.which(name))), "")


def find_webkit() -> dict[str, str]:
    """Return the paths of the programs that WebKit needs, by name; empty for a missing one."""
    # Debian and Fedora use different folders; the last one is the newest version.
    browsers = sorted(LIBRARIES.glob("**/webkit2gtk-4.*/MiniBrowser"))
    return {
        "Xvfb": shutil.which("Xvfb") or "",
        "WebKitWebDriver": shutil.which("WebKitWebDriver") or "",
        "MiniBrowser": str(browsers[-1]) if browsers else "",
    }
