"""Threads of this process for streams."""

from __future__ import annotations

import threading


def join_stream_threads(seconds: float) -> None:
    """Wait for the end of the threads, which comes after the last stream."""
    for thread in stream_threads():
        thread.join(seconds)


def stream_threads() -> list[threading.Thread]:
    """Return the threads of the bus and of rendering."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("live-")]
