"""What has every drawing process loaded from the start? All that drawing needs.

The fork server imports this once, and the processes that it forks share the memory of it. It ends
when the server and all of them have, and takes away the socket they met at: nobody else does when
the server was killed.
"""

import atexit
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path

import django

django.setup()

import sheets.http.works  # noqa: E402, F401


def _leave_no_trace() -> None:
    known = forkserver._forkserver
    address = getattr(known, "_forkserver_address", None)
    # Whoever has imported this without being the fork server may have one, and ends it itself.
    if address and getattr(known, "_forkserver_pid", None) is None:
        with suppress(OSError):
            Path(address).unlink(missing_ok=True)
            Path(address).parent.rmdir()


atexit.register(_leave_no_trace)
