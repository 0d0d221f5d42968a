"""Tells Django about this app."""

from django.apps import AppConfig


class SheetsConfig(AppConfig):
    name = "sheets"
    verbose_name = "Dizzle Companion"
    default_auto_field = "django.db.models.BigAutoField"
