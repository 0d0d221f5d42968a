"""Reversible faults of folders, files and connections, as context managers."""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import shutil
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.soak.processes import Program
from tests.soak.services import NotHere

DISK_MB = 48


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a disk of 48 MB on a folder. Raises NotHere."""
    folder.mkdir(parents=True, exist_ok=True)
    options = f"size={DISK_MB}m,mode=0700"
    _mount("-t", "tmpfs", "-o", options, "tmpfs", str(folder))
    try:
        yield
    finally:
        _unmount(folder)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """Fill a small disk to the last byte."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 65536)
    with filler.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0")
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def short_files(program: Program) -> Iterator[None]:
    """Limit the files of a running process to 4 KB, like a full disk, without mounting one."""
    if not hasattr(resource, "prlimit"):
        raise NotHere("neither a small disk nor prlimit is to be had")
    before = resource.prlimit(program.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.prlimit(program.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make a folder read-only: by a mount if running as root, else by its modes."""
    if os.geteuid() != 0:
        with _unwritable(folder):
            yield
        return
    # A bind mount of the folder becomes read-only first and then covers it. So no process can open
    # a file for writing in between, which would make the mount fail.
    sight = folder.with_name(folder.name + "-read-only")
    sight.mkdir(exist_ok=True)
    with ExitStack() as stack:
        _mount("--bind", str(folder), str(sight))
        stack.callback(_unmount, sight)
        _mount("-o", "remount,bind,ro", str(sight))
        _mount("--bind", str(sight), str(folder))
        stack.callback(_unmount, folder)
        yield


@contextmanager
def _unwritable(folder: Path) -> Iterator[None]:
    files = [path for path in folder.iterdir() if path.is_file()]
    for file in files:
        file.chmod(0o400)
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(0o700)
        for file in files:
            with contextlib.suppress(FileNotFoundError):
                file.chmod(0o600)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the write lock of an SQLite file."""
    connection = sqlite3.connect(file, timeout=10, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    finally:
        connection.close()


class SlowClients:
    """Connections with incomplete requests: half of them in the headers, half in the body."""

    HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    BODY = b"POST /table/new/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n"

    def __init__(self, port: int, count: int, addresses: list[str]) -> None:
        self._port, self._count, self._addresses = port, count, addresses
        self.opened = self.ended = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._dribble, daemon=True)

    def __enter__(self) -> SlowClients:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _dribble(self) -> None:
        """Send one byte a second on each connection; replace the closed ones."""
        held: set[socket.socket] = set()
        with selectors.DefaultSelector() as selector:
            while not self._is_over.is_set():
                round_ends = time.monotonic() + 1
                for _ in range(min(200, self._count - len(held))):
                    self._open(held, selector)
                for connection in list(held):
                    with contextlib.suppress(OSError):
                        connection.send(b"a")
                while (left := round_ends - time.monotonic()) > 0 and not self._is_over.is_set():
                    for key, _events in selector.select(min(left, 0.2)):
                        self._read(held, selector, key.fileobj)  # type: ignore[arg-type]
        for connection in held:
            connection.close()

    def _open(self, held: set[socket.socket], selector: selectors.BaseSelector) -> None:
        address = self._addresses[self.opened % len(self._addresses)]
        connection = socket.socket()
        connection.settimeout(0.05)
        try:
            connection.bind((address, 0))
            connection.connect(("127.0.0.1", self._port))
            connection.sendall(self.BODY if self.opened % 2 else self.HEAD)
        except OSError:
            connection.close()
            return
        connection.setblocking(False)
        self.opened += 1
        held.add(connection)
        selector.register(connection, selectors.EVENT_READ)

    def _read(
        self,
        held: set[socket.socket],
        selector: selectors.BaseSelector,
        connection: socket.socket,
    ) -> None:
        try:
            is_open = bool(connection.recv(4096))
        except OSError:
            is_open = False
        if not is_open:
            selector.unregister(connection)
            held.discard(connection)
            connection.close()
            self.ended += 1


def allow_many_files(count: int) -> None:
    """Raise the limit of open files of this process. Raises NotHere."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise NotHere(f"only {hard} files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count), hard))


def _mount(*words: str) -> None:
    tool = shutil.which("mount")
    if os.geteuid() != 0 or not tool:
        raise NotHere("only root may mount")
    done = subprocess.run([tool, *words], capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise NotHere(f"mount is not allowed here: {done.stderr.strip()}")


def _unmount(folder: Path) -> None:
    """Unmount a folder even if a process has open files there."""
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
