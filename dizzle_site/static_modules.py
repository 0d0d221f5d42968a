"""How do ES modules find each other, each under a name that changes with its content?

Their imports are written as paths from file to file (`import { swap } from "./lib/swap.js";`), so
they hold without names that change, too, as in DEBUG.
"""

import posixpath
import re
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = (
    r'(?m)^(?P<matched>(?P<named>(?:import|export)\b(?:[^;"\']*?\bfrom)?\s*)'
    r'"(?P<url>\.\.?/[^"]+)";)$'
)
"""A static import as all modules of ours write them: it begins a line and ends one."""


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """WhiteNoise's, which also writes the changed names into the imports of our modules.

    Django's own way (`support_js_module_import_aggregation`) follows every text that looks like an
    import, in comments and in scripts of others, too, and stops where there is no such file.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("sheets?*.js", ((IMPORT, '%(named)s"%(url)s";'),)),  # with / or, on Windows, with \
    )


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
