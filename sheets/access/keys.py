"""Keys of links: edit keys, view keys derived from them, their digests, and decorators for views.

An edit key lets all who have it change a thing. Its view key is a hash of it. Both have 192 bits,
so they cannot be guessed. `sheets.access.codes` has the short codes of tables.
"""

from __future__ import annotations

import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import wraps
from hashlib import sha256
from itertools import pairwise
from typing import Any, Concatenate, Final, Generic, NamedTuple, TypeVar

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sheets.http.converters import KeyConverter
from sheets.http.view import View
from sheets.models.keyed import Keyed, Withdrawable

SEAT_COOKIE: Final = "dizzle_seat"
"""Cookie with a device's secret, signed by the site."""

SECRET: Final = re.compile("[A-Za-z0-9_-]{43}")
"""Form of a device's secret, see `new_token`."""

MAX_LINK_LENGTH: Final = 500
"""Maximum length of a pasted link, in characters; a longer text is something else."""

KEY: Final = re.compile(KeyConverter.regex)
"""Form of a key."""

Thing = TypeVar("Thing", bound=Keyed)
Lent = TypeVar("Lent", bound=Withdrawable)
Found = TypeVar("Found")

ViewOf = Callable[Concatenate[HttpRequest, Found, ...], HttpResponse]
"""A view of what a key leads to."""


class UnknownKey(LookupError):
    """No thing has this key, or not any more."""


class NotAllowed(Exception):
    """The key is a view key."""


class Access(NamedTuple, Generic[Thing]):
    """A thing, the key it was found by, and whether that key lets one change it."""

    thing: Thing
    key: str
    can_edit: bool

    @property
    def share_key(self) -> str:
        """The view key; empty if there is none."""
        return share_key(self.key, self.thing.share_salt) if self.can_edit else self.key

    def refuse_unless_edits(self) -> None:
        """Raise NotAllowed if the key is a view key."""
        if not self.can_edit:
            raise NotAllowed


# Keys ---------------------------------------------------------------------------------------------


def new_key() -> str:
    """Return a new random edit key: 192 bits in 32 characters."""
    return secrets.token_urlsafe(24)


def new_token() -> str:
    """Return a new secret of a device or of a personal link: 256 bits in 43 characters."""
    return secrets.token_urlsafe(32)


def secret_in(cookies: Mapping[str, str]) -> str:
    """Return the device's secret in a request's cookies; empty if there is none.

    The signature is not checked: nothing is stored under a secret that the site never issued. To
    store something, use `devices.issued_token`.
    """
    secret = cookies.get(SEAT_COOKIE, "").partition(":")[0]
    return secret if SECRET.fullmatch(secret) else ""


def is_key(text: str) -> bool:
    """Return whether a text has the form of a key."""
    return KEY.fullmatch(text) is not None


def key_in_link(link: str, part: str) -> str:
    """Return the key in a pasted link to a part of the site; empty if there is none.

    >>> key_in_link(" https://example.org/workshop/AbCdEfGhIjKlMnOpQrStUvWxYz012345/ ", "workshop")
    'AbCdEfGhIjKlMnOpQrStUvWxYz012345'
    >>> key_in_link("https://example.org/workshop/new/", "workshop")
    ''
    """
    link = link.strip()
    if len(link) > MAX_LINK_LENGTH or len(link.split()) != 1:
        return ""
    pairs = pairwise(link.split("/"))
    return next((key for before, key in pairs if before == part and is_key(key)), "")


def digest(key: str) -> str:
    """Return the SHA-256 of a secret, which is stored in its place."""
    return sha256(key.encode()).hexdigest()


def share_key(key: str, salt: str) -> str:
    """Return the view key of an edit key, a hash.

    Args:
        salt: that of the thing, see `Keyed.share_salt`; another salt makes another key. Without a
            salt, there is no view key, and the result is empty.
    """
    return key_of(sha256(f"{salt} {key}".encode()).digest()) if salt else ""


def key_of(made: bytes) -> str:
    """Return the key that consists of the first 24 of some random bytes."""
    return urlsafe_b64encode(made[:24]).decode()


def key_once(part: str, once: str) -> str:
    """Return the key of what a part of the site creates for the idempotency key ``once``.

    Without ``once`` the key is new each time.
    """
    if not once:
        return new_key()
    return key_of(salted_hmac(f"{part} key", once, algorithm="sha256").digest())


# What they lead to --------------------------------------------------------------------------------


