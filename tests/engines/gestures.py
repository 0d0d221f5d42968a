"""WebDriver actions for a tap and for typing, the same in the classic protocol and BiDi."""

from __future__ import annotations

from typing import Any

from tests.browser.touch import TOUCH_MS


def tapping(x: int, y: int, pointer: str) -> list[dict[str, Any]]:
    """Return the actions of a tap on a point, by a finger (`touch`) or a `mouse`."""
    steps = [
        {"type": "pointerMove", "x": x, "y": y},
        {"type": "pointerDown", "button": 0},
        {"type": "pause", "duration": TOUCH_MS},
        {"type": "pointerUp", "button": 0},
    ]
    source = {"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}}
    return [source | {"actions": steps}]


def typing(text: str) -> list[dict[str, Any]]:
    """Return the actions that press and release each key."""
    steps = [{"type": way, "value": key} for key in text for way in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keys", "actions": steps}]
