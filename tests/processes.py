"""Free ports and the process tree of this machine, for tests that start programs."""

from __future__ import annotations

import socket
from pathlib import Path

TIMEOUT_S = 300
"""Maximum time in seconds that tests wait for another process, on a busy machine."""


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def children(process: int) -> list[int]:
    """Return the child processes of a process (Linux only).

    Reads the parent of every process, because Linux's own list of children may be incomplete while
    a thread ends.
    """
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            _state, parent, *_others = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has just ended
        if int(parent) == process:
            found.append(int(file.parent.name))
    return found


def is_running(process: int) -> bool:
    """Return whether a process runs; a zombie does not (Linux only)."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
