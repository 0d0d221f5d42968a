"""Random mutations of documents: values, keys and bytes.

The `random.Random` that is passed in determines the mutations.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

ODDITIES: list[Any] = [
    None, True, False, 0, -1, 1, 5, 7, 26, 99, 100, -99, -100, 10**30, 0.25, 1e300, 5.5,
    float("nan"), float("inf"), "", " ", "a1", "z26", "a0", "a00", "a27", "A1", "aa", "red", "-V",
    "0", "1", "٣", "x" * 501, "\x00", "\x1b[2J", "\n", "\u2028", "\ud800", "\U0001f600", "NS", "NN",
    "tracks", "crosses", "dizzle-level/1", "dizzle-game/1", "level-1", "../../etc/passwd", "{0}",
    "%s", "%(player)s", "<b>", [], [[]], {}, {"": None}, ["a1"], ["a1", "a1"], [0] * 50,
    {"de": ""}, {"de": "A", "en": "B"}, {"red": 1}, {"1": 1},
]  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or dict inside a value, with each of its indexes or keys."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def mutate(random: Random, document: Any, times: int) -> Any:
    """Return a copy of the document with this number of changes."""
    document = copy.deepcopy(document)
    for _ in range(times):
        found = list(places(document))
        if not found:
            break
        inside, key = random.choice(found)
        _change(random, found, inside, key)
    return document


def _change(random: Random, found: list[tuple[Any, Any]], inside: Any, key: Any) -> None:
    kind = random.choice(["odd", "other", "other", "near", "near", "drop", "twice", "key"])
    if kind == "odd":
        inside[key] = copy.deepcopy(random.choice(ODDITIES))
    elif kind == "other":
        elsewhere, its_key = random.choice(found)
        inside[key] = copy.deepcopy(elsewhere[its_key])
    elif kind == "near":
        inside[key] = _nearby(random, inside[key])
    elif kind == "drop":
        del inside[key]
    elif kind == "twice" and isinstance(inside, list):
        inside.insert(key, copy.deepcopy(inside[key]))
    elif isinstance(inside, dict):
        inside[random.choice(["x", "a1", "red", "1", "0", "de", "\ud800"])] = inside.pop(key)


def _nearby(random: Random, value: Any) -> Any:
    """Return a slightly different value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice([-1, 1, 10])
    if isinstance(value, str) and value:
        at = random.randrange(len(value))
        return value[:at] + random.choice("abcx123456. -VFGJBRPr") + value[at + 1 :]
    if isinstance(value, list):
        return random.sample(value, len(value))
    return value


def mutate_bytes(random: Random, text: bytes) -> bytes:
    """Return the bytes, cut off or with some of them replaced."""
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice([0, 1, 2, 30]))
    put = random.choice(
        [
            b"", b"{", b"[" * 50, b"]", b'"', b"\\", b"\\u", b"\\ud800", b",", b":", b"0", b"e9",
            b"NaN", b"Infinity", b"null", b"\x00", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\n",
            b"\r\n", b"\xef\xbb\xbf", text[start:end] * 2, bytes([random.randrange(256)]),
        ]
    )  # fmt: skip
    return random.choice([text[:start], text[:start] + put + text[end:]])


def encode(document: Any) -> bytes:
    """Return JSON as careless programs write it, with NaN and lone surrogates."""
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")
