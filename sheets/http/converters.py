"""What can stand in an address: the key of a link, the number of a sheet, the code of a table."""

from __future__ import annotations

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
    """Let addresses name them: ``<key:…>``, ``<sheet:…>`` and ``<code:…>``."""
    register_converter(KeyConverter, "key")
    register_converter(NumberConverter, "sheet")
    register_converter(CodeConverter, "code")
