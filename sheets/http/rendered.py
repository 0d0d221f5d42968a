"""How is a fragment rendered once for as long as nothing has changed of what it shows?

A template notes what it reads of the objects it is given. As long as they say the same, it would
come out the same: it is not rendered again. So it must depend on nothing but them and the language.
The fragments of one page read much of the same, which is looked at once for all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Any, Final, NamedTuple

from django.db.models import Model
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

KEPT: Final = 2_500
"""So many pages are kept with their fragments, those used last: 500 tables with four phones each.

With what is compared before they are used again they take 190 kB a table, or so. A table whose
fragments are gone when somebody taps has all of them rendered: four times the work.
"""

DIGITS: Final = 12

PLAIN: Final = frozenset((str, SafeString, int, bool, float))
"""Nearly all that is read: values that need no looking into."""


class Rendered(NamedTuple):
    """A fragment, and a sum that tells it from others."""

    html: str
    sum: str


class _Kind(NamedTuple):
    """That something read was of a type whose members are read in their turn."""

    kind: type


class _Check(NamedTuple):
    """What is read under a name, of the thing with this place in the list or as it was given.

    ``readers`` has a bit for each fragment that reads it.
    """

    owner: int | None
    name: str
    readers: int


Path = tuple[str, ...]
Reads = dict[Path, Any]
_MISSING: Final = object()
_UNSURE: Final = object()
"""In place of what was read: it is the same as nothing."""


class _Page(NamedTuple):
    """Fragments as they were rendered, and what each of them has read then.

    ``known`` is what was found for each of the ``checks``, whose places are ``at``; ``paths`` has
    those that a fragment reads. Nothing of it is ever changed.
    """

    checks: Sequence[_Check]
    at: Mapping[Path, int]
    paths: Sequence[tuple[Path, ...]]
    known: Sequence[Any]
    fragments: Sequence[Rendered]


_kept: OrderedDict[Hashable, _Page] = OrderedDict()
_lock = Lock()


def render_once(
    place: Hashable, templates: Sequence[str], objects: Mapping[str, Any], deep: tuple[type, ...]
) -> Sequence[Rendered]:
    """Templates with these objects, each as it was rendered the last time if that still holds.

    Args:
        place: what tells the times they are rendered for apart: of each, the last one is kept.
        templates: their names, always the same ones at one place.
        objects: what they are given; each is only read.
        deep: of objects of these types single members are compared, of others all there is.
    """
    key = (place, get_language())
    with _lock:
        page = _kept.get(key)
        if page:
            _kept.move_to_end(key)
    if page is None:
        fresh = _render_all(templates, objects, deep)
    else:
        known, readers = _look(page, objects)
        if not readers:
            return page.fragments
        fresh = _render_some(page, known, readers, templates, objects, deep)
    with _lock:
        _kept[key] = fresh
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return fresh.fragments


def _render_all(
    templates: Sequence[str], objects: Mapping[str, Any], deep: tuple[type, ...]
) -> _Page:
    rendered = [_render(template, objects, deep) for template in templates]
    return _page([reads for _one, reads in rendered], [one for one, _reads in rendered])


def _render_some(
    page: _Page,
    known: list[Any],
    readers: int,
    templates: Sequence[str],
    objects: Mapping[str, Any],
    deep: tuple[type, ...],
) -> _Page:
    """The page with those fragments new that read anything that is new."""
    fragments, is_as_before = [*page.fragments], True
    every: list[Reads | None] = [None] * len(templates)
    for number, template in enumerate(templates):
        if readers >> number & 1:
            fragments[number], reads = _render(template, objects, deep)
            is_as_before = is_as_before and tuple(reads) == page.paths[number]
            every[number] = reads
    if not is_as_before:
        unchanged = ({path: known[page.at[path]] for path in paths} for paths in page.paths)
        return _page([new or old for new, old in zip(every, unchanged, strict=True)], fragments)
    for reads in filter(None, every):
        for path, value in reads.items():
            place = page.at[path]
            known[place] = _agreed(known[place], value)
    return page._replace(known=known, fragments=fragments)


def _render(
    template: str, objects: Mapping[str, Any], deep: tuple[type, ...]
) -> tuple[Rendered, Reads]:
    reads: Reads = {}
    seen = {name: _seen(real, (name,), reads, deep) for name, real in objects.items()}
    html = str(render_to_string(template, seen))
    return Rendered(html, sha256(html.encode()).hexdigest()[:DIGITS]), reads


class _Seen:
    """Stands for an object in a template, and notes what is read of it."""

    __slots__ = ("_deep", "_object", "_path", "_reads")

    def __init__(self, real: Any, path: Path, reads: Reads, deep: tuple[type, ...]) -> None:
        self._object, self._path, self._reads, self._deep = real, path, reads, deep

    def __getattr__(self, name: str) -> Any:
        path = (*self._path, name)
        try:
            value = getattr(self._object, name)
        except AttributeError:
            self._reads[path] = _MISSING
            raise
        return _seen(value, path, self._reads, self._deep)

    def __dir__(self) -> list[str]:
        """Asked by a template after a name that is not there."""
        return dir(self._object)


def _seen(value: Any, path: Path, reads: Reads, deep: tuple[type, ...]) -> Any:
    if isinstance(value, deep):
        reads[path] = _Kind(type(value))
        return _Seen(value, path, reads, deep)
    reads[path] = value
    return value


def _page(every: Sequence[Reads], fragments: Sequence[Rendered]) -> _Page:
    """What was read, so that it is quickly read again; a member comes after its object."""
    known: Reads = {}
    readers: dict[Path, int] = {}
    for number, reads in enumerate(every):
        for path, value in reads.items():
            known[path] = _agreed(known[path], value) if path in known else value
            readers[path] = readers.get(path, 0) | 1 << number
    at = {path: place for place, path in enumerate(known)}
    checks = [_Check(at.get(path[:-1]), path[-1], readers[path]) for path in known]
    return _Page(checks, at, [tuple(reads) for reads in every], [*known.values()], fragments)


def _agreed(one: Any, other: Any) -> Any:
    """What is known of something that was read twice: nothing where it said different things."""
    if one is other or is_same(one, other):
        return one
    return other if type(other) is _Kind and type(one) is not _Kind else _UNSURE


def _look(page: _Page, objects: Mapping[str, Any]) -> tuple[list[Any], int]:
    """What the objects say now of what was read, and a bit for each fragment that reads news."""
    found: list[Any] = []
    known, readers = [*page.known], 0
    for place, ((owner, name, its_readers), before) in enumerate(
        zip(page.checks, page.known, strict=True)
    ):
        now = objects[name] if owner is None else getattr(found[owner], name, _MISSING)
        found.append(now)
        if now is before:
            continue
        if not its_readers & ~readers:  # all of them are rendered anew anyway
            known[place] = now
            continue
        is_still = type(now) is before.kind if type(before) is _Kind else is_same(now, before)
        if not is_still:
            known[place] = now
            readers |= its_readers
    return known, readers


def is_same(one: Any, other: Any) -> bool:
    """Whether two things show the same wherever they are shown.

    Compared are plain values and what is made of them, and rows of the database by what is in them.
    Of anything else only the thing itself is the same.
    """
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in PLAIN:
        return bool(one == other)
    return _comparison_of(kind)(one, other)  # type: ignore[arg-type]  # types can be keys


@cache
def _comparison_of(kind: type) -> Callable[[Any, Any], bool]:
    """How two of a type are compared that are not the same thing."""
    if issubclass(kind, tuple | list):
        return lambda one, other: len(one) == len(other) and all(map(is_same, one, other))
    if issubclass(kind, dict):
        return lambda one, other: is_same([*one.items()], [*other.items()])
    if issubclass(kind, str | int | float | frozenset):
        return lambda one, other: bool(one == other)
    if issubclass(kind, Model):
        return lambda one, other: bool(_row(one) == _row(other))
    return lambda one, other: False


def _row(model: Model) -> dict[str, Any]:
    return vars(model) | {"_state": None}
