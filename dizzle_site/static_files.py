"""Collected static files, under hashed names so that browsers cache them for a year.

`sheets.templatetags.script_tags` writes the tags that load them, with preloads of imported modules.
"""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class TrimmedStaticFilesConfig(StaticFilesConfig):
    """Django's app for static files, without files of django-htmx that no page loads.

    These are htmx 4, which is large, and extensions whose comments name modules that do not exist.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "ht*x-4.*"]  # noqa: RUF012


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """Django's manifest storage with hashed names in the imports of modules, compressed."""

    support_js_module_import_aggregation = True

    max_post_process_passes = 20
    """Maximum length of a chain of imports: each pass settles the hashed name of one more file."""
