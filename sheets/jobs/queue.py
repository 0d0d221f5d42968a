"""Job queue in the database, for background work of minutes: balance reports, analyses of games.

`sheets.models.Job` has the rows. A worker (`sheets.jobs.worker`) claims the next waiting job and
holds it under a lease, which each heartbeat renews. Normally one job runs at a time, because
each keeps all cores busy. If a worker sends no heartbeat, the lease of its job expires: the job is
requeued for a second attempt, and fails if that is lost, too.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from sheets.jobs.requester_limits import Requester, check_limits
from sheets.models import Job

LEASE: Final = timedelta(seconds=60)
"""Time without a heartbeat after which a running job counts as lost.

The longest pause between two heartbeats was 10 seconds: a batch of games on a busy machine.
"""

LOST: Final = "killed"
"""The `Job.reason` of a second attempt; if it is lost, too, the job fails with this reason."""


def enqueue(replaced: QuerySet[Job], requester: Requester, **values: Any) -> Job:
    """Delete the ``replaced`` jobs and add a new one. Call it in a transaction.

    Raises:
        JobRefused: the queue is full, or the requester has too many jobs in it.
    """
    check_limits(Job.objects.exclude(pk__in=replaced.values("pk")), requester)
    replaced.delete()
    return Job.objects.create(
        address_digest=requester.address, device_digest=requester.device, **values
    )


def jobs_ahead(job: Job | None) -> int:
    """Return the number of jobs that run or wait before this one; 0 if it does not wait."""
    if job is None or job.state != Job.WAITING:
        return 0
    is_ahead = Q(state=Job.RUNNING) | Q(state=Job.WAITING, pk__lt=job.pk)
    return Job.objects.filter(is_ahead).count()


def has_waiting_jobs() -> bool:
    """Return whether any job waits."""
    return Job.objects.filter(state=Job.WAITING).exists()


def cancel(jobs: QuerySet[Job]) -> None:
    """Cancel jobs, unless they have ended; the worker of a running job notices at a heartbeat."""
    _end(jobs.filter(state__in=Job.ACTIVE), Job.CANCELLED)


def _end(jobs: QuerySet[Job], state: str, **values: Any) -> bool:
    """End jobs with a state, and delete their requesters' digests.

    Return False if there were no such jobs.
    """
    return bool(jobs.update(state=state, address_digest="", device_digest="", **values))


def requeue_lost_jobs() -> None:
    """Requeue running jobs whose lease has expired; if it was the second attempt, they fail."""
    lost = Job.objects.filter(state=Job.RUNNING, beat__lt=timezone.now() - LEASE)
    _end(lost.filter(reason=LOST), Job.FAILED)
    lost.update(state=Job.WAITING)


def claim(worker: str) -> Job | None:
    """Lease the next waiting job to a worker; None if none waits or one runs already."""
    with transaction.atomic():
        # All workers lock the same rows, one after the other.
        active = list(
            Job.objects.select_for_update()
            .filter(state__in=Job.ACTIVE)
            .order_by("pk")
            .only("pk", "state")
        )
        if not active or any(job.state == Job.RUNNING for job in active):
            return None
        job = Job.objects.get(pk=active[0].pk)
        # A requeued job still names its worker, one that waits for its first attempt has none.
        job.reason = LOST if job.worker else ""
        job.state, job.worker, job.done, job.beat = Job.RUNNING, worker, 0, timezone.now()
        job.save(update_fields=["state", "worker", "reason", "done", "beat"])
    return job


def heartbeat(job: Job, **values: Any) -> bool:
    """Renew a job's lease and store values; return False if the worker has lost the job."""
    return bool(_leased(job).update(state=Job.RUNNING, beat=timezone.now(), **values))


def finish(job: Job, state: str, **values: Any) -> bool:
    """Store how a job ended; return False if the worker has lost the job."""
    return _end(_leased(job), state, **values)


def release(job: Job) -> None:
    """Put a job back into the queue, because its worker stops; the attempt does not count."""
    _leased(job).update(state=Job.WAITING, worker="", done=0)


def _leased(job: Job) -> QuerySet[Job]:
    """Return the job as a query; it finds nothing once the worker has lost the job.

    The worker loses it if the job has ended or another worker has claimed it. A worker that sent no
    heartbeat in time, as on a laptop that slept, keeps its job if no other one has begun the second
    attempt.
    """
    return Job.objects.filter(pk=job.pk, worker=job.worker, state__in=Job.ACTIVE)
