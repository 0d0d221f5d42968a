"""Which names look the same, and how are those who have them told apart?

Two names look the same if their skeletons do (Unicode Technical Standard 39), as they are or in
small letters; blanks and what nobody sees do not count. Names with other accents look different.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import count
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


def looks(name: str) -> frozenset[str]:
    """What a name looks like; two that have one of these in common look alike."""
    skeleton = _skeleton(name)
    return frozenset((skeleton, skeleton.casefold(), _skeleton(name.casefold())))


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it if one of the others looks the same.

    >>> told_apart("Anna", ["anna", "Ben"])
    'Anna 2'
    """
    others = list(others)

    def is_taken(name: str) -> bool:
        return any(look_alike(name, other) for other in others)

    return next(one for one in _numbered(name) if not is_taken(one))


def tell_apart(names: Sequence[str]) -> list[str]:
    """The names in their order, each told apart from those before it."""
    apart: list[str] = []
    for name in names:
        apart.append(told_apart(name, apart))
    return apart


def shown_names(names: Sequence[str]) -> list[str]:
    """What the people of a document are called: clean, by a number without a name, told apart.

    >>> shown_names(["Ana\\tMaria", "", "ana maria"])
    ['Ana Maria', '2', 'ana maria 2']
    """
    return tell_apart([clean_name(name) or f"{number}" for number, name in enumerate(names, 1)])


def _numbered(name: str) -> Iterator[str]:
    """The name alone, then with 2, 3, … behind it, never longer than names may be."""
    yield name
    for number in count(2):
        cut = cut_name(name, NAME_LENGTH - len(f" {number}"))
        yield f"{cut} {number}".strip()


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
