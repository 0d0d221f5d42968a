"""Tells Django about this app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SheetsConfig(AppConfig):
    name = "sheets"
    verbose_name = _("Dizzle Companion")
    default_auto_field = "django.db.models.BigAutoField"
