"""Limits of the job queue: in total, for each device, and for each network address.

Without them one visitor could fill the queue for hours. Digests of the requester are stored with a
job while it waits or runs, and deleted when it leaves the queue.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from sheets.models import Job

MAX_WAITING: Final = 30
"""Maximum number of waiting jobs. Each takes one or two minutes: the last one waits for an hour."""

MAX_JOBS_PER_DEVICE: Final = 3
"""Maximum number of waiting and running jobs of one device."""

MAX_JOBS_PER_ADDRESS: Final = 6
"""Maximum number of waiting and running jobs of one network address.

Several people of a household or a club may share it. It is enough for two devices, and a fifth of
`MAX_WAITING`: it takes five addresses to fill the queue.
"""

ADD_LOCK: Final = 0x6A6F6273
"""Key of PostgreSQL's advisory lock for adding jobs ("jobs" in ASCII)."""


class JobRefused(Exception):
    """A limit refuses a job: one ``sentence`` for the user, and the HTTP ``status``."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


class Requester(NamedTuple):
    """Digests of the network address and of the device that request a job.

    ``device`` is empty if the browser sends no cookie: then only the address counts.
    """

    address: str
    device: str


def check_limits(others: QuerySet[Job], requester: Requester) -> None:
    """Raise JobRefused if one more job would exceed a limit; ``others`` are the jobs that count.

    Call it in the transaction that adds the job: no other request adds one until that has ended.
    """
    if connection.vendor == "postgresql":  # SQLite has only one writer at a time anyway
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ADD_LOCK])
    active = others.filter(state__in=Job.ACTIVE)
    if requester.device:
        _check(
            active.filter(device_digest=requester.device),
            MAX_JOBS_PER_DEVICE,
            _(
                "You already have %(jobs)s reports or game analyses in the queue. "
                "Try again when one of them is done."
            ),
        )
    _check(
        active.filter(address_digest=requester.address),
        MAX_JOBS_PER_ADDRESS,
        _(
            "Your network already has %(jobs)s reports or game analyses in the queue. "
            "Try again when one of them is done."
        ),
    )
    if others.filter(state=Job.WAITING).count() >= MAX_WAITING:
        raise JobRefused(
            _("Too many reports and game analyses are in the queue. Try again in some minutes."),
            status=503,
        )


def _check(jobs: QuerySet[Job], limit: int, sentence: str) -> None:
    count = jobs.count()
    if count >= limit:
        raise JobRefused(sentence % {"jobs": count}, status=429)
