"""Which engines are on this machine, and what is missing for the others?

FIREFOX names a Firefox that is somewhere else. On Debian all of it comes with `apt install
--no-install-recommends firefox-esr webkit2gtk-driver xvfb`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

NO_FIREFOX = "no Firefox found (on Debian: sudo apt install firefox-esr; FIREFOX can name one)"
NO_WEBKIT = "no WebKit found (on Debian: sudo apt install webkit2gtk-driver xvfb); missing: "
LIBRARIES = Path("/usr/lib")


def find_firefox() -> str:
    """The path of a Firefox, empty if there is none."""
    named = os.environ.get("FIREFOX")
    names = (named,) if named else ("firefox-esr", "firefox")
    return next((path for name in names if (path := shutil.which(name))), "")


def find_webkit() -> dict[str, str]:
    """The programs that WebKit takes, by name, with their paths; empty for one that is missing."""
    # Debian and Fedora keep it in different folders; the last is the newest interface.
    browsers = sorted(LIBRARIES.glob("**/webkit2gtk-4.*/MiniBrowser"))
    return {
        "Xvfb": shutil.which("Xvfb") or "",
        "WebKitWebDriver": shutil.which("WebKitWebDriver") or "",
        "MiniBrowser": str(browsers[-1]) if browsers else "",
    }
