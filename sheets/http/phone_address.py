"""Under which address do the other phones at the table find a page?"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from dizzle_site.network import is_loopback, own_address


def phone_url(request: HttpRequest, path: str) -> str:
    """The address of a page for other devices, "" where this machine has none for them.

    Somebody who opened the site as localhost has an address that leads every phone to itself; in
    its place stands this machine's one in the network.
    """
    host, port = split_domain_port(request.get_host())
    if settings.SITE_URL or not is_loopback(host):
        return request.build_absolute_uri(path)
    own = "" if is_loopback(settings.HOST) else own_address()
    if not own:
        return ""
    return f"{request.scheme}://{own}{':' if port else ''}{port}{path}"


def public_url(request: HttpRequest, path: str) -> str:
    """The same, and where there is none the address that this page itself was opened by."""
    return phone_url(request, path) or request.build_absolute_uri(path)
