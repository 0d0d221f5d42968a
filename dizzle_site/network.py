"""Which addresses has this machine, and which mean nobody but itself?"""

import socket
from ipaddress import ip_address

from .hosts import is_home_address

# Any address beyond the router will do: nothing is sent, the system only picks the way out.
FAR_AWAY = ("192.0.2.1", 9)


def own_address() -> str:
    """Return this machine's IPv4 address in the home network, "" if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(FAR_AWAY)
        except OSError:
            return ""
        address = ip_address(probe.getsockname()[0])
    return str(address) if is_home_address(address) and not address.is_loopback else ""


def is_loopback(host: str) -> bool:
    """Whether a host name or address means the machine that asks.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "[::1]", "laptop.local")]
    [True, True, True, False]
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
