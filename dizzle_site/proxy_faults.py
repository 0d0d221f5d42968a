"""Detection of wrong settings of a proxy in front of the site, with advice for its operator.

The error page names the header to configure. The log names it, too, once per process and fault.
"""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

log = logging.getLogger(__name__)

MAX_SHOWN_LENGTH: Final = 100
"""Maximum length of a header that pages and log lines repeat, in characters."""


class Fault(StrEnum):
    """A wrong setting of the proxy. The value is its log line."""

    UNKNOWN_SOURCE = (
        "A form was refused, because the browser did not say which page sent it: the proxy must "
        "pass Origin and Referer on, and must not set Referrer-Policy: no-referrer."
    )
    OTHER_SOURCE = (
        "A form was refused, because its page has another address than the site: unless it was on "
        "another website, the proxy must pass Host on unchanged and set X-Forwarded-Proto, and "
        "SITE_URL must be the address that browsers show."
    )
    NO_FORWARDED_PROTO = (
        "The proxy must set X-Forwarded-Proto to https for browsers that use HTTPS. Without this "
        "header the site redirects them to the address at which they already are."
    )
    UNKNOWN_HOST = (
        "A request was refused, because its Host header is no name of this site: if people use "
        "this name, let SITE_URL be the address that browsers show, and let the proxy pass Host on "
        "unchanged."
    )


_logged: set[Fault] = set()


def log_once(fault: Fault, **headers: str | None) -> None:
    """Log a fault with the headers that reveal it, unless this process has logged it already."""
    if fault in _logged:
        return
    _logged.add(fault)
    shown = ", ".join(f"{name}: {value!r:.{MAX_SHOWN_LENGTH}}" for name, value in headers.items())
    log.warning("%s See docs/reference.md#proxy-headers. (%s)", fault, shown)


def is_from_own_page(request: HttpRequest) -> bool:
    """Return whether a form came from a page of this site, whatever its Origin header says.

    Browsers send Sec-Fetch-Site over HTTPS and on localhost; no page can change it. Over plain
    HTTP, ``Origin: null`` counts as a missing Origin: then Django checks only the CSRF token.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site == "same-origin"
    return request.headers.get("Origin") == "null" and not request.is_secure()


def own_origin(request: HttpRequest) -> str:
    """Return the origin of this site's pages, as the proxy describes the request."""
    return f"{request.scheme}://{request.get_host()}"


def explain_refused_source(request: HttpRequest) -> str:
    """Return the advice for a form that Django refused for its Origin or Referer, and log it.

    The advice is empty if the browser itself says that the form was on another website.
    """
    if "Sec-Fetch-Site" in request.headers:
        return ""
    origin, site = request.headers.get("Origin", "null"), own_origin(request)
    if origin == "null":
        log_once(Fault.UNKNOWN_SOURCE, Origin=request.headers.get("Origin"), site=site)
        return _(
            "If you run this site: the proxy must pass the headers Origin and Referer on, and must "
            "not set Referrer-Policy to no-referrer."
        )
    log_once(Fault.OTHER_SOURCE, Origin=origin, site=site)
    return _(
        "If you run this site: the form was on a page of %(origin)s, but according to the proxy "
        "the site is %(site)s. The proxy must pass the header Host on unchanged and set "
        "X-Forwarded-Proto, and SITE_URL must be the address that browsers show."
    ) % {"origin": origin[:MAX_SHOWN_LENGTH], "site": site}


def is_redirect_loop(request: HttpRequest) -> bool:
    """Return whether a browser that uses HTTPS already would be redirected to HTTPS.

    The header Sec-Fetch-Site reveals HTTPS, because browsers do not send it over plain HTTP.
    """
    is_redirected: bool = settings.SECURE_SSL_REDIRECT and not request.is_secure()
    return is_redirected and "Sec-Fetch-Site" in request.headers


def redirect_loop_page(request: HttpRequest) -> HttpResponse:
    """Answer 400 to a request in a redirect loop, and name the missing header."""
    found = request.headers.get("X-Forwarded-Proto")
    log_once(Fault.NO_FORWARDED_PROTO, **{"X-Forwarded-Proto": found})
    with override(get_language_from_request(request)):
        return _page(
            request,
            _("This site is not set up correctly"),
            _("The proxy in front of this site does not say that the browser uses HTTPS."),
            _("If you run this site: the proxy must set the header X-Forwarded-Proto to https."),
        )


def unknown_host_page(request: HttpRequest) -> HttpResponse:
    """Answer 400 to a request with an unknown host, and name the header and setting to correct."""
    host = request.META.get("HTTP_HOST", "")
    log_once(Fault.UNKNOWN_HOST, Host=host)
    with override(get_language_from_request(request)):
        return _page(
            request,
            _("Unknown address"),
            _("This site does not answer at the address %(host)s.")
            % {"host": host[:MAX_SHOWN_LENGTH]},
            _(
                "If you run this site: SITE_URL must be the address that browsers show, and the "
                "proxy must pass the header Host on unchanged. At home, use the address that the "
                "site prints at its start."
            ),
        )


def _page(request: HttpRequest, title: str, sentence: str, advice: str) -> HttpResponse:
    """Render a page without links, scripts and styles: requests for them would fail, too."""
    context = {"title": title, "sentence": sentence, "advice": advice}
    return render(request, "proxy_fault.html", context, status=400)
