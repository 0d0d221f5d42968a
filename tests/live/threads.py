"""Threads of this process that work for streams."""

from __future__ import annotations

import threading


def join_stream_threads(seconds: float) -> None:
    """Wait until they have ended, which they do when there are no streams any more."""
    for thread in stream_threads():
        thread.join(seconds)


def stream_threads() -> list[threading.Thread]:
    """The threads of the bus and of rendering."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("live-")]
