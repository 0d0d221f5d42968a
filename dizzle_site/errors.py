"""What does somebody read when a request went wrong?

One page, one sentence per cause. A phone that asked through htmx gets the same page in place of
the one it shows, because whatever it wanted to change is not known any more.
"""

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the body was too large."""
    if isinstance(exception, RequestDataTooBig):
        return _error_page(
            request, 413, _("That is too much"), _("What was sent is larger than this site takes.")
        )
    if isinstance(exception, DisallowedHost):
        # The page itself may ask for the host name, which is the very thing that is refused.
        return HttpResponse("400 Unknown host name.\n", status=400, content_type="text/plain")
    return _error_page(
        request, 400, _("That was not understood"), _("The request was incomplete or garbled.")
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that does not come from one of our own pages, or from a very old one."""
    return _error_page(
        request,
        403,
        _("Please try that again"),
        _("The page was open for too long or cookies are off. Load it anew and repeat."),
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 for what belongs to somebody else."""
    return _error_page(request, 403, _("Not yours"), _("This belongs to somebody else."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return _error_page(
        request, 404, _("Nothing here"), _("The link is wrong, or what was here has been deleted.")
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """500, on a page that needs nothing that could have broken."""
    return render(request, "500.html", status=500)


def _error_page(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    context = {"status": status, "title": title, "sentence": sentence}
    response = render(request, "error.html", context, status=status)
    return reswap(retarget(response, "body"), "innerHTML")
