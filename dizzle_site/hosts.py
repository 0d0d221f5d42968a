"""Host check: a request must name the host of SITE_URL or, without it, one of a home network.

At home, the router may assign the site a new address each day, so a fixed list of names does not
work. The check accepts names and addresses that no stranger on the internet can own. It refuses
a web page elsewhere whose own name points to this machine (DNS rebinding).
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port

HOME_SUFFIXES = (".local", ".lan", ".home", ".internal", ".home.arpa", ".fritz.box")
"""Ends of the names in home networks, which nobody on the internet can own."""

HOME_NETWORKS = [
    ip_network(block)
    for block in (
        "127.0.0.0/8",  # this machine
        "10.0.0.0/8",  # private
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",  # link-local
        "::1/128",  # this machine
        "fc00::/7",  # private
        "fe80::/10",  # link-local
    )
]
"""Networks of loopback, private and link-local addresses."""

NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")
"""Form of a host name."""


def check_host(request: HttpRequest) -> None:
    """Refuse a request whose Host header is malformed or names another site.

    Raises:
        DisallowedHost: which Django turns into the 400 page.
    """
    host = request.get_host()  # malformed ones, and with SITE_URL all others, are refused here
    if not settings.SITE_URL and not is_home_host(host):
        raise DisallowedHost(f"{host!r} is not a name of the home network.")


def is_answered(request: HttpRequest) -> bool:
    """Return whether the site answers a request with a page.

    It refuses an unknown host, and with SITE_URL it redirects plain HTTP to HTTPS.
    """
    try:
        check_host(request)
    except DisallowedHost:
        return False
    return request.is_secure() or not settings.SECURE_SSL_REDIRECT


@lru_cache(maxsize=256)
def is_home_host(host_header: str) -> bool:
    """Return whether a Host header, with or without a port, names a machine of the home network.

    >>> [is_home_host(host) for host in ("localhost:8000", "laptop", "192.168.1.7", "[fe80::1]:80")]
    [True, True, True, True]
    >>> [is_home_host(host) for host in ("example.org", "8.8.8.8", "laptop.local.example.org", "")]
    [False, False, False, False]
    """
    host, _port = split_domain_port(host_header)
    if address := _address(host):
        return is_home_address(address)
    if not NAME.fullmatch(host) or host.replace(".", "").isdigit():
        return False
    return "." not in host or host.endswith(HOME_SUFFIXES)


def is_home_address(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is this machine's own, private or link-local."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in HOME_NETWORKS)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
