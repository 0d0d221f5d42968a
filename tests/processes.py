"""What do tests that start programs need to know of the system?"""

from __future__ import annotations

import socket
from pathlib import Path


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def children(process: int) -> list[int]:
    """The processes that a process has started. Only Linux tells.

    Asked of each of them: the list the system keeps forgets some while a thread ends.
    """
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            _state, parent, *_others = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(parent) == process:
            found.append(int(file.parent.name))
    return found


def is_running(process: int) -> bool:
    """Whether it has not ended; one that only waits for its parent to notice has. Linux as well."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
