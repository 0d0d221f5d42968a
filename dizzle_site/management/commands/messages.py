"""`manage.py messages`: bring the translators' files up to date with the texts in use."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dizzle_site.environment import IS_INSTALLED
from dizzle_site.translations import (
    begin_catalogs,
    compile_translations,
    find_faults,
    gather_texts,
    read_catalog,
    update_catalogs,
)


class Command(BaseCommand):
    help = "Gather the texts to translate into locale/*/LC_MESSAGES/django.po, and compile those."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        if IS_INSTALLED:
            raise CommandError("Translations are written in a checkout.")
        languages = {code for code, _name in settings.LANGUAGES} - {settings.LANGUAGE_CODE}
        for folder in settings.LOCALE_PATHS:
            begin_catalogs(folder, languages)
            update_catalogs(settings.BASE_DIR, folder)
            compile_translations(folder)
            texts = gather_texts(settings.BASE_DIR)
            for po in sorted(folder.glob("*/LC_MESSAGES/*.po")):
                faults = list(find_faults(texts, read_catalog(po)))
                self.stdout.write(f"{po.relative_to(settings.BASE_DIR)}: {len(faults)} to do")
                for fault in faults:
                    self.stdout.write(f"  {fault}")
