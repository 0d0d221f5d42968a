"""Pages on HTTPS at home: how phones trust the certificate of this machine."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sheets.http.phone_address import public_url


@require_safe
def secure(request: HttpRequest) -> HttpResponse:
    """Explain the limits of plain HTTP, and how to trust this machine's certificate."""
    context: dict[str, Any] = {"is_secure": request.is_secure()}
    if settings.HTTPS_PORT:
        context |= _trusted(request)
    return render(request, "secure/secure.html", context)


def _trusted(request: HttpRequest) -> dict[str, Any]:
    """Return the certificate's details and the HTTPS address; empty without a certificate."""
    from dizzle_site.certificates import fingerprint, name_of, public_certificate  # 12 MB

    certificate = public_certificate(settings.DATA_DIR)
    if not certificate:
        return {}
    host, _port = split_domain_port(urlsplit(public_url(request, "/")).netloc)
    return {
        "certificate": certificate,
        "name": name_of(certificate),
        "fingerprint": fingerprint(certificate),
        "address": f"https://{host}:{settings.HTTPS_PORT}/",
    }


@require_safe
def authority(request: HttpRequest) -> HttpResponse:
    """Return the certificate that phones have to trust, in a format that all of them accept.

    It is no attachment: Safari offers to install a certificate that it opens, not one it saves.

    Raises:
        Http404: this site has no certificate of its own.
    """
    if not settings.HTTPS_PORT:
        raise Http404
    from dizzle_site.certificates import as_file, public_certificate

    certificate = public_certificate(settings.DATA_DIR)
    if not certificate:
        raise Http404
    return HttpResponse(as_file(certificate), content_type="application/x-x509-ca-cert")
