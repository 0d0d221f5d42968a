"""Encryption of the links that a device has opened, with a secret that only the device has.

The key is derived from that secret alone, not from SECRET_KEY: neither the database nor a backup,
which contains SECRET_KEY, reveals a link, and lists outlive a change of SECRET_KEY.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from typing import Final

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PURPOSE: Final = b"sheets.access.encryption"
"""Context of the derived keys (``info`` of HKDF)."""

FERNET_START: Final = "gAAAA"
"""First characters of every Fernet token: its version and the high bytes of its time."""


class CannotDecrypt(ValueError):
    """The text was encrypted with another secret, or is damaged."""


def encrypt(secret: str, text: str) -> str:
    """Return a text as a Fernet token."""
    return _cipher(secret).encrypt(text.encode()).decode()


def decrypt(secret: str, stored: str, name: str) -> str:
    """Return the text of a Fernet token, or of what releases up to 1.1 stored under a ``name``.

    Raises:
        CannotDecrypt: the secret is another one, or the stored text is damaged.
    """
    if not stored.startswith(FERNET_START):
        return _decrypt_of_release_1_1(secret, stored, name)
    try:
        return _cipher(secret).decrypt(stored).decode()
    except InvalidToken as error:
        raise CannotDecrypt from error


def _cipher(secret: str) -> Fernet:
    key = HKDF(SHA256(), length=32, salt=None, info=PURPOSE).derive(secret.encode())
    return Fernet(urlsafe_b64encode(key))


def _decrypt_of_release_1_1(secret: str, stored: str, name: str) -> str:
    """Return a text that releases up to 1.1 stored: XOR with an HMAC stream, in hexadecimal digits.

    Nothing authenticates the text, so the caller has to compare its digest.
    """
    stream = b"".join(
        hmac.digest(secret.encode(), f"{part} {name}".encode(), "sha256") for part in "ab"
    )
    try:
        return bytes(a ^ b for a, b in zip(bytes.fromhex(stored), stream, strict=False)).decode()
    except ValueError as error:
        raise CannotDecrypt from error
