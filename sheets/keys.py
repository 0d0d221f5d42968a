"""How are the secrets of links and seats kept?"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

SEAT_COOKIE: Final = "dizzle_seat"
"""The cookie with a device's secret, by which its seats are known."""


def digest(key: str) -> str:
    """What is stored of a secret: enough to know it again, not enough to find it out."""
    return sha256(key.encode()).hexdigest()
