"""Requester of a job: digests of the network address and the device of a request."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from sheets.access.devices import token_of
from sheets.access.keys import digest
from sheets.http.rate_limits import customer_address_of
from sheets.jobs.requester_limits import Requester


def requester_of(request: HttpRequest) -> Requester:
    """Return the requester for whose limits the jobs of a request count.

    IPv6 addresses count by their /48 network, which one customer of a provider may have. The digest
    of the address is keyed: there are so few addresses that a plain digest could be reversed.
    """
    token = token_of(request)
    address = salted_hmac("job address", customer_address_of(request), algorithm="sha256")
    return Requester(address.hexdigest(), digest(token) if token else "")
