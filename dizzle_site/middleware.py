"""Middleware: checks of requests, static files, compression, ETag and cache headers of pages."""

import codecs
import hashlib
import re
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from whitenoise.middleware import WhiteNoiseMiddleware

from dizzle_site.body_limit import TOO_MANY, max_body_bytes
from dizzle_site.errors import RETRY_AFTER_SECONDS, try_again_page
from dizzle_site.hosts import check_host
from dizzle_site.proxy_faults import (
    is_from_own_page,
    is_redirect_loop,
    own_origin,
    redirect_loop_page,
)

View = Callable[[HttpRequest], HttpResponse]

# No page uses these, except that screens stay awake during a game.
PERMISSIONS_POLICY = (
    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), screen-wake-lock=(self)"
)


GARBLED = re.compile("[\N{REPLACEMENT CHARACTER}\ud800-\udfff]")
"""Replacement characters, which Django puts for bytes that are not UTF-8, and lone surrogates."""


def refuse_unknown_hosts(get_response: View) -> View:
    """Answer 400 unless the Host header names this site (SITE_URL) or the home network.

    Raises:
        DisallowedHost: which Django turns into the 400 page.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        check_host(request)
        return get_response(request)

    return middleware


MAX_ZONE_LENGTH = 40
"""Maximum length of an IANA time zone name, as `sheets.models.time_zones` stores it."""


def use_time_zone(get_response: View) -> View:
    """Handle a request in the browser's time zone, which ``frame.js`` stores in a cookie."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(_time_zone(request.COOKIES.get("time_zone", ""))):
            return get_response(request)

    return middleware


def _time_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if 0 < len(name) <= MAX_ZONE_LENGTH else None
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder
        return None


def explain_redirect_loop(get_response: View) -> View:
    """Answer with an error page instead of a redirect to the address that the browser has."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if is_redirect_loop(request):
            return redirect_loop_page(request)
        return get_response(request)

    return middleware


def accept_own_forms(get_response: View) -> View:
    """Correct the Origin header for Django's CSRF check if a proxy has changed it.

    Django checks the token of the form afterwards, in any case.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if is_from_own_page(request):
            request.META["HTTP_ORIGIN"] = own_origin(request)
        return get_response(request)

    return middleware


class Compression(GZipMiddleware):
    """Django's compression, except of pictures and PDFs, which are compressed already."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        """Compress the response."""
        if response.headers.get("Content-Type") in ("image/png", "application/pdf"):
            return response
        return super().process_response(request, response)


class BufferedStaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """WhiteNoise with complete responses instead of streamed ones.

    A streamed file would occupy a thread while a slow phone reads it.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        streamed = WhiteNoiseMiddleware.serve(static_file, request)
        content = b"".join(streamed.streaming_content)
        # Only the file is closed: closing the response would send Django's `request_finished`.
        if streamed.file_to_stream is not None:
            streamed.file_to_stream.close()
        response = HttpResponse(content, status=streamed.status_code, headers=streamed.headers)
        response._csp_exempt = True  # type: ignore[attr-defined]
        return response


TOKEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")[^"]+')
"""The masked CSRF token of a form, which differs in each response."""


def add_etag_to_pages(get_response: View) -> View:
    """Add an ETag to pages, and answer 304 to a browser that has the page already.

    Private pages have a Cache-Control of their own, and are not cached. The CSRF token of a cached
    page is valid for as long as the cookie that it belongs to.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if (
            request.method not in ("GET", "HEAD")
            or response.status_code != 200
            or not is_page
            or response.streaming
            or "Cache-Control" in response.headers
        ):
            return response
        secret = str(request.META.get("CSRF_COOKIE", "")).encode()
        says = hashlib.sha256(secret + TOKEN.sub(b"", response.content)).hexdigest()[:24]
        etag = f'W/"{says}"'
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["ETag"] = etag
        spared = get_conditional_response(request, etag=etag, response=response) or response
        # A 304 replaces the cached Content-Security-Policy, so it gets that of the page.
        vars(spared).update({name: v for name, v in vars(response).items() if name[:4] == "_csp"})
        return spared

    return middleware


PAGE_HEADERS = ("Cross-Origin-Opener-Policy", "Referrer-Policy", "X-Frame-Options")
"""Headers that have an effect on pages only."""

VALIDATORS = ("ETag", "Last-Modified")
"""Headers with which browsers revalidate a file."""


def trim_static_headers(get_response: View) -> View:
    """Remove headers that static files do not need.

    A page loads some ten files, each with half a kilobyte of headers, on a phone with one bar of
    signal. The policies of the page apply to its scripts, styles and images, and browsers do not
    revalidate an immutable file.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith(settings.STATIC_URL):
            for name in PAGE_HEADERS:
                response.headers.pop(name, None)
            if "immutable" in response.headers.get("Cache-Control", ""):
                for name in VALIDATORS:
                    response.headers.pop(name, None)
                response.headers["Cache-Control"] = "max-age=31536000, immutable"
                # Without a charset, the UTF-8 of the page applies to its files.
                kind = response.headers["Content-Type"].partition(";")[0]
                response.headers["Content-Type"] = kind
        return response

    return middleware


def refuse_large_bodies(get_response: View) -> View:
    """Answer 413 to a body over `max_body_bytes`, which `body_limit` has dropped already.

    A body of an allowed size that was dropped because of too many others gets 503.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if TOO_MANY in request.META.get("asgi.scope", {}):
            return try_again_page(
                request,
                503,
                _("One moment, please"),
                _("Many people are sending photos at the moment. Try again in a few seconds."),
                after_seconds=RETRY_AFTER_SECONDS,
            )
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) > max_body_bytes(request.path_info):
            raise RequestDataTooBig("The body is larger than its address may be sent.")
        return get_response(request)

    return middleware


def refuse_garbled_text(get_response: View) -> View:
    """Answer 400 to a form whose text is not UTF-8, before anything of it can be stored.

    Django would store replacement characters for invalid bytes, and ignore the name of an unknown
    encoding.

    Raises:
        BadRequest: which Django turns into the 400 page.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method == "POST":
            if not _is_utf8((request.content_params or {}).get("charset", "utf-8")):
                raise BadRequest("The text is in another encoding than UTF-8.")
            try:
                texts = [text for pair in request.POST.lists() for text in (pair[0], *pair[1])]
                if request.content_type == "application/x-www-form-urlencoded":
                    texts.append(request.body.decode())
            except UnreadablePostError as gone:
                raise BadRequest("The body broke off.") from gone
            except UnicodeDecodeError as error:
                raise BadRequest("The text is not UTF-8.") from error
            if any(GARBLED.search(text) for text in texts):
                raise BadRequest("The text is not UTF-8.")
        return get_response(request)

    return middleware


def _is_utf8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        return False


def add_permissions_policy(get_response: View) -> View:
    """Add a Permissions-Policy to pages, which turns off browser features that no page needs."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return middleware
