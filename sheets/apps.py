"""Tells Django about this app."""

from django.apps import AppConfig

from sheets.http import converters


class SheetsConfig(AppConfig):
    name = "sheets"
    verbose_name = "Dizzle Companion"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the addresses name what stands in them."""
        converters.register()
