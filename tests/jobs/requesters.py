"""A requester of jobs, and expired leases, for tests that call the queue without a request."""

from django.utils import timezone

from sheets.jobs import queue, worker
from sheets.jobs.requester_limits import Requester
from sheets.models import Job

REQUESTER = Requester(address="a" * 64, device="")


def expire_leases() -> None:
    """Move all heartbeats of workers past their leases, and start a worker as a page view does."""
    Job.objects.update(beat=timezone.now() - 2 * queue.LEASE)
    worker.ensure_worker()
