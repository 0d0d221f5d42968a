"""Network addresses of this machine and of clients."""

import socket
from ipaddress import IPv6Address, ip_address, ip_network

from dizzle_site.hosts import is_home_address

PROBE_ADDRESS = ("192.0.2.1", 9)
"""Any address on the internet. Nothing is sent: the system only chooses the network interface."""


def own_address() -> str:
    """Return this machine's IPv4 address in the home network; "" if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(PROBE_ADDRESS)
        except OSError:
            return ""
        address = ip_address(probe.getsockname()[0])
    return str(address) if is_home_address(address) and not address.is_loopback else ""


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is a loopback one.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "[::1]", "laptop.local")]
    [True, True, True, False]
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def counted_address(client: str) -> str:
    """Return the key of a client in rate limits: its IPv4 address, or its /64 network of IPv6.

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
