"""Parser for dates in the usual notations, alone or as a column of a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from babel import Locale, UnknownLocaleError

from sheets.groups.paper_games_import import YEARS, last_day
from sheets.text.dates import format_day
from sheets.text.languages import active_language, languages

MAX_LENGTH: Final = 60
"""Maximum length of a written date; "Wednesday, 22 September 2025, 20:15:00" has 39 characters."""

DIGIT_DATES: Final = (
    re.compile(r"(?P<year>\d{4})(?P<sign>[-/.])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})"),
    re.compile(r"(?<!\d)(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?!\d)"),
    re.compile(
        r"(?P<first>\d{1,2}) ?(?:"
        r"(?P<dot>\.) ?(?P<a>\d{1,2}) ?\. ?(?P<b>\d{4}|\d{2})"
        r"|/ ?(?P<c>\d{1,2}) ?/ ?(?P<d>\d{4}|\d{2})"
        r"|- ?(?P<e>\d{1,2}) ?- ?(?P<f>\d{4}))"
    ),
)
"""Patterns of dates in digits: year first with separators or without (20251122), or year last.

With dashes, a short year could be the day as well (25-12-26), so it is not accepted.
"""

MONTH_NAME_DATES: Final = (
    re.compile(
        r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)?[ -]?(?:of )?(?P<month>[a-z]{3,12})\.?,?[ -]?"
        r"(?P<year>\d{4}|\d{2})"
    ),
    re.compile(
        r"(?P<month>[a-z]{3,12})\.?[ -]?(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)?,?[ -]"
        r"(?P<year>\d{4}|\d{2})"
    ),
    re.compile(r"(?P<year>\d{4})[ -](?P<month>[a-z]{3,12})\.?[ -](?P<day>\d{1,2})"),
)
"""Patterns of dates with the name of the month, in lower case without accents."""

WEEKDAY: Final = re.compile(r"(?P<name>[a-z]{2,12})\.?,? ?")
"""Pattern of a weekday before a date, in lower case without accents."""

TIME: Final = re.compile(
    r"t\d{4}(?:\d{2})?z?"
    r"|(?:t|,? (?:um |at |a )?)"
    r"(?:\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)? ?(?:uhr|[ap]\.?m\.?|z|[+-]\d{2}:?\d{2})?"
    r"|\d{1,2}(?:\.\d{2})? ?(?:uhr|[ap]\.?m\.?)|\d{1,2} ?h(?: ?\d{2})?)"
)
"""Pattern of a time of day after a date, in lower case without accents."""

EXTRA_MONTH_NAMES: Final = {"mrz": 3, "janner": 1}
"""Names of months that Babel lacks: of German Excel ("Mrz"), and of Austria ("Jänner")."""


class WrittenDay(NamedTuple):
    """A written date, read in both orders of day and month; None for an order without a valid date.

    ``is_dotted``: it has dots as separators. ``has_other_weekday``: it was written with a weekday
    on which it does not fall.
    """

    day_first: date | None
    month_first: date | None
    is_dotted: bool = False
    has_other_weekday: bool = False

    @property
    def proves_month_first(self) -> bool | None:
        """Whether only month first (True) or only day first (False) is possible; else None."""
        if (self.day_first is None) == (self.month_first is None):
            return None
        return self.day_first is None

    @property
    def is_ambiguous(self) -> bool:
        """Whether both orders are valid and are different days."""
        is_one_day = None in self[:2] or self.day_first == self.month_first
        return not is_one_day and not self.has_other_weekday

    def read(self, month_first: bool) -> date | None:
        """Return the date in the given order, or in the other one if only that is possible."""
        if self.proves_month_first is not None:
            month_first = self.proves_month_first
        return self.month_first if month_first else self.day_first


class DayColumn(NamedTuple):
    """The dates of a column, and the order of day and month in which they were read.

    A cell without a valid past day has no date; ``faults`` then has the reason, as ``why`` and
    ``what`` of `FaultyLine`: ``day``, ``weekday`` or ``ahead``.

    If no date proves the order, ``guessed`` is the first text that depends on it, and ``is_chosen``
    is whether the reader has confirmed it. If dates contradict each other, ``against`` has a text
    that is only valid with the day first and one that is only valid with the month first.
    """

    days: Sequence[date | None] = ()
    faults: Sequence[tuple[str, str] | None] = ()
    is_month_first: bool = False
    is_chosen: bool = False
    guessed: str = ""
    against: tuple[str, str] | None = None

    @property
    def guessed_day(self) -> date | None:
        """The date that was read from the text ``guessed``."""
        return read_day(self.guessed, is_month_first=self.is_month_first)


def read_day(text: str, *, is_month_first: bool = False) -> date | None:
    """Parse a text as a date; None if it is no date, or has a weekday that does not match."""
    written = parse_day(text)
    return None if written.has_other_weekday else written.read(is_month_first)


def read_days(texts: Sequence[str], *, is_month_first: bool, is_chosen: bool) -> DayColumn:
    """Parse a column of dates; one date with a number above 12 decides the order for all of them.

    The order of dates with dots is decided separately from the others: the day is first, unless
    one of them proves the opposite.

    Args:
        texts: the cells.
        is_month_first: the order if no date proves one.
        is_chosen: whether the reader has chosen this order; otherwise it is a guess, and the order
            with fewer days in the future is preferred.
    """
    written = list(map(parse_day, texts))
    both = list(zip((text.strip() for text in texts), written, strict=True))
    dotted, others = _proofs(both, is_dotted=True), _proofs(both, is_dotted=False)
    if len(others) == 1:
        is_month_first = True in others
    elif not is_chosen:
        orders = (is_month_first, not is_month_first)
        is_month_first = min(orders, key=lambda order: _count_ahead(written, order))
    order = {True: set(dotted) == {True}, False: is_month_first}
    ambiguous = (text for text, one in both if one.is_ambiguous and not one.is_dotted)
    days = [one.read(order[one.is_dotted]) for one in written]
    faults = [_fault(text, one, day) for (text, one), day in zip(both, days, strict=True)]
    return DayColumn(
        [None if fault else day for day, fault in zip(days, faults, strict=True)],
        faults,
        is_month_first,
        is_chosen,
        next(ambiguous, "") if len(others) != 1 else "",
        next(((one[False], one[True]) for one in (others, dotted) if len(one) == 2), None),
    )


def _fault(text: str, written: WrittenDay, day: date | None) -> tuple[str, str] | None:
    """Return why a cell is no past day, as ``why`` and ``what`` of `FaultyLine`, or None."""
    if day is None:
        return "day", text
    if written.has_other_weekday:
        return "weekday", format_day(day)
    return ("ahead", "") if day > last_day() else None


def _proofs(both: Iterable[tuple[str, WrittenDay]], is_dotted: bool) -> dict[bool, str]:
    """Return the first text that proves each order of day and month."""
    found: dict[bool, str] = {}
    for text, one in both:
        if one.is_dotted == is_dotted and one.proves_month_first is not None:
            found.setdefault(one.proves_month_first, text)
    return found


def parse_day(text: str) -> WrittenDay:
    """Parse a date, optionally with a weekday before it and a time after it.

    The weekday decides the order of day and month if only one order falls on it. The time is
    ignored.
    """
    text = " ".join(text[: 2 * MAX_LENGTH].split())
    if len(text) > MAX_LENGTH:
        return WrittenDay(None, None)
    text = _plain(text)
    weekdays: set[int] = set()
    read = _parse_with_time(text)
    # First without a weekday: "Mar" is March, too, and the French "mardi".
    if read is None and (found := WEEKDAY.match(text)):
        weekdays = {day for name, day in _weekdays().items() if name.startswith(found["name"])}
        read = _parse_with_time(text[found.end() :]) if weekdays else None
    if read is None:
        return WrittenDay(None, None)
    fitting = {day for day in read[:2] if day and day.weekday() in weekdays}
    if read.is_ambiguous and len(fitting) == 1:
        day = fitting.pop()
        return read._replace(
            day_first=day if day == read.day_first else None,
            month_first=day if day == read.month_first else None,
        )
    return read._replace(has_other_weekday=bool(weekdays) and not fitting)


def expects_month_first(accept_language: str) -> bool:
    """Return whether dates in digits have the month first in the region of the reader.

    Args:
        accept_language: the header of the request. A region in it decides (en-GB), preferably one
            of the language that the reader has chosen; without a region, the language decides.
    """
    tags = [tag.split(";")[0].strip() for tag in accept_language.split(",")]
    regional = [tag for tag in tags if "-" in tag]
    own = [tag for tag in regional if tag.split("-")[0] == active_language()]
    for tag in (*own, *regional):
        try:
            locale = Locale.parse(tag, sep="-")
        except (ValueError, UnknownLocaleError):
            continue
        return _is_month_first(locale)
    return _is_month_first(Locale.parse(active_language(), sep="-"))


def _is_month_first(locale: Locale) -> bool:
    pattern = locale.date_formats["short"].pattern
    return bool(pattern.index("M") < pattern.index("d"))


def _count_ahead(written: Iterable[WrittenDay], is_month_first: bool) -> int:
    last = last_day()
    days = (one.read(is_month_first) for one in written if not one.is_dotted)
    return sum(day is not None and day > last for day in days)


def _parse_with_time(text: str) -> WrittenDay | None:
    read = _parse_digits(text) or _parse_words(text)
    if read is None and (times := list(TIME.finditer(text))) and times[-1].end() == len(text):
        text = text[: times[-1].start()]
        read = _parse_digits(text) or _parse_words(text)
    return read


def _parse_digits(text: str) -> WrittenDay | None:
    *years_first, year_last = (pattern.fullmatch(text) for pattern in DIGIT_DATES)
    if year_first := next(filter(None, years_first), None):
        day = _day(year_first["year"], int(year_first["month"]), year_first["day"])
        return WrittenDay(day, day)
    if year_last:
        first, second, year = filter(None, year_last.group("first", *"acebdf"))
        return WrittenDay(
            _day(year, int(second), first),
            _day(year, int(first), second),
            bool(year_last["dot"]),
        )
    return None


def _parse_words(text: str) -> WrittenDay | None:
    for pattern in MONTH_NAME_DATES:
        if found := pattern.fullmatch(text):
            months = {month for name, month in _months().items() if name.startswith(found["month"])}
            if len(months) == 1:
                day = _day(found["year"], months.pop(), found["day"])
                return WrittenDay(day, day)
    return None


def _day(year: str, month: int, day: str) -> date | None:
    # Dizzle was published in this century, so a short year belongs to it.
    number = int(year) + (2000 if len(year) == 2 else 0)
    try:
        return date(number, month, int(day)) if number in YEARS else None
    except ValueError:
        return None


@cache
def _months() -> dict[str, int]:
    """Return the number of each month by its names in all languages of the site."""
    return _names("months") | EXTRA_MONTH_NAMES


@cache
def _weekdays() -> dict[str, int]:
    """Return the number of each weekday, 0 for Monday, by its names in all languages."""
    return _names("days")


def _names(kind: str) -> dict[str, int]:
    return {
        _plain(name).rstrip("."): number
        for language in languages()
        for by_width in getattr(Locale.parse(language, sep="-"), kind).values()
        for width in ("wide", "abbreviated")
        for number, name in by_width[width].items()
    }


def _plain(text: str) -> str:
    """Return a text in lower case, without accents and with plain digits and dashes."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(one for one in letters if not unicodedata.combining(one))
    return re.sub("[‐‑‒–−]", "-", plain)
