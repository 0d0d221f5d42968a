"""Listening sockets, start and clean stop of the server, and the URLs (QR code) shown at start."""

import errno
import io
import socket
import ssl
import sys
from collections.abc import Iterator

import segno
from django.db import connection

from dizzle_site.body_limit import end_receiving
from dizzle_site.network import is_loopback, own_address
from dizzle_site.server import run
from sheets.http import process_pool
from sheets.jobs import worker
from sheets.live import hub


class CannotListen(Exception):
    """The server cannot listen at its address and port; the message is one sentence for people."""


def listen(host: str, port: int, variable: str = "PORT") -> socket.socket:
    """Return a listening socket.

    Args:
        host: address of this machine.
        port: 0 for any free one.
        variable: environment variable with the port, for error messages.

    Raises:
        CannotListen: the port is taken or forbidden, or the host is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's delay off; else each answer waits 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        # Listening starts here, so that the second of two servers that start together fails here.
        listener.listen(2048)
    except OSError as problem:
        listener.close()
        raise CannotListen(_reason(problem, host, port, variable)) from problem
    return listener


def serve(
    listener: socket.socket, secure: tuple[socket.socket, ssl.SSLContext] | None = None
) -> None:
    """Serve the site until the process gets a signal to stop.

    Args:
        listener: socket for plain HTTP.
        secure: socket for TLS with its context, or None.
    """
    connection.close()  # returns it to the pool; this thread does not need it any more
    run(
        [(listener, None), *([secure] if secure else [])],
        at_stop=(hub.end_all, worker.end_worker, end_receiving, process_pool.shut_down),
    )


def addresses(host: str, port: int, site_url: str) -> tuple[str, str]:
    """Return the site's address for this machine, and the one for phones, "" if there is none."""
    if site_url:
        return f"http://{_in_url('127.0.0.1' if _is_any(host) else host)}:{port}/", f"{site_url}/"
    if not _is_any(host):
        return f"http://{_in_url(host)}:{port}/", "" if is_loopback(host) else (
            f"http://{_in_url(host)}:{port}/"
        )
    own = own_address()
    return f"http://localhost:{port}/", f"http://{own}:{port}/" if own else ""


def secure_address(host: str, port: int) -> str:
    """Return the HTTPS address of the site for phones in the home network."""
    own = (own_address() or "localhost") if _is_any(host) else host
    return f"https://{_in_url(own)}:{port}/"


def qr_lines(address: str, encoding: str | None) -> Iterator[str]:
    """Yield the lines of an address's QR code, none if ``encoding`` lacks its block characters."""
    drawing = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawing, compact=True)
    try:
        drawing.getvalue().encode(encoding or "ascii")
    except UnicodeEncodeError:
        return
    yield from drawing.getvalue().splitlines()


def _is_any(host: str) -> bool:
    return host in {"0.0.0.0", "::"}  # noqa: S104


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _reason(problem: OSError, host: str, port: int, variable: str) -> str:
    if isinstance(problem, socket.gaierror) or problem.errno == errno.EADDRNOTAVAIL:
        return f"HOST is {host!r}, which is not an address of this machine."
    if isinstance(problem, PermissionError):
        return f"Port {port} needs special rights: choose one from 1024 on with {variable}."
    if problem.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program: "
            f"end that one, or choose another with {variable}."
        )
    return f"Cannot listen on {host} port {port}: {problem.strerror or problem}."
