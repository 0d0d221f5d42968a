"""Collected static files, under hashed names so that browsers cache them for a year."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(StaticFilesConfig):
    """Django's app for static files, without the extensions of htmx, which no page loads.

    The storage would look for the modules that their comments name.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext"]  # noqa: RUF012


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # no types
    """Django's manifest storage with hashed names in the imports of modules, compressed."""

    support_js_module_import_aggregation = True

    max_post_process_passes = 20
    """Maximum length of a chain of imports: each pass settles the hashed names of one more link."""
