"""How long may a client take to send its request, and to read the answer?

uvicorn itself has a time limit between two requests only: half a request is waited for without
end, and a thousand of them are all that a usual system lets one process hold. Nothing here limits
how long the site itself takes, or how long a stream stays open.
"""

from __future__ import annotations

import math
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .connections import Connections, counted_address

HEAD_S: Final = 10.0
"""How long the headers of a request may take, from the first byte or the connection on."""

GRACE_S: Final = 20.0
"""How long a client may pause in a body, or in reading an answer, ..."""

SLOWEST: Final = 4096
"""... if it is this fast on the whole, in bytes per second. Mobile networks are faster at their
worst, and a body of 1 MiB may take four minutes."""

LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class PatientProtocol(H11Protocol):
    """One client's connection, ended when the client lets us wait for too long.

    `tick` is to be called about once a second.
    """

    def __init__(self, *args: Any, held: Connections, is_proxied: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.held = held
        self.is_proxied = is_proxied
        self.address = ""
        self.deadline = math.inf  # for what the client sends, in the loop's time
        self.body_began = math.inf
        self.body_bytes = 0
        self.unread = 0  # bytes of an answer that the client had not taken at the last look
        self.unread_deadline = math.inf

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        # A proxy's connections are everybody's: it is the one that tells them apart.
        if not self.is_proxied and self.client:
            self.address = counted_address(self.client[0])
        self.deadline = self.loop.time() + HEAD_S
        self.held.add(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._note_progress(len(data))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE:
            # What is still coming is thrown away. Who is sending must get to read the answer.
            self.deadline = min(self.deadline, self.loop.time() + HEAD_S)
            self.held.waits(self)
        elif not self.transport.is_closing():
            self._note_progress(len(self.conn.trailing_data[0]))

    def connection_lost(self, exc: Exception | None) -> None:
        self.held.remove(self)
        super().connection_lost(exc)

    @property
    def is_half_sent(self) -> bool:
        """Whether a request is being answered of which the end has not come yet."""
        return self.conn.their_state is h11.SEND_BODY

    def make_way(self) -> None:
        """Close at once, for a connection that is needed more."""
        self.transport.abort()

    def tick(self, now: float, late: float = 0) -> None:
        """End the connection if its client is late.

        ``now`` is the loop's time; for ``late`` seconds before it this process did not run, and
        could hear nobody.
        """
        self.deadline += late
        self.unread_deadline += late
        self.body_began += late
        self._check_unread(now)
        if now <= self.deadline or self.transport.is_closing():
            return
        if self.flow.read_paused:  # it is we who do not read
            self.deadline = now + GRACE_S
            return
        has_begun = bool(self.conn.trailing_data[0]) or self.conn.their_state is h11.SEND_BODY
        is_unanswered = self.cycle is None or not self.cycle.response_started
        if has_begun and (is_unanswered or self.conn.their_state is h11.IDLE):
            self.transport.write(LATE)
        self.transport.close()

    def _note_progress(self, received: int) -> None:
        """Set the deadline anew after something was received, or a request was answered."""
        state = self.conn.their_state
        if state is h11.IDLE:  # before or in the headers
            self.body_began = math.inf
            if received and self.deadline == math.inf:
                self.deadline = self.loop.time() + HEAD_S
            self.held.waits(self)
        elif state is h11.SEND_BODY:
            self._note_body(received)
            self.held.waits(self)
        else:
            self.deadline = self.body_began = math.inf
            self.held.works(self)

    def _note_body(self, received: int) -> None:
        if self.body_began == math.inf:
            self.body_began, self.body_bytes = self.loop.time(), 0
        elif self.conn.our_state is h11.DONE:
            return  # answered already
        self.body_bytes += received
        self.deadline = self.body_began + GRACE_S + self.body_bytes / SLOWEST

    def _check_unread(self, now: float) -> None:
        """End a connection whose client does not read, and let it make way before that."""
        before, self.unread = self.unread, self.transport.get_write_buffer_size()
        if not self.unread:
            self.unread_deadline = math.inf
            if before:
                self._note_progress(0)
        elif not before:
            self.unread_deadline = now + GRACE_S + self.unread / SLOWEST
        elif now > self.unread_deadline:
            self.transport.abort()
        elif self.unread >= before:
            self.held.waits(self, is_silent=True)
        else:
            self.held.works(self)
