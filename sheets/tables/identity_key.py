"""Cache key that compares by identity."""

from __future__ import annotations

from typing import Generic, TypeVar

Value = TypeVar("Value")


class IdentityKey(Generic[Value]):
    """Cache key for a value, equal only to a key for the same object.

    Large values, such as the marks of a sheet, need not be compared or hashed.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and self.value is other.value
