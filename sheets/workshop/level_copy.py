"""Copy of a level as a new document."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from sheets.names.cleaning import clean_name, cut_name
from sheets.rules import Level, format_level
from sheets.text.languages import languages
from sheets.text.symbols import in_language
from sheets.workshop.store import new_id

MAX_NAME_LENGTH: Final = 500
"""Maximum length of a level's name, in characters."""


def copy_document(level: Level) -> dict[str, Any]:
    """Return the document of a level's copy, with a new id, named "Copy of ...", without author."""
    document: dict[str, Any] = {**format_level(level), "id": new_id()}
    document.pop("author", None)
    document["name"] = {}
    for language in languages():
        with override(language):
            copy = clean_name(_("Copy of %(name)s") % {"name": in_language(level.name)})
            document["name"][language] = cut_name(copy, MAX_NAME_LENGTH)
    return document
