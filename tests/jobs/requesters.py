"""Requesters of jobs, for tests that call the queue without a request."""

from sheets.jobs.requester_limits import Requester

SOMEBODY = Requester(address="a" * 64, device="")
