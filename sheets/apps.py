"""Configuration of the Django app."""

from django.apps import AppConfig

from sheets.http import converters


class SheetsConfig(AppConfig):
    name = "sheets"
    verbose_name = "Dizzle Companion"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the path converters for URLs."""
        converters.register()
