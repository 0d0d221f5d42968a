"""How is a fragment rendered once for as long as nothing has changed of what it shows?

A template notes what it reads of the objects it is given. As long as they say the same, it would
come out the same: it is not rendered again. So it must depend on nothing but them and the language.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from hashlib import sha256
from threading import Lock
from typing import Any, Final, NamedTuple

from django.db.models import Model
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

KEPT: Final = 20_000
"""So many fragments are kept, those used last: all of 500 tables with four phones each.

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
    """What was read under a name, of the thing with this place in the list or as it was given."""

    owner: int | None
    name: str
    known: Any


Path = tuple[str, ...]
_MISSING: Final = object()

_kept: OrderedDict[Hashable, tuple[list[_Check], Rendered]] = OrderedDict()
_lock = Lock()


def render_once(
    place: Hashable, template: str, objects: Mapping[str, Any], deep: tuple[type, ...]
) -> Rendered:
    """A template with these objects, as it was rendered the last time if that still holds.

    Args:
        place: what tells the times it is rendered for apart: of each, the last one is kept.
        template: its name.
        objects: what it is given; each is only read.
        deep: of objects of these types single members are compared, of others all there is.
    """
    key = (place, template, get_language())
    with _lock:
        known = _kept.get(key)
        if known:
            _kept.move_to_end(key)
    if known and _holds(known[0], objects):
        return known[1]
    reads: dict[Path, Any] = {}
    seen = {name: _seen(real, (name,), reads, deep) for name, real in objects.items()}
    html = str(render_to_string(template, seen))
    fresh = Rendered(html, sha256(html.encode()).hexdigest()[:DIGITS])
    with _lock:
        _kept[key] = _checks(reads), fresh
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return fresh


class _Seen:
    """Stands for an object in a template, and notes what is read of it."""

    __slots__ = ("_deep", "_object", "_path", "_reads")

    def __init__(
        self, real: Any, path: Path, reads: dict[Path, Any], deep: tuple[type, ...]
    ) -> None:
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


def _seen(value: Any, path: Path, reads: dict[Path, Any], deep: tuple[type, ...]) -> Any:
    if isinstance(value, deep):
        reads[path] = _Kind(type(value))
        return _Seen(value, path, reads, deep)
    reads[path] = value
    return value


def _checks(reads: Mapping[Path, Any]) -> list[_Check]:
    """What was read, so that it is quickly read again; a member comes after its object."""
    places = {path: place for place, path in enumerate(reads)}
    return [_Check(places.get(path[:-1]), path[-1], known) for path, known in reads.items()]


def _holds(checks: Iterable[_Check], objects: Mapping[str, Any]) -> bool:
    """Whether the objects say now what was read of them."""
    found: list[Any] = []
    for owner, name, known in checks:
        now = objects[name] if owner is None else getattr(found[owner], name, _MISSING)
        found.append(now)
        if type(known) is _Kind:
            if type(now) is not known.kind:
                return False
        elif now is not known and not is_same(now, known):
            return False
    return True


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
    if issubclass(kind, tuple | list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if issubclass(kind, dict):
        return is_same([*one.items()], [*other.items()])
    if issubclass(kind, str | int | float | frozenset):
        return bool(one == other)
    return issubclass(kind, Model) and bool(_row(one) == _row(other))


def _row(model: Model) -> dict[str, Any]:
    return {name: value for name, value in vars(model).items() if name != "_state"}
