"""A device's secret, and what the device has opened.

The secret is in a signed cookie: a client cannot invent one. Its digest finds the device's seats
and what it has opened. The keys of what it has opened are encrypted with the secret: a reader of
the database learns no link, and the device finds all of them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final, NamedTuple, TypeVar

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from sheets.access.encryption import CannotDecrypt, decrypt, encrypt
from sheets.access.keys import (
    DEVICE_COOKIE,
    Access,
    UnknownKey,
    ViewOf,
    digest,
    keep_private,
    new_key,
    new_token,
    secret_in,
)
from sheets.http.rate_limits import Limit, address_of
from sheets.models import HandOver, Job, Known, Seat
from sheets.models.keyed_resource import Shareable

YEAR_S: Final = 365 * 24 * 3600
"""Lifetime of the cookie with a device's secret, in seconds."""

MAX_ROWS: Final = 200
"""Maximum number of `Known` rows of each kind for a device; the oldest are deleted."""

MIN_UPDATE_INTERVAL: Final = timedelta(minutes=10)
"""Minimum time between two updates of a `Known` row."""

HAND_OVER_LIFETIME: Final = timedelta(hours=1)
"""Lifetime of a link for another device."""

NEW_ROWS: Final = Limit("first-notes", "120/minute;2000/hour")
"""Rate limit for new rows of `Known`: pages that devices at one address open for the first time."""

SALT: Final = "sheets.access.devices"
"""Namespace of the cookie's signature."""

SHARED: Final = "shared"
"""`Known.kind` of rows that count devices: a secret has one for each device after its first."""

AnyShareable = TypeVar("AnyShareable", bound=Shareable)


# The secret ---------------------------------------------------------------------------------------


def token_of(request: HttpRequest) -> str:
    """Return the device's secret for reading the rows stored under it; empty if it has none."""
    return secret_in(request.COOKIES)


def issued_token(request: HttpRequest) -> str:
    """Return the device's secret for storing rows under it; empty if the site issued none.

    A cookie without a valid signature, from an earlier version or from before SECRET_KEY changed,
    counts if something is stored under its secret.
    """
    token = token_of(request)
    signed = request.get_signed_cookie(DEVICE_COOKIE, default="", salt=SALT)
    return token if token and (token == signed or _has_rows(token)) else ""


def _has_rows(token: str) -> bool:
    device = digest(token)
    return (
        Known.objects.filter(device_digest=device).exists()
        or Seat.objects.filter(token_digest=device).exists()
    )


def token_for(request: HttpRequest) -> str:
    """Return the device's secret; if it has none, a new one to pass to `set_token_cookie`."""
    return issued_token(request) or new_token()


def set_token_cookie(response: HttpResponse, token: str) -> HttpResponse:
    """Set the cookie with a device's secret, for a year."""
    response.set_signed_cookie(
        DEVICE_COOKIE,
        token,
        salt=SALT,
        max_age=YEAR_S,
        secure=bool(settings.SITE_URL),
        httponly=True,
        samesite="Lax",
    )
    return response


