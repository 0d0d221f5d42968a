"""How does WebDriver spell a tap and typing?  The old protocol and BiDi say it alike."""

from __future__ import annotations

from typing import Any

from .driver import LIES_MS


def tapping(x: int, y: int, pointer: str) -> list[dict[str, Any]]:
    """A tap on a point, by a finger (`touch`) or a `mouse`."""
    steps = [
        {"type": "pointerMove", "x": x, "y": y},
        {"type": "pointerDown", "button": 0},
        {"type": "pause", "duration": LIES_MS},
        {"type": "pointerUp", "button": 0},
    ]
    source = {"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}}
    return [source | {"actions": steps}]


def typing(text: str) -> list[dict[str, Any]]:
    """Each key down and up."""
    steps = [{"type": way, "value": key} for key in text for way in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keys", "actions": steps}]
