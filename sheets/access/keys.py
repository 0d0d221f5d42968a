"""Resources behind secret keys: keys and digests, creation, lookup, and decorators for views.

All holders of the edit key may change a resource. Its view key, a hash of the edit key, only shows
it. Both have 192 bits, so they cannot be guessed. `sheets.access.codes` has the short codes of
tables.
"""

from __future__ import annotations

import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import wraps
from hashlib import sha256
from itertools import pairwise
from typing import Any, Concatenate, Final, Generic, NamedTuple, TypeVar

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sheets.http.converters import KeyConverter
from sheets.http.view_type import View
from sheets.models.keyed_resource import Keyed, Shareable, Withdrawable

DEVICE_COOKIE: Final = "dizzle_seat"
"""Cookie with a device's secret, signed by the site."""

SECRET: Final = re.compile("[A-Za-z0-9_-]{43}")
"""Form of a device's secret, see `new_token`."""

_REQUEST_ID: Final = re.compile("[A-Za-z0-9_-]{8,64}")
"""Form of the id of a request, or of a CSRF token in its place."""

MAX_LINK_LENGTH: Final = 500
"""Maximum length of a pasted link, in characters; a longer text is something else."""

KEY: Final = re.compile(KeyConverter.regex)
"""Form of a key."""

AnyKeyed = TypeVar("AnyKeyed", bound=Keyed)
AnyShareable = TypeVar("AnyShareable", bound=Shareable)
AnyWithdrawable = TypeVar("AnyWithdrawable", bound=Withdrawable)
Found = TypeVar("Found")

ViewOf = Callable[Concatenate[HttpRequest, Found, ...], HttpResponse]
"""View whose second argument is what a key leads to, such as an `Access`."""


class UnknownKey(LookupError):
    """No resource has this key, or not any more."""


class NotAllowed(Exception):
    """The key is a view key, which permits no changes."""


