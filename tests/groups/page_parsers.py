"""Parsers for the HTML of a group's pages, which read what a visitor sees."""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

import html5lib
from django.utils import timezone

from sheets.models import Scoring
from tests.groups.naive_statistics import Line

MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
SVG: Final = "{http://www.w3.org/2000/svg}"


class ShownGame(NamedTuple):
    """A game of an evening: title, grade, and each player's name, points and whether they won.

    The title is without the version of the level.
    """

    title: str
    grade: str
    did: list[tuple[str, int | None, bool]]
    is_open: bool


class ShownDay(NamedTuple):
    """An evening: its heading and its games."""

    heading: str
    games: list[ShownGame]


class Table(NamedTuple):
    """Headings and rows of a table, as texts."""

    heads: list[str]
    rows: list[list[str]]


@lru_cache(maxsize=8)
def read(html: str) -> Element:
    """Parse a page like a browser. The result is cached, so callers must not change it."""
    root: Element = html5lib.parse(html, namespaceHTMLElements=False)
    return root


def text(element: Element | None) -> str:
    """Return the text of an element, with single blanks."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def number(shown: str) -> int:
    """Parse a number with a typographic minus sign."""
    return int(shown.replace("−", "-"))


def section(root: Element, name: str) -> Element | None:
    """Return the section of a page whose heading has this id."""
    return root.find(f".//section[@aria-labelledby='{name}']")


def card(root: Element) -> Element | None:
    """Return the card with the figures on the page of a player."""
    return next(
        (
            one
            for one in root.iter("section")
            if one.attrib.get("aria-label") in ("All games", "These games")
        ),
        None,
    )


def line(card: Element) -> Line:
    """Parse the figures of a player."""
    shown = {text(one.find("dt")): text(one.find("dd")) for one in card.findall("dl/div")}
    said = text(card)
    share = re.search(r"Wins (\d+)% of the games with others; luck alone would win (\d+)%", said)
    likely = re.search(r"the share is likely to be (\d+) to (\d+)%", said)
    last = re.search(r"The last games, the latest at the end: ([−\d, ]+)", said)
    sayings = {
        "more": "more than luck",
        "less": "fewer than luck alone",
        "same": "could give the same",
    }
    says = [name for name, words in sayings.items() if words in said]
    assert len(says) == bool(share) == bool(likely)
    plain = {name: number(one) for name, one in shown.items() if name in ("Games", "Best", "Worst")}
    return Line(
        plain["Games"],
        float(shown["Wins"]) if "Wins" in shown else None,
        float(shown["On average"].replace("−", "-")) if "On average" in shown else None,
        plain.get("Best"),
        plain.get("Worst"),
        float(share[1]) if share else None,
        float(share[2]) if share else None,
        float(likely[1]) if likely else None,
        float(likely[2]) if likely else None,
        says[0] if says else None,
        [number(one) for one in last[1].split(", ")] if last else [],
    )


def trend(card: Element) -> list[tuple[float, float]]:
    """Return the points of the trend line of the last totals; empty without a line."""
    line = card.find(f".//{SVG}polyline")
    points = [] if line is None else [one.split(",") for one in line.attrib["points"].split()]
    return [(float(x), float(y)) for x, y in points]


def days(root: Element) -> list[ShownDay]:
    """Return the evenings of a page in their order."""
    found = []
    for day in root.iterfind(".//article[@class='card evening']"):
        heading = day.find("header/h3")
        above = heading if heading is not None else root.find(".//h1")
        games: list[ShownGame] = []
        for item in day.findall("ul/li"):
            game = _game(item)
            # Of several games in a row on one level, only the first has the title.
            if games and not game.title:
                game = game._replace(title=games[-1].title, grade=games[-1].grade)
            games.append(game)
        found.append(ShownDay(text(above), games))
    return found


def _game(item: Element) -> ShownGame:
    quiet = [text(one) for one in item.findall(".//span[@class='quiet']")]
    did: list[tuple[str, int | None, bool]] = []
    for one in item.iter("span"):
        classes = one.attrib.get("class", "").split()
        if "did" in classes:
            name = text(one.find("bdi"))
            rest = text(one).removeprefix(name).replace("(Winner)", "").strip()
            did.append((name, number(rest) if rest else None, "won" in classes))
    is_open = "Not finished yet" in quiet
    grade = [one for one in quiet if one != "Not finished yet"]
    return ShownGame(plain_title(text(item.find(".//b"))), grade[0] if grade else "", did, is_open)


def choices(root: Element, name: str) -> dict[str, str]:
    """Return the options of a select element: the sent value by its label."""
    select = root.find(f".//select[@name='{name}']")
    assert select is not None
    return {text(one): one.attrib["value"] for one in select if one.attrib["value"]}


def tables(root: Element) -> dict[str, Table]:
    """Return the tables of a page by their accessible names."""
    above = {child: one for one in root.iter() for child in one}
    ids = {one.attrib["id"]: one for one in root.iter() if "id" in one.attrib}
    found = {}
    for table in root.iter("table"):
        name, one = "", table
        while not name and one in above:
            label = one.attrib.get("aria-labelledby", "")
            name = text(ids[label]) if label else one.attrib.get("aria-label", "")
            one = above[one]
        heads = [text(head) for head in table.iterfind("thead/tr/th")]
        rows = [[text(cell) for cell in row] for row in table.iterfind("tbody/tr")]
        found[name] = Table(heads, rows)
    return found


def records(root: Element) -> dict[str, tuple[int, str]]:
    """Return the records of a level: by description the number, and the holders with the day."""
    found = {}
    for item in root.iterfind(".//ul[@class='grid records']/li"):
        words = item.find("span")
        told = text(None if words is None else words.find("span"))
        if re.search(r"\d+ \w+ \d+$", told) and not re.search(r"; \d+ \w+ \d+$", told):
            what = text(words).removesuffix(told).strip()
            found[what] = number(text(item.find("b"))), told
    return found


def tiles(root: Element) -> dict[str, tuple[str, str]]:
    """Return the tiles of a yearly review: by words the large figure and the details."""
    found = {}
    for item in root.iterfind(".//ul[@class='year-tiles']/li"):
        told = item.find("span")
        assert told is not None
        figure, detail = text(told.find("b")), text(told.find("span"))
        words = text(told).removeprefix(figure).removesuffix(detail).strip()
        found[words] = figure, detail
    return found


def facts(root: Element) -> dict[str, str]:
    """Return the large figures of a page by their labels."""
    return {text(one.find("dt")): text(one.find("dd")) for one in root.iterfind(".//dl/div")}


def plain_title(shown: str) -> str:
    """Return the title of a level without its version."""
    return re.sub(r", version \d+$", "", shown)


def one_decimal(mean: float) -> str:
    """Format a mean like the English pages, with halves rounded up."""
    tenths = Decimal(repr(mean)).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return str(tenths).replace("-", "−")


def day_of(shown: str) -> date:
    """Parse a date such as ``31 Dec 2025``."""
    day, month, year = shown.split()
    return date(int(year), MONTHS.index(month) + 1, int(day))


def day_words(day: date) -> str:
    """Format a date like the English pages."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def tonight() -> date:
    """Return the evening of a game that is added now, without a time zone of a device."""
    return Scoring().evening_of(timezone.now())
