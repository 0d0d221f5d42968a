"""Several who act in the same moment, each in a thread with a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connection

LONGEST_S = 60


def run_at_once(*acts: Callable[[], object]) -> list[Exception]:
    """Begin all acts together and wait for their ends; gives what they raised."""
    line = threading.Barrier(len(acts))
    problems: list[Exception] = []

    def run(act: Callable[[], object]) -> None:
        try:
            line.wait(LONGEST_S)
            act()
        except Exception as problem:
            problems.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST_S)
    return problems
