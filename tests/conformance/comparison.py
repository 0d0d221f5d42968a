"""Comparison of whole result documents, ignoring free texts."""

from __future__ import annotations

from typing import Any


def differences(expected: dict[str, Any], actual: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the keys that differ, each with its expected and its actual value.

    `error.message` is free text and ignored. If an action breaks several rules, `error.rule` may be
    any of the expected `error.also`. All other keys count, missing and additional ones included.
    """
    keys = (expected.keys() | actual.keys()) - {"error"}
    found = {
        key: (expected.get(key), actual.get(key))
        for key in keys
        if key not in expected or key not in actual or not _same(expected[key], actual[key])
    }
    if not _same_error(expected.get("error"), actual.get("error")):
        found["error"] = (expected.get("error"), actual.get("error"))
    return found


def _same(expected: Any, actual: Any) -> bool:
    """Return whether values are equal and of the same JSON types; 1, True and 1.0 differ."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(
            _same(value, actual[key]) for key, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(_same, expected, actual))
    return type(expected) is type(actual) and bool(expected == actual)


def _same_error(expected: dict[str, Any] | None, actual: dict[str, Any] | None) -> bool:
    if expected is None or actual is None:
        return expected is actual
    rest_of_expected = {k: v for k, v in expected.items() if k not in ("rule", "also", "message")}
    rest_of_actual = {k: v for k, v in actual.items() if k not in ("rule", "also", "message")}
    rules = expected.get("also") or [expected["rule"]]
    return _same(rest_of_expected, rest_of_actual) and actual["rule"] in rules
