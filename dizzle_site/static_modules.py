"""How do ES modules find each other, each under a name that changes with its content?

Their imports are written as paths from file to file (`import { swap } from "./lib/swap.js";`), so
they hold without names that change, too, as in DEBUG. What is collected for phones leaves out the
comments: they are for who reads the source.
"""

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = (
    r'(?m)^(?P<matched>(?P<named>(?:import|export)\b(?:[^;"\']*?\bfrom)?\s*)'
    r'"(?P<url>\.\.?/[^"]+)";)(?=\r?$)'
)
"""A static import as all modules of ours write them: it begins a line and ends one,
whichever way a checkout ends lines."""

OURS = "sheets?*"  # with / after it or, on Windows, with \

FOR_READERS = {
    ".js": re.compile(rb"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE),
    ".css": re.compile(rb"^[ \t]*/\*.*?\*/[ \t]*\n|/\*.*?\*/|^[ \t]+", re.MULTILINE | re.DOTALL),
}
"""What is left out of a file with this ending: in scripts, the lines that are comments alone; in
both, what lines are moved in by. No text of ours goes over several lines."""


def for_phones(name: str, content: bytes) -> bytes:
    """A static file of ours as phones get it."""
    spare = FOR_READERS.get(Path(name).suffix)
    return spare.sub(b"", content) if spare else content


class _ForPhones:
    """A storage whose files are read as phones get them."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def open(self, path: str) -> "ContentFile[bytes]":
        with self.storage.open(path) as file:
            return ContentFile(for_phones(path, file.read()))


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """WhiteNoise's, which also writes the changed names into the imports of our modules.

    Django's own way (`support_js_module_import_aggregation`) follows every text that looks like an
    import, in comments and in scripts of others, too, and stops where there is no such file.
    """

    # A name is settled only after those of all that a module imports: in the worst order of the
    # files that takes as many passes as the longest chain of imports is long.
    max_post_process_passes = 20

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (f"{OURS}.js", ((IMPORT, '%(named)s"%(url)s";'),)),
    )

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """What Django does with collected files, done with ours as phones get them."""
        read = {
            name: (_ForPhones(storage) if fnmatchcase(name, OURS) else storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(read, *args, **options)


def imports_of(name: str) -> tuple[str, ...]:
    """The names of all modules that a static file needs, directly or not; the nearest first.

    Raises:
        FileNotFoundError: if there is no such static file, or one of them imports none.
    """
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        importing = waiting.pop(0)
        for path in _paths(importing) if settings.DEBUG else _remembered_paths(importing):
            needed = posixpath.normpath(posixpath.join(posixpath.dirname(importing), path))
            if needed not in found and needed != name:
                found[needed] = None
                waiting.append(needed)
    return tuple(found)


def _paths(name: str) -> tuple[str, ...]:
    file = finders.find(name)
    if not file:
        raise FileNotFoundError(f"there is no static file {name}")
    text = Path(file).read_text("utf-8")
    return tuple(found["url"] for found in re.finditer(IMPORT, text))


_remembered_paths = cache(_paths)
