"""Collected static files, under hashed names so that browsers cache them for a year.

`sheets.templatetags.script_tags` writes the tags that load them, with preloads of imported modules.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any, Final

from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage


class TrimmedStaticFilesConfig(StaticFilesConfig):
    """Django's app for static files, without files of django-htmx that no page loads.

    These are htmx 4, which is large, and extensions whose comments name modules that do not exist.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "ht*x-4.*"]  # noqa: RUF012


UNSENT: Final = {
    ".js": re.compile(rb"^[ \t]*//.*\n|^[ \t]+", re.MULTILINE),
    ".css": re.compile(rb"/\*.*?\*/\s*|^\s+", re.DOTALL | re.MULTILINE),
}
"""Comments and indentation, which browsers do not get. In scripts, only comments that fill whole
lines: to find the others takes a parser."""


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """Django's manifest storage, with hashed names in imports of modules, and without `UNSENT`."""

    support_js_module_import_aggregation = True

    max_post_process_passes = 20
    """Maximum length of a chain of imports: each pass settles the hashed name of one more file."""

    def _save(self, name: str, content: File[Any]) -> str:
        if pattern := UNSENT.get(PurePath(name).suffix):
            content = ContentFile(pattern.sub(b"", b"".join(content.chunks())))
        saved: str = super()._save(name, content)
        return saved
