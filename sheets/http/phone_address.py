"""Address of a page for other devices, such as the phones of other players."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from dizzle_site.network import is_loopback, own_address


def phone_url(request: HttpRequest, path: str) -> str:
    """Return the address of a page for other devices, "" if this machine has none for them.

    On a phone, localhost is the phone itself, so it is replaced by this machine's own address.
    """
    host, port = split_domain_port(request.get_host())
    if settings.SITE_URL or not is_loopback(host):
        return request.build_absolute_uri(path)
    own = "" if is_loopback(settings.HOST) else own_address()
    if not own:
        return ""
    return f"{request.scheme}://{own}{':' if port else ''}{port}{path}"


def public_url(request: HttpRequest, path: str) -> str:
    """Return the address of a page for other devices or, if there is none, for this device."""
    return phone_url(request, path) or request.build_absolute_uri(path)
