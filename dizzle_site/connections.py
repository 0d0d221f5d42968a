"""How many connections are held, and which of them goes when there are too many?

Whoever floods the site may share an address with the family that plays at it: one router, one
mobile network. So a new connection is never refused while one can be closed that does nothing,
and the first to go is the one whose client has been silent longest: half of a request, a kept
connection, an answer that nobody reads. A request that is being answered and an open stream stay.
"""

from __future__ import annotations

from collections import defaultdict
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, Protocol

WAITING_OF_ONE_ADDRESS: Final = 256
"""How many connections of one address may wait for their client. A browser keeps six."""

FILES_FOR_THE_REST: Final = 64
"""How many open files are kept for the database and the rest, if there are so many."""


class Connection(Protocol):
    """What is held: one client's connection."""

    address: str

    def make_way(self) -> None:
        """Close at once."""


class Connections:
    """All connections of a server, and those that wait for their client.

    ``most`` are held in all and half of it for one address, so that nobody fills the site alone.
    Connections whose ``address`` is empty count in all only.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._of: defaultdict[str, set[Connection]] = defaultdict(set)
        self._count = 0
        # Who has been silent longest comes first: a dict keeps the order in which it was filled.
        self._waiting: dict[Connection, None] = {}
        self._waiting_of: defaultdict[str, dict[Connection, None]] = defaultdict(dict)

    def add(self, connection: Connection) -> None:
        """Hold a new connection, and close another if that is one too many.

        The new one waits for its client, too: it is the one to go where all others are at work.
        """
        address = connection.address
        self._of[address].add(connection)
        self._count += 1
        self.waits(connection)
        waiting = self._waiting_of[address]
        if address and (
            len(waiting) > WAITING_OF_ONE_ADDRESS or len(self._of[address]) > self.most // 2
        ):
            self._close_first(waiting)
        if self._count > self.most:
            self._close_first(self._waiting)

    def waits(self, connection: Connection, *, is_silent: bool = False) -> None:
        """Note that it is the client's turn, and that it was heard just now unless it is silent."""
        if is_silent and connection in self._waiting:
            return
        self.works(connection)
        if connection in self._of[connection.address]:
            self._waiting[connection] = self._waiting_of[connection.address][connection] = None

    def works(self, connection: Connection) -> None:
        """Note that a request is complete: it is the server's turn."""
        self._waiting.pop(connection, None)
        self._waiting_of[connection.address].pop(connection, None)

    def remove(self, connection: Connection) -> None:
        """Forget a connection, once or more often."""
        self.works(connection)
        held = self._of[connection.address]
        if connection in held:
            held.remove(connection)
            self._count -= 1
        if not held:
            del self._of[connection.address]
            del self._waiting_of[connection.address]

    def _close_first(self, waiting: dict[Connection, None]) -> None:
        connection = next(iter(waiting))
        self.remove(connection)
        connection.make_way()


def most_for(files: int) -> int:
    """How many connections may be held where so many files may be open.

    >>> [most_for(files) for files in (64, 256, 1024, 16384)]
    [32, 192, 768, 12288]
    """
    return max(files // 2, files - max(FILES_FOR_THE_REST, files // 4))


def counted_address(client: str) -> str:
    """What a client's address counts as: of IPv6 the half that names its network.

    >>> [counted_address(client) for client in ("192.168.1.7", "::ffff:10.0.0.1", "fe80::1:2")]
    ['192.168.1.7', '10.0.0.1', 'fe80::']
    """
    try:
        address = ip_address(client.partition("%")[0])
    except ValueError:
        return "unknown"
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address.packed, 64), strict=False).network_address)