def find_by_key(things: QuerySet[Thing], key: str) -> Access[Thing]:
    """Return the thing of a key. Raises UnknownKey."""
    known = digest(key)
    for thing in things.filter(Q(key_digest=known) | Q(share_digest=known)):
        return Access(thing, key, thing.key_digest == known)
    raise UnknownKey


def find_all(things: QuerySet[Thing], keys: Iterable[str]) -> list[Access[Thing]]:
    """Return the things of several keys in their order, without those of unknown keys."""
    by_digest = {digest(key): key for key in keys}
    found = {}
    for thing in things.filter(Q(key_digest__in=by_digest) | Q(share_digest__in=by_digest)):
        share_digest: str | None = thing.share_digest  # type: ignore[attr-defined]
        for one, can_edit in ((share_digest, False), (thing.key_digest, True)):
            if one in by_digest:
                found[one] = Access(thing, by_digest[one], can_edit)
    return [found[one] for one in by_digest if one in found]


def only_with_key(things: QuerySet[Thing], key: str) -> Thing:
    """Return the thing of an edit key. Raises UnknownKey."""
    for thing in things.filter(key_digest=digest(key)):
        return thing
    raise UnknownKey


def lock(access: Access[Thing]) -> Thing:
    """Return the thing as it is now, with a row lock until the transaction ends.

    Deferred fields stay deferred.

    Raises:
        NotAllowed: the key is a view key.
        UnknownKey: the thing was deleted, or its key withdrawn.
    """
    access.refuse_unless_edits()
    thing = access.thing
    rows = type(thing)._default_manager.select_for_update().defer(*thing.get_deferred_fields())
    return only_with_key(rows.filter(pk=thing.pk), access.key)


@transaction.atomic
def set_shared(access: Access[Lent], is_shared: bool) -> Access[Lent]:
    """Make a new view link, or withdraw the existing one. Raises NotAllowed."""
    thing = lock(access)
    if is_shared:
        # A number that was never used: a withdrawn link stays withdrawn.
        thing.share_number = secrets.randbelow(2**31 - 1) + 1
        thing.share_digest = digest(share_key(access.key, thing.share_salt))
    else:
        thing.share_number, thing.share_digest = 0, None
    thing.save(update_fields=["share_number", "share_digest"])
    return Access(thing, access.key, True)


@transaction.atomic
def renew_key(access: Access[Lent]) -> str:
    """Withdraw the link that edits: from now on only the new key does. Raises NotAllowed."""
    thing = lock(access)
    key = new_key()
    thing.key_digest = digest(key)
    if thing.share_salt:
        thing.share_digest = digest(share_key(key, thing.share_salt))
    thing.save(update_fields=["key_digest", "share_digest"])
    return key


def note_visit(thing: Keyed, now: datetime | None = None) -> None:
    """Store that a thing is still in use, at most once a day."""
    now = now or timezone.now()
    if now - thing.touched > timedelta(days=1):
        type(thing)._default_manager.filter(pk=thing.pk).update(touched=now)


# The views behind them ----------------------------------------------------------------------------


def by_key(find: Callable[[HttpRequest, str], Found]) -> Callable[[ViewOf[Found]], View]:
    """Pass a view what the key in its address leads to, in place of the key: ``@by_key(find)``.

    An unknown key is answered with 404, and NotAllowed with 403. Headers keep the page out of
    caches and search engines, and its address out of referrers.
    """

    def decorate(view: ViewOf[Found]) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, key: str, **more: Any) -> HttpResponse:
            with refused_as_pages():
                response = view(request, find(request, key), **more)
            keep_private(response)
            return response

        return guarded

    return decorate


def only_editors(view: ViewOf[Access[Thing]]) -> ViewOf[Access[Thing]]:
    """Refuse view keys, whatever the request: 403."""

    @wraps(view)
    def guarded(request: HttpRequest, access: Access[Thing], **more: Any) -> HttpResponse:
        access.refuse_unless_edits()
        return view(request, access, **more)

    return guarded


@contextmanager
def refused_as_pages() -> Iterator[None]:
    """Answer UnknownKey with 404, and NotAllowed with 403."""
    try:
        yield
    except UnknownKey as unknown:
        raise Http404 from unknown
    except NotAllowed as refused:
        raise PermissionDenied from refused


def keep_private(response: HttpResponse) -> None:
    """Keep a page whose address is a key out of search engines, caches and referrers."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "private, no-store")
