"""Path converters of URLs: keys of links, numbers, days, digests, years, codes of tables."""

from __future__ import annotations

from datetime import date

from django.urls import register_converter
from django.urls.converters import IntConverter, StringConverter


class KeyConverter(StringConverter):
    """The key of a link: 192 random bits in URL-safe letters."""

    regex = "[A-Za-z0-9_-]{32}"


class NumberConverter(IntConverter):
    """The number of a sheet within its scoring."""

    regex = "[1-9][0-9]{0,4}"


class DayConverter:
    """A day, as in ``2026-11-22``."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """Return the day. ValueError, which Django answers with 404: there is no such day."""
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        """Return the day in digits."""
        return str(value)


class DigestConverter(StringConverter):
    """The digest of a level: of all that matters for playing it."""

    regex = "[0-9a-f]{16}"


class YearConverter(IntConverter):
    """A year in which people may have played."""

    regex = "[12][0-9]{3}"


class CodeConverter(StringConverter):
    """The code of a table: that of its address, or the one that people type."""

    regex = "[A-Za-z0-9]{4,16}"

    def to_python(self, value: str) -> str:
        """Return the code in capitals."""
        return value.upper()


def register() -> None:
    """Register the converters: ``<key:…>``, ``<sheet:…>``, ``<day:…>``, ``<code:…>`` …"""
    register_converter(KeyConverter, "key")
    register_converter(NumberConverter, "sheet")
    register_converter(DayConverter, "day")
    register_converter(DigestConverter, "digest")
    register_converter(YearConverter, "year")
    register_converter(CodeConverter, "code")
