"""Tests of dates in words."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import translation

from sheets.text.dates import format_date, format_day


@pytest.mark.parametrize(
    ("language", "day", "date_in_words", "with_weekday"),
    [
        ("en", date(2026, 12, 1), "1 Dec 2026", "Tuesday, 1 December 2026"),
        ("de", date(2026, 12, 1), "1. Dezember 2026", "Dienstag, 1. Dezember 2026"),
        ("fr", date(2026, 12, 1), "1er décembre 2026", "mardi 1er décembre 2026"),
        ("fr", date(2026, 12, 2), "2 décembre 2026", "mercredi 2 décembre 2026"),
    ],
)
def test_the_first_of_a_month_is_an_ordinal_number_in_french(
    language: str, day: date, date_in_words: str, with_weekday: str
) -> None:
    with translation.override(language):
        assert format_date(day) == date_in_words
        assert format_day(day) == with_weekday


def test_no_day_has_no_words() -> None:
    assert format_date(None) == format_day(None) == ""
