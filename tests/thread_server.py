"""Server in a thread of the test process, with the test's database and patches."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from dizzle_site.body_limit import App


@contextmanager
def serve_in_thread(application: App) -> Iterator[int]:
    """Serve an ASGI application on a free port of this machine; yield the port."""
    import uvicorn

    from dizzle_site.serving import listen

    with listen("127.0.0.1", 0) as listener:
        config = uvicorn.Config(
            application, lifespan="off", log_level="warning", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join(5)
