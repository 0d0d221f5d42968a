"""Error pages and JSON errors: one page, with one sentence for each cause.

For a request by htmx, the error page replaces the whole page.
"""

import re
from typing import Final

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget

from dizzle_site.proxy_faults import explain_refused_source, unknown_host_page

RETRY_AFTER_SECONDS: Final = 5
"""Time after which clients try again while the database or the process pool is busy."""

HTML: Final = "text/html"
"""Content type of pages."""

JSON: Final = "application/json"
"""Content type of JSON."""

SHARED_PAGE: Final = re.compile(r"/(?:table|groups|score|tally|workshop)/[^/]+/(?=.)")
"""Pattern of the path of a table, group, level or scoring at the beginning of a longer path."""

REFUSED_SOURCE: Final = ("Origin checking failed", "Referer checking failed")
"""Beginnings of Django's reasons for refusing a form from a page of another site."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 413 if the body was too large."""
    if isinstance(exception, RequestDataTooBig):
        return _error_page(
            request,
            413,
            _("That is too much"),
            _("What you sent is larger than this site accepts."),
        )
    if isinstance(exception, DisallowedHost):
        return unknown_host_page(request)
    return _error_page(
        request, 400, _("That was not understood"), _("The request was incomplete or garbled.")
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 to a form without a valid CSRF token, or from a page of another site.

    A script that sends JSON shows the sentence, and keeps the request to send it again.
    """
    if reason.startswith(REFUSED_SOURCE):
        return _refused_source(request)
    if has_json_body(request):
        sentence = _(
            "The page was open for too long or cookies are off. "
            "Nothing is lost: please reload this page, then it is sent."
        )
        return JsonResponse({"sentence": sentence}, status=403)
    return try_again_page(
        request,
        403,
        _("Please try that again"),
        _("The page was open for too long or cookies are off. Reload it and try again."),
    )


def _refused_source(request: HttpRequest) -> HttpResponse:
    sentence = _(
        "The site cannot tell whether this came from one of its own pages, so it stored nothing."
    )
    advice = explain_refused_source(request)
    if has_json_body(request):
        return JsonResponse({"sentence": f"{sentence} {advice}".strip()}, status=403)
    return _error_page(request, 403, _("Not accepted"), sentence, advice=advice)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403, with the sentence of the exception if it has one."""
    sentence, advice = str(exception), ""
    if not sentence:
        sentence = _("This belongs to somebody else.")
        advice = _(
            "To change it, ask for a link that allows changes. At a table, use the device that has "
            "the seat."
        )
    if has_json_body(request):
        return JsonResponse({"sentence": sentence}, status=403)
    url = _referring_url(request)
    if url in ("", request.build_absolute_uri()):
        shared = SHARED_PAGE.match(request.path)
        url = shared[0] if shared else ""
    back = (_("Back"), url) if url else None
    return _error_page(request, 403, _("Not yours"), sentence, advice=advice, way_on=back)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404."""
    return _error_page(
        request, 404, _("Nothing here"), _("The link is wrong, or what was here has been deleted.")
    )


def cannot_store(request: HttpRequest) -> HttpResponse:
    """Answer 503 because the database cannot write, or not even read; a retry may succeed soon.

    A script that sends JSON or a form shows the sentence, and keeps the request to send it again.
    """
    if wants_json(request) or (request.method == "POST" and "HX-Request" in request.headers):
        sentence = _(
            "This cannot be stored just now. Nothing is lost: it waits on this device and is "
            "sent again by itself."
        )
        response = JsonResponse({"sentence": sentence}, status=503)
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
        return response
    if request.method in ("GET", "HEAD"):
        sentence = _(
            "This cannot be shown just now. Nothing is lost: please try again in a moment."
        )
    else:
        sentence = _(
            "This cannot be stored just now. Nothing is lost: what was stored before is still "
            "there. Please go back and try again in a moment."
        )
    return try_again_page(
        request, 503, _("Not just now"), sentence, after_seconds=RETRY_AFTER_SECONDS
    )


def try_again_page(
    request: HttpRequest, status: int, title: str, sentence: str, *, after_seconds: int = 0
) -> HttpResponse:
    """Return the error page for a request that may succeed later, with a button to try again.

    The button loads the same page again; after a form was sent, it loads the page with the form.
    With status 503, the error page also reloads itself.

    Args:
        after_seconds: time until the retry; 0 for none.
    """
    is_page = request.method in ("GET", "HEAD") and "HX-Request" not in request.headers
    here = request.get_full_path()  # after a form: it leads to the form's page
    url = here if is_page else _referring_url(request) or here
    comes_back = is_page and status == 503 and after_seconds > 0
    response = _error_page(
        request,
        status,
        title,
        sentence,
        way_on=(_("Try again"), url),
        comes_back=comes_back,
    )
    if after_seconds:
        response["Retry-After"] = str(after_seconds)
    if comes_back:
        response["Refresh"] = str(after_seconds)
    return response


def has_json_body(request: HttpRequest) -> bool:
    """Return whether the request has a JSON body.

    Only scripts send one; they show the ``sentence`` of an error.
    """
    return request.content_type == JSON


def wants_json(request: HttpRequest) -> bool:
    """Return whether the answer should be JSON: the client sent JSON, or prefers it to a page."""
    return has_json_body(request) or request.get_preferred_type([HTML, JSON]) == JSON


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, with a page that needs no database and no session."""
    return render(request, "500.html", status=500)


def _referring_url(request: HttpRequest) -> str:
    """Return the referrer if it is a page of this site, else ""."""
    page = request.headers.get("Referer", "")
    is_ours = page.startswith(("http://", "https://")) and url_has_allowed_host_and_scheme(
        page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return page if is_ours else ""


def _error_page(
    request: HttpRequest,
    status: int,
    title: str,
    sentence: str,
    *,
    way_on: tuple[str, str] | None = None,
    comes_back: bool = False,
    advice: str = "",
) -> HttpResponse:
    """Render the error page.

    Args:
        way_on: label and address of the first button, or None.
        advice: what the user or the operator of the site can do, in a sentence; may be empty.
    """
    context = {
        "title": title,
        "sentence": sentence,
        "way_on": way_on,
        "comes_back": comes_back,
        "advice": advice,
        "status": status,
    }
    response = render(request, "error.html", context, status=status)
    return reswap(retarget(response, "body"), "innerHTML")
