"""A Redis of a test's own, which may be stopped, frozen and killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.processes import free_port

PATIENCE_S = 300


class OwnRedis:
    """A `redis-server` on a free port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.folder = folder
        self.process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        from redis import Redis, RedisError

        options = ("--port", str(self.port), "--save", "", "--dir", str(self.folder))
        self.process = subprocess.Popen(
            ["redis-server", *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + PATIENCE_S
        with Redis.from_url(self.url) as client:
            while time.monotonic() < deadline:
                with suppress(RedisError):
                    client.ping()
                    return
                time.sleep(0.02)
        raise AssertionError("redis-server does not start")

    def freeze(self) -> None:
        """It keeps its connections and says nothing more."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.process.pid, signal.SIGCONT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def own_redis(folder: Path) -> Iterator[OwnRedis]:
    """Start one, and end it at the end."""
    if not shutil.which("redis-server"):
        pytest.skip("there is no redis-server to start")
    redis = OwnRedis(folder)
    try:
        yield redis
    finally:
        redis.kill()