def keep_private_if_known(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Forbid caches to store a page if it depends on the device: if the device has a secret."""
    if token_of(request):
        keep_private(response)
    return response


# What it has opened -------------------------------------------------------------------------------


class OpenedKey(NamedTuple):
    """Key that a device has opened: the kind of its resource, and the time of the last visit."""

    kind: str
    key: str
    opened: datetime


def noted(kind: str) -> Callable[[ViewOf[Access[AnyShareable]]], ViewOf[Access[AnyShareable]]]:
    """Decorate a view: store that the device opened the key in the address.

    Use it below `by_key`, with the kind of the resource: ``@noted("score")``.
    """

    def decorate(view: ViewOf[Access[AnyShareable]]) -> ViewOf[Access[AnyShareable]]:
        @wraps(view)
        def wrapper(
            request: HttpRequest, access: Access[AnyShareable], **more: Any
        ) -> HttpResponse:
            response = view(request, access, **more)
            if request.method == "GET" and response.status_code == 200:
                note_opened(request, response, kind, access.key)
            return response

        return wrapper

    return decorate


def note_opened(request: HttpRequest, response: HttpResponse, kind: str, key: str) -> None:
    """Store that the device has opened a key, and renew its cookie for a year.

    A device without a secret gets one. Beyond the rate limit nothing new is stored.
    """
    token = token_for(request)
    if note(token, kind, key, address_of(request)):
        set_token_cookie(response, token)


def note(token: str, kind: str, key: str, address: str, *, at_once: bool = False) -> bool:
    """Store that a device has a key; return whether anything was stored.

    A key opened within `MIN_UPDATE_INTERVAL` keeps its position in the list, unless ``at_once``
    moves it to the front. New rows count against the rate limit of the ``address``.
    """
    now, device, known = timezone.now(), digest(token), digest(key)
    row = Known.objects.filter(device_digest=device, digest=known).first()
    if row:
        if not at_once and now - row.opened < MIN_UPDATE_INTERVAL:
            return False
        # Rows of releases up to 1.1 become Fernet tokens here; a migration has no secrets.
        Known.objects.filter(pk=row.pk).update(opened=now, sealed=encrypt(token, key))
        return True
    if not NEW_ROWS.hit(address):
        return False
    try:
        with transaction.atomic():
            Known.objects.create(
                device_digest=device,
                kind=kind,
                digest=known,
                sealed=encrypt(token, key),
                opened=now,
            )
    except IntegrityError:  # the same device, in another tab
        return False
    _forget_oldest(token, kind)
    return True


def _forget_oldest(token: str, kind: str) -> None:
    """Delete the oldest rows of a kind beyond `MAX_ROWS`."""
    rows = Known.objects.filter(device_digest=digest(token), kind=kind)
    old = rows.order_by("-opened")[MAX_ROWS:]
    Known.objects.filter(pk__in=[row.pk for row in old]).delete()


def opened_by(token: str, *kinds: str) -> list[OpenedKey]:
    """Return the keys of some kinds that a device has opened, the latest first."""
    if not token:
        return []
    rows = Known.objects.filter(device_digest=digest(token), kind__in=kinds)
    return list(_opened(token, rows.order_by("-opened", "-pk")))


def hidden_tables(token: str) -> set[str]:
    """Return the digests of the codes of the tables that a device hides."""
    rows = Known.objects.filter(device_digest=digest(token), kind="table")
    return set(rows.values_list("digest", flat=True))


def hide(token: str, kind: str, key: str) -> None:
    """Remove a resource from a device's list, until it is opened again.

    A table is on the list while the device has a seat there, so a row marks it as hidden.
    """
    if kind != "table":
        forget(token, [key])
    elif Seat.objects.filter(token_digest=digest(token), table__code=key).exists():
        Known.objects.update_or_create(
            device_digest=digest(token),
            digest=digest(key),
            defaults={"kind": kind, "opened": timezone.now()},
        )


def forget(token: str, keys: Sequence[str]) -> None:
    """Delete the rows of some keys of a device."""
    digests = [digest(key) for key in keys]
    Known.objects.filter(device_digest=digest(token), digest__in=digests).delete()


@transaction.atomic
def forget_all(token: str) -> bool:
    """Delete the rows of a device, its links for other devices, and its digest on jobs.

    Returns:
        Whether no other device shares its secret. If one does, the rows and the seats stay.
    """
    rows = Known.objects.filter(device_digest=digest(token))
    HandOver.objects.filter(device_digest=digest(token)).delete()
    Job.objects.filter(device_digest=digest(token)).update(device_digest="")
    if _leave_to_others(rows):
        return False
    rows.delete()
    return True


def _leave_to_others(rows: QuerySet[Known]) -> bool:
    """Subtract a device from those that share a secret; return whether another still has it.

    A row lock orders devices that leave at the same time, so that only the last of them gets False.
    """
    further = rows.filter(kind=SHARED).select_for_update().order_by("pk").first()
    if further:
        further.delete()
    return further is not None


def prune(before: datetime) -> None:
    """Delete expired links for other devices, and rows of keys last opened before a time.

    Old rows of kind `SHARED` stay as long as anything else is stored under their secret.
    """
    _delete_expired_links()
    old = Known.objects.filter(opened__lt=before)
    old.exclude(kind=SHARED).delete()
    opened = Known.objects.exclude(kind=SHARED).values("device_digest")
    seated = Seat.objects.values("token_digest")
    old.exclude(Q(device_digest__in=opened) | Q(device_digest__in=seated)).delete()


def _opened(token: str, rows: QuerySet[Known]) -> Iterator[OpenedKey]:
    """Decrypt the keys of some rows; a row that the secret does not decrypt is left out."""
    for row in rows.exclude(sealed=""):
        with suppress(CannotDecrypt):
            key = decrypt(token, row.sealed, row.digest)
            if digest(key) == row.digest:
                yield OpenedKey(row.kind, key, row.opened)


# Another device -----------------------------------------------------------------------------------


def new_hand_over(token: str) -> str:
    """Return the key of a new link, with which one other device receives this secret."""
    key = new_key()
    _delete_expired_links()
    HandOver.objects.create(
        key_digest=digest(key),
        device_digest=digest(token),
        sealed=encrypt(key, token),
        made=timezone.now(),
    )
    return key


def _delete_expired_links() -> None:
    HandOver.objects.filter(made__lt=timezone.now() - HAND_OVER_LIFETIME).delete()


def is_valid_link(key: str) -> bool:
    """Return whether the link of a key still works."""
    return _valid_links(key).exists()


@transaction.atomic
def take_over(key: str, own: str) -> str:
    """Use up a link, and return the secret that the device has from now on.

    The rows and seats of the device's ``own`` secret, empty for none, move to the new one; for a
    key with a row under both, the later time counts. If another device shares the ``own`` secret,
    the rows are copied instead, and the seats stay with that secret.

    Raises:
        UnknownKey: the link is used up or too old, or there is none with this key.
    """
    row = _valid_links(key).select_for_update().first()
    if row is None:
        raise UnknownKey
    row.delete()
    try:
        token = decrypt(key, row.sealed, "device")
    except CannotDecrypt as error:
        raise UnknownKey from error
    if own == token:  # its own link
        return token
    Known.objects.create(
        device_digest=digest(token), kind=SHARED, digest=digest(key), opened=timezone.now()
    )
    if own:
        _merge_secrets(own, token)
    return token


def _merge_secrets(own: str, token: str) -> None:
    """Move the rows and seats of the ``own`` secret to another one, as `take_over` describes."""
    rows = Known.objects.filter(device_digest=digest(own))
    kinds = set[str]()
    for has in _opened(own, rows):
        kinds.add(has.kind)
        row, is_new = Known.objects.get_or_create(
            device_digest=digest(token),
            digest=digest(has.key),
            defaults={
                "kind": has.kind,
                "sealed": encrypt(token, has.key),
                "opened": has.opened,
            },
        )
        if not is_new and row.opened < has.opened:
            Known.objects.filter(pk=row.pk).update(opened=has.opened)
    for kind in kinds:
        _forget_oldest(token, kind)
    if _leave_to_others(rows):
        return
    of_both = Known.objects.filter(device_digest=digest(token)).values("digest")
    rows.filter(kind="table").exclude(digest__in=of_both).update(device_digest=digest(token))
    rows.delete()
    HandOver.objects.filter(device_digest=digest(own)).delete()
    Seat.objects.filter(token_digest=digest(own)).update(token_digest=digest(token))
    Seat.objects.filter(claim_digest=digest(own)).update(claim_digest=digest(token))


def _valid_links(key: str) -> QuerySet[HandOver]:
    good = HandOver.objects.filter(made__gte=timezone.now() - HAND_OVER_LIFETIME)
    return good.filter(key_digest=digest(key))
