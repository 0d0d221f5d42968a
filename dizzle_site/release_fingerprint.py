"""Fingerprint of the release, and of lists of files."""

import sys
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from dizzle_site.environment import CODE


@cache
def release() -> str:
    """Return a name that changes whenever a page, picture or file of the site may change.

    It depends on the code, templates and texts, and on the versions of Python and all libraries.
    """
    folders = [CODE / "dizzle_site", CODE / "sheets", settings.BASE_DIR / "templates"]
    files = [
        (f"{folder.name}/{path.relative_to(folder).as_posix()}", path)
        for folder in [*folders, *settings.LOCALE_PATHS]
        for path in folder.rglob("*.*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    # The names of these folders contain the versions; `importlib.metadata` reads each for 1 ms.
    libraries = {path.name for entry in sys.path for path in Path(entry).glob("*.dist-info")}
    return fingerprint_of(files, sys.version, *sorted(libraries))[:12]


def fingerprint_of(files: Iterable[tuple[str, Path]], *versions: str) -> str:
    """Return a hash of files, their names, and the versions of the programs that use them."""
    digest = sha256("\0".join(versions).encode())
    for name, path in sorted(files):
        digest.update(f"\0{name}\0".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()
