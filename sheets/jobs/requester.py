"""Requester of a job: digests of the network address and the device of a request."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from sheets.access.devices import token_of
from sheets.access.keys import digest
from sheets.http.rate_limits import guesser_of
from sheets.jobs.requester_limits import Requester


def requester_of(request: HttpRequest) -> Requester:
    """Return the requester that a request's jobs count for.

    IPv6 addresses count by their /48, which one customer of a hoster may have. There are few enough
    addresses to try them all, so theirs is a keyed digest.
    """
    token = token_of(request)
    address = salted_hmac("job address", guesser_of(request), algorithm="sha256")
    return Requester(address.hexdigest(), digest(token) if token else "")
