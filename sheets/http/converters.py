"""Path converters of URLs: keys, numbers of sheets, days, digests, years, codes of tables."""

from __future__ import annotations

from datetime import date

from django.urls import register_converter
from django.urls.converters import IntConverter, StringConverter


class KeyConverter(StringConverter):
    """A key that grants access to what its URL shows: 192 random bits in URL-safe letters."""

    regex = "[A-Za-z0-9_-]{32}"


class NumberConverter(IntConverter):
    """The number of a sheet within its scoring."""

    regex = "[1-9][0-9]{0,4}"


class DayConverter:
    """A day, as in ``2026-11-22``."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """Return the day.

        Raises:
            ValueError: there is no such day. Django then answers 404.
        """
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        """Return the day as in ``2026-11-22``."""
        return str(value)


class DigestConverter(StringConverter):
    """The digest of all parts of a level that affect its games."""

    regex = "[0-9a-f]{16}"


class YearConverter(IntConverter):
    """A year in which people may have played."""

    regex = "[12][0-9]{3}"


class CodeConverter(StringConverter):
    """The long or the short code of a table, also in lower-case letters."""

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
