"""Which names look the same, and how are those who have them told apart?

Two names look the same if their skeletons do (Unicode Technical Standard 39), as they are or in
small letters; blanks and what nobody sees do not count. Names with other accents look different.
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
from sheets.people.names import NAME_LENGTH, clean_name, cut_name

UNSEEN: Final = regex.compile(r"[\s\p{Default_Ignorable_Code_Point}]")


def look_alike(one: str, other: str) -> bool:
    """Whether somebody could take one name for the other; nobody is taken for one without a name.

    >>> look_alike("Anna", "Аnnа"), look_alike("AIex", "alex"), look_alike("Anna", "Anne")
    (True, True, False)
    """
    return bool(one and other) and not looks(one).isdisjoint(looks(other))


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """Return what a name looks like; two that have one of these in common look alike.

    Cached, because each game that comes into a group is compared with all names in it, up to 2,200.
    """
    skeleton = _skeleton(name)
    return frozenset((skeleton, skeleton.casefold(), _skeleton(name.casefold())))


class DistinctNames:
    """A growing collection of names of which no two look the same."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[frozenset[str], int] = {}
        for name in names:
            self._take(name)

    def add(self, name: str) -> str:
        """Add a name, with a number behind it if one that looks the same is there; return it.

        Any number of names without letters may be there.
        """
        if not name:
            return name
        alike = looks(name)
        # All lower numbers are taken: from the beginning each time, many equal names take long.
        number = self._numbers.get(alike, 1)
        while not looks(numbered := _numbered(name, number)).isdisjoint(self._taken):
            number += 1
        self._numbers[alike] = number + 1
        self._take(numbered)
        return numbered

    def _take(self, name: str) -> None:
        if name:
            self._taken |= looks(name)


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it if one of the others looks the same.

    >>> told_apart("Anna", ["anna", "Ben"])
    'Anna 2'
    """
    return DistinctNames(others).add(name)


def tell_apart(names: Sequence[str]) -> list[str]:
    """The names in their order, each told apart from those before it."""
    apart = DistinctNames()
    return [apart.add(name) for name in names]


def shown_names(names: Sequence[str]) -> list[str]:
    """What the people of a document are called: clean, by a number without a name, told apart.

    >>> shown_names(["Ana\\tMaria", "", "ana maria"])
    ['Ana Maria', '2', 'ana maria 2']
    """
    return tell_apart([clean_name(name) or f"{number}" for number, name in enumerate(names, 1)])


def _numbered(name: str, number: int) -> str:
    """Return the name with a number behind it, never longer than names may be; alone for 1."""
    if number == 1:
        return name
    cut = cut_name(name, NAME_LENGTH - len(f" {number}"))
    return f"{cut} {number}".strip()


def _skeleton(name: str) -> str:
    """What is left of a name when all characters that look the same are the same."""
    prototypes = _prototypes()
    plain = unicodedata.normalize("NFKD", UNSEEN.sub("", name))
    looks = "".join(prototypes.get(character, character) for character in plain)
    return unicodedata.normalize("NFD", looks)


class _Homoglyph(msgspec.Struct):
    c: str


@cache
def _prototypes() -> dict[str, str]:
    """For each character that looks like others, the one (or the several) that stands for all.

    Unicode's table, out of the package that keeps it. Its own functions would hold 17 MB for as
    long as the site runs, and some of its characters come with marks of direction around them.
    """
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    table = decoder(dict[str, list[_Homoglyph]]).decode(text)
    groups: dict[str, list[str]] = {}
    for key, alike in table.items():
        members = sorted({UNSEEN.sub("", one) for one in (key, *(each.c for each in alike))})
        # A key with several beside it stands for them; of two alone either may.
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
