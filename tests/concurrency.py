"""Concurrent calls of functions, each in a thread with its own database connection."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connection

TIMEOUT_S = 60
"""Maximum time to wait for the start, and for the end of each function, in seconds."""


def run_at_once(*acts: Callable[[], object]) -> list[Exception]:
    """Call all functions at the same moment, wait for them, and return the exceptions raised."""
    barrier = threading.Barrier(len(acts))
    problems: list[Exception] = []

    def run(act: Callable[[], object]) -> None:
        try:
            barrier.wait(TIMEOUT_S)
            act()
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    return problems