class Access(NamedTuple, Generic[AnyShareable]):
    """A resource, the key it was found by, and whether that key permits changes."""

    resource: AnyShareable
    key: str
    can_edit: bool

    @property
    def share_key(self) -> str:
        """The view key; empty if there is none."""
        return share_key(self.key, self.resource.share_salt) if self.can_edit else self.key

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
    secret = cookies.get(DEVICE_COOKIE, "").partition(":")[0]
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
        salt: salt of the resource, see `Shareable.share_salt`; another salt makes another key.
            If it is empty, there is no view key, and the result is empty.
    """
    return _format_key(sha256(f"{salt} {key}".encode()).digest()) if salt else ""


def derive_key(namespace: str, text: str) -> str:
    """Return the key derived from a text and the secret of this site: the same for equal texts."""
    return _format_key(salted_hmac(namespace, text, algorithm="sha256").digest())


def idempotency_key_of(request_id: str, content: bytes) -> str:
    """Return the idempotency key of a form: the same for the same id and content.

    Args:
        request_id: a random id or CSRF token of the page that sends the form; for any other text,
            the result is empty.
        content: what the form sends.
    """
    if not _REQUEST_ID.fullmatch(request_id):
        return ""
    # The name stays: phones send games that they scored offline again after an update of the site.
    salt = f"sheets.scoring.forms {request_id}"
    return str(salted_hmac(salt, content, algorithm="sha256").hexdigest())


def key_of_request(part: str, idempotency_key: str) -> str:
    """Return the edit key for a new resource: the same for the same idempotency key.

    Args:
        part: namespace of the idempotency key: the calling module.
        idempotency_key: if empty, the result is a random key.
    """
    return derive_key(f"{part} key", idempotency_key) if idempotency_key else new_key()


def _format_key(made: bytes) -> str:
    return urlsafe_b64encode(made[:24]).decode()


# Resources ----------------------------------------------------------------------------------------


def create_resource(resource: Shareable, key: str = "") -> str:
    """Store a new resource, and return its edit key.

    Args:
        key: an unused key that cannot be guessed; a new one by default.
    """
    key = key or new_key()
    _set_key(resource, key)
    resource.save(force_insert=True)
    return key


def create_once(
    part: str,
    idempotency_key: str,
    find: Callable[[str], Access[AnyShareable]],
    create: Callable[[str], object],
) -> str:
    """Create a resource unless one was created under the same idempotency key; return its key.

    Args:
        part: namespace of the idempotency key: the calling module.
        idempotency_key: empty if the request has none; then a resource is always created.
        find: returns the resource of a key.
        create: creates a resource with the key that it is passed, in a transaction.
    """
    key = key_of_request(part, idempotency_key)
    if idempotency_key:
        with suppress(UnknownKey):
            return find(key).key
    try:
        create(key)
    except IntegrityError:  # a concurrent request has created it
        find(key)
    return key


def find_by_key(resources: QuerySet[AnyShareable], key: str) -> Access[AnyShareable]:
    """Return the resource of a key. Raises UnknownKey."""
    known = digest(key)
    for resource in resources.filter(Q(key_digest=known) | Q(share_digest=known)):
        return Access(resource, key, resource.key_digest == known)
    raise UnknownKey


def find_all(resources: QuerySet[AnyShareable], keys: Iterable[str]) -> list[Access[AnyShareable]]:
    """Return the resources of several keys in their order, without those of unknown keys."""
    by_digest = {digest(key): key for key in keys}
    found = {}
    for resource in resources.filter(Q(key_digest__in=by_digest) | Q(share_digest__in=by_digest)):
        for one, can_edit in ((resource.share_digest, False), (resource.key_digest, True)):
            if one in by_digest:
                found[one] = Access(resource, by_digest[one], can_edit)
    return [found[one] for one in by_digest if one in found]


def find_distinct(
    resources: QuerySet[AnyShareable], keys: Iterable[str]
) -> list[Access[AnyShareable]]:
    """Return what `find_all` finds, but each resource once: the edit key replaces the view key."""
    found = find_all(resources, keys)
    edited = {access.resource.pk for access in found if access.can_edit}
    return [access for access in found if access.can_edit or access.resource.pk not in edited]


def find_by_edit_key(resources: QuerySet[AnyKeyed], key: str) -> AnyKeyed:
    """Return the resource of an edit key. Raises UnknownKey."""
    for resource in resources.filter(key_digest=digest(key)):
        return resource
    raise UnknownKey


def lock(access: Access[AnyShareable]) -> AnyShareable:
    """Return the resource as it is now, with a row lock until the transaction ends.

    Deferred fields stay deferred.

    Raises:
        NotAllowed: the key is a view key.
        UnknownKey: the resource was deleted, or its key withdrawn.
    """
    access.refuse_unless_edits()
    resource = access.resource
    rows = (
        type(resource)._default_manager.select_for_update().defer(*resource.get_deferred_fields())
    )
    return find_by_edit_key(rows.filter(pk=resource.pk), access.key)


@transaction.atomic
def delete_resource(access: Access[AnyShareable]) -> None:
    """Delete a resource. Raises NotAllowed, UnknownKey."""
    lock(access).delete()


@transaction.atomic
def set_shared(access: Access[AnyWithdrawable], is_shared: bool) -> Access[AnyWithdrawable]:
    """Create a new view link, or withdraw the existing one. Raises NotAllowed, UnknownKey."""
    resource = lock(access)
    # A number that was never used: a withdrawn link stays withdrawn.
    resource.share_number = secrets.randbelow(2**31 - 1) + 1 if is_shared else 0
    _set_key(resource, access.key)
    resource.save(update_fields=["share_number", "share_digest"])
    return Access(resource, access.key, True)


@transaction.atomic
def renew_key(access: Access[AnyWithdrawable]) -> str:
    """Replace the edit key and its view key; return the edit key. Raises NotAllowed, UnknownKey."""
    resource = lock(access)
    key = new_key()
    _set_key(resource, key)
    resource.save(update_fields=["key_digest", "share_digest"])
    return key


def _set_key(resource: Shareable, key: str) -> None:
    view_key = share_key(key, resource.share_salt)
    resource.key_digest, resource.share_digest = digest(key), digest(view_key) if view_key else None


def note_visit(resource: Keyed) -> None:
    """Store that a resource is still in use, at most once a day."""
    now = timezone.now()
    if now - resource.touched > timedelta(days=1):
        type(resource)._default_manager.filter(pk=resource.pk).update(touched=now)


# Views --------------------------------------------------------------------------------------------


def by_key(find: Callable[[HttpRequest, str], Found]) -> Callable[[ViewOf[Found]], View]:
    """Decorate a view: pass it ``find(request, key)`` in place of the key in its address.

    An unknown key is answered with 404, and NotAllowed with 403. Headers keep the page out of
    caches and search engines, and its address out of referrers.
    """

    def decorate(view: ViewOf[Found]) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, key: str, **more: Any) -> HttpResponse:
            with as_http_errors():
                response = view(request, find(request, key), **more)
            keep_private(response)
            return response

        return wrapper

    return decorate


def only_editors(view: ViewOf[Access[AnyShareable]]) -> ViewOf[Access[AnyShareable]]:
    """Decorate a view: refuse view keys with 403, also for GET."""

    @wraps(view)
    def wrapper(request: HttpRequest, access: Access[AnyShareable], **more: Any) -> HttpResponse:
        access.refuse_unless_edits()
        return view(request, access, **more)

    return wrapper


def unless_current(view: ViewOf[Access[AnyShareable]]) -> ViewOf[Access[AnyShareable]]:
    """Decorate a view: answer 204 if ``?revision=`` is still that of the resource."""

    @wraps(view)
    def wrapper(request: HttpRequest, access: Access[AnyShareable], **more: Any) -> HttpResponse:
        resource: Any = access.resource
        if request.GET.get("revision") == str(resource.revision):
            return HttpResponse(status=204)
        return view(request, access, **more)

    return wrapper


@contextmanager
def as_http_errors() -> Iterator[None]:
    """Turn UnknownKey into status 404, and NotAllowed into status 403."""
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
