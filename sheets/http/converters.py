"""What can stand in an address: the key of a link, the number of a sheet, the code of a table."""

from __future__ import annotations

from datetime import date

from django.urls import register_converter


class KeyConverter:
    """A scoring's key: 192 random bits in URL-safe letters."""

    regex = "[A-Za-z0-9_-]{32}"

    def to_python(self, value: str) -> str:
        """The key itself."""
        return value

    def to_url(self, value: str) -> str:
        """The key itself."""
        return value


class NumberConverter(KeyConverter):
    """A sheet's number within its scoring."""

    regex = "[1-9][0-9]{0,4}"

    def to_python(self, value: str) -> int:  # type: ignore[override]
        """The number."""
        return int(value)

    def to_url(self, value: str | int) -> str:
        """The number in digits."""
        return str(value)


class DayConverter:
    """A day, as in ``2026-11-22``."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        """The day; ValueError if there is none such, so that nothing is found there."""
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        """The day in digits."""
        return str(value)


class DigestConverter(KeyConverter):
    """What tells a level from all that play in another way."""

    regex = "[0-9a-f]{16}"


class YearConverter(KeyConverter):
    """A year in which people may have played."""

    regex = "[12][0-9]{3}"

    def to_python(self, value: str) -> int:  # type: ignore[override]
        """The year as a number."""
        return int(value)

    def to_url(self, value: str | int) -> str:
        """The year in digits."""
        return str(value)


class CodeConverter:
    """A table's code, the long one of its address or the one that people type."""

    regex = "[A-Za-z0-9]{4,16}"

    def to_python(self, value: str) -> str:
        """The code in capitals."""
        return value.upper()

    def to_url(self, value: str) -> str:
        """The code itself."""
        return value


def register() -> None:
    """Let addresses name them: ``<key:…>``, ``<sheet:…>``, ``<day:…>``, ``<code:…>`` …"""
    register_converter(KeyConverter, "key")
    register_converter(NumberConverter, "sheet")
    register_converter(DayConverter, "day")
    register_converter(DigestConverter, "digest")
    register_converter(YearConverter, "year")
    register_converter(CodeConverter, "code")
