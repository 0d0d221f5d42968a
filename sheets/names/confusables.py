"""Detection of confusable names, and numbers that make them distinct.

Two names are confusable if their skeletons are equal (Unicode Technical Standard 39), with or
without case folding; blanks and invisible characters are ignored. Names with different accents
are not confusable.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import msgspec
import regex

from sheets.documents.decoding import decoder
from sheets.names.cleaning import NAME_LENGTH, clean_name, cut_name

INVISIBLE: Final = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}]")
"""A character that is ignored when names are compared."""


def are_confusable(one: str, other: str) -> bool:
    """Return whether two names are confusable; an empty name never is.

    >>> are_confusable("Anna", "Аnnа"), are_confusable("AIex", "alex")
    (True, True)
    >>> are_confusable("Anna", "Anne")
    False
    """
    return bool(one and other) and not skeletons(one).isdisjoint(skeletons(other))


@lru_cache(maxsize=4096)
def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name; two names with a common skeleton are confusable.

    Cached, because each new game of a group is compared with all names in it, up to 2,200.
    """
    skeleton = _skeleton(name)
    return frozenset((skeleton, skeleton.casefold(), _skeleton(name.casefold())))


class DistinctNames:
    """Growing collection of names, no two of which are confusable."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[frozenset[str], int] = {}
        for name in names:
            self._take(name)

    def add(self, name: str) -> str:
        """Add a name and return it, with a number appended if a confusable name is there.

        An empty name is returned unchanged, and not added.
        """
        if not name:
            return name
        alike = skeletons(name)
        # Start after the last number in use: starting at 1 takes quadratic time for equal names.
        number = self._numbers.get(alike, 1)
        while not skeletons(numbered := _numbered(name, number)).isdisjoint(self._taken):
            number += 1
        self._numbers[alike] = number + 1
        self._take(numbered)
        return numbered

    def _take(self, name: str) -> None:
        if name:
            self._taken |= skeletons(name)


def distinct_name(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number behind it if one of the others is confusable with it.

    >>> distinct_name("Anna", ["anna", "Ben"])
    'Anna 2'
    """
    return DistinctNames(others).add(name)


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names in their order, each with a number if it is confusable with one before."""
    distinct = DistinctNames()
    return [distinct.add(name) for name in names]


def shown_names(names: Sequence[str]) -> list[str]:
    """Return the names under which a page shows the players of a document.

    Names are cleaned. An empty name becomes the number of the player. A name that is confusable
    with an earlier one gets a number.

    >>> shown_names(["Ana\\tMaria", "", "ana maria"])
    ['Ana Maria', '2', 'ana maria 2']
    """
    return distinct_names([clean_name(name) or f"{number}" for number, name in enumerate(names, 1)])


def _numbered(name: str, number: int) -> str:
    """Return the name with a number behind it, cut to `NAME_LENGTH`; without a number for 1."""
    if number == 1:
        return name
    cut = cut_name(name, NAME_LENGTH - len(f" {number}"))
    return f"{cut} {number}".strip()


def _skeleton(name: str) -> str:
    """Return a name with each confusable character replaced by its prototype."""
    prototypes = _prototypes()
    plain = unicodedata.normalize("NFKD", INVISIBLE.sub("", name))
    replaced = "".join(prototypes.get(character, character) for character in plain)
    return unicodedata.normalize("NFD", replaced)


class _Homoglyph(msgspec.Struct):
    c: str


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype, one or several characters, of each confusable character.

    The data is Unicode's table in the package ``confusable_homoglyphs``. The functions of the
    package are not used: they would keep 17 MB in memory, and do not remove the direction marks
    around some characters of the table.
    """
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    table = decoder(dict[str, list[_Homoglyph]]).decode(text)
    groups: dict[str, list[str]] = {}
    for key, alike in table.items():
        members = sorted({INVISIBLE.sub("", one) for one in (key, *(each.c for each in alike))})
        # A key with several confusables is their prototype; of a mere pair, either may be.
        if len(alike) > 1 or not any(len(table[each.c]) > 1 for each in alike):
            groups[max(members, key=len)] = members
    found = {
        member: prototype
        for prototype, members in groups.items()
        for member in members
        if len(member) == 1
    }
    return {
        member: "".join(found.get(character, character) for character in prototype)
        if len(prototype) > 1
        else prototype
        for member, prototype in found.items()
    }
