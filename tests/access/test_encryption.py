"""Encryption of the links of devices, and the format of releases up to 1.1."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sheets.access import devices, encryption
from sheets.access.encryption import CannotDecrypt, decrypt, encrypt
from sheets.access.keys import DEVICE_COOKIE, UnknownKey, digest
from sheets.levels import find_level
from sheets.models import HandOver, Known, Scoring
from sheets.scoring import store
from tests.library.test_lists import listed

SECRET = "A" * 43
KEY = "k" * 32
OF_RELEASE_1_1 = "5d2e2d2237439dff6b963750cfff54062125a1d93dc9ddcdc4aa1ee8d02f8f00"
"""KEY as stored by release 1.1 for SECRET."""

LINK = "h" * 32
LINK_OF_RELEASE_1_1 = (
    "66bae4f5c7d9c31655c3c755d19b0fafe945df078145446919e480b5b11d16fe85abb5d182c1b01d8d99d3"
)
"""SECRET as stored by release 1.1 for a link with the key LINK."""


@pytest.mark.parametrize("text", [KEY, "", "ä" * 500], ids=["key", "empty", "long"])
def test_decryption_returns_the_text(text: str) -> None:
    assert decrypt(SECRET, encrypt(SECRET, text), "") == text


def test_another_secret_or_a_changed_text_is_refused() -> None:
    stored = encrypt(SECRET, KEY)
    changed = stored[:60] + ("A" if stored[60] != "A" else "B") + stored[61:]
    for secret, text in (("B" * 43, stored), (SECRET, changed), (SECRET, stored[:-4])):
        with pytest.raises(CannotDecrypt):
            decrypt(secret, text, "")


def test_texts_of_release_1_1_are_decrypted() -> None:
    assert decrypt(SECRET, OF_RELEASE_1_1, digest(KEY)) == KEY
    assert decrypt(LINK, LINK_OF_RELEASE_1_1, "device") == SECRET
    with pytest.raises(CannotDecrypt):
        decrypt(SECRET, "no digits", digest(KEY))


@pytest.mark.django_db
@pytest.mark.postgresql
def test_rows_of_release_1_1_are_listed_and_encrypted_again_when_opened() -> None:
    store.create(find_level("level-1"), ("Ana", "Ben"))
    Scoring.objects.update(key_digest=digest(KEY))
    row = Known.objects.create(
        device_digest=digest(SECRET),
        kind="score",
        digest=digest(KEY),
        sealed=OF_RELEASE_1_1,
        opened=timezone.now() - timedelta(days=1),
    )
    phone = Client()
    phone.cookies[DEVICE_COOKIE] = SECRET
    assert listed(phone) == [f"/score/{KEY}/"]
    phone.get(f"/score/{KEY}/")
    row.refresh_from_db()
    assert row.sealed.startswith(encryption.FERNET_START)
    assert decrypt(SECRET, row.sealed, "") == KEY
    assert listed(phone) == [f"/score/{KEY}/"]


@pytest.mark.django_db
def test_a_link_for_another_device_of_release_1_1_works() -> None:
    row = {"device_digest": digest(SECRET), "made": timezone.now()}
    HandOver.objects.create(key_digest=digest(LINK), sealed=LINK_OF_RELEASE_1_1, **row)
    assert devices.take_over(LINK, "") == SECRET


@pytest.mark.django_db
def test_damaged_rows_are_left_out() -> None:
    token = encrypt(SECRET, KEY)
    for number, stored in enumerate((token[:-4], encrypt("B" * 43, KEY), encrypt(SECRET, "x"), "")):
        Known.objects.create(
            device_digest=digest(SECRET),
            kind="score",
            digest=digest(str(number)),
            sealed=stored,
            opened=timezone.now(),
        )
    assert devices.opened_by(SECRET, "score") == []
    key = devices.new_hand_over(SECRET)
    HandOver.objects.update(sealed=token)
    with pytest.raises(UnknownKey):
        devices.take_over(key, "")
