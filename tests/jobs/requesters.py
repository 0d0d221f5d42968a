"""A requester of jobs, and expired leases, for tests that call the queue without a request."""

from django.utils import timezone

from sheets.jobs import queue, worker
from sheets.jobs.requester_limits import Requester
from sheets.models import Job

SOMEBODY = Requester(address="a" * 64, device="")


def expire_leases() -> None:
    """Let no worker have sent a heartbeat for long, and somebody look at a page."""
    Job.objects.update(beat=timezone.now() - 2 * queue.LEASE)
    worker.ensure_worker()
