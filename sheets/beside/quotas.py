"""Quotas of the job queue: places in total, and for one device, one network address and one group.

Without them one visitor could fill the queue for hours. Digests of the requester are stored with a
job while it waits or runs, and are deleted with `line.end`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from sheets.beside import line
from sheets.models import Group, Job

MAX_WAITING: Final = 30
"""Maximum number of waiting jobs. Each takes one or two minutes: the last one waits for an hour."""

RESERVED: Final = 10
"""Number of these places that analyses for groups leave to users who wait at a page."""

MAX_PER_DEVICE: Final = 3
"""Maximum number of waiting and running jobs of one device, not counting those for a group."""

MAX_PER_ADDRESS: Final = 6
"""The same for one network address, which several people of a household or a club share.

A fifth of the queue: two devices can use all that one may have, and five addresses fill the queue.
"""

MAX_PER_GROUP: Final = 10
"""Maximum number of waiting and running analyses for one group, from whichever address.

As many as a group's page asks for with one button (`sheets.groups.given.AT_ONCE`).
"""

MAX_GROUPS_PER_ADDRESS: Final = 10
"""Maximum number of waiting and running analyses for all groups that one address asked for.

Half of the places that groups may use.
"""

ADD_LOCK: Final = 0x6A6F6273
"""Key of PostgreSQL's advisory lock for adding jobs ("jobs" in ASCII)."""

DEVICE, ADDRESS, GROUP = "device", "address", "group"


class QueueFull(Exception):
    """Too many jobs wait already, whoever asked for them."""


class QuotaUsed(Exception):
    """One device, address or group has all the jobs that it may have.

    ``whose`` is `DEVICE`, `ADDRESS` or `GROUP`, ``jobs`` the number of its jobs.
    """

    def __init__(self, whose: str, jobs: int) -> None:
        super().__init__(f"{whose}: {jobs}")
        self.whose = whose
        self.jobs = jobs


class Requester(NamedTuple):
    """Digests of the network address and of the device that ask for a job.

    ``device`` is empty where the browser sends no cookie: then only the address counts.
    """

    address: str
    device: str


def check_quotas(others: QuerySet[Job], requester: Requester, group: Group | None = None) -> None:
    """Raise unless one more job may join these others, for a ``group`` or for a page.

    Must run in the transaction that adds the job: no other request adds one until that has ended.

    Raises:
        QuotaUsed: the requester or the group has all the jobs that it may have.
        QueueFull: there is no place for anybody.
    """
    _lock_adding()
    active = others.filter(state__in=line.ACTIVE, group__isnull=group is None)
    of_address = active.filter(address_digest=requester.address)
    if group:
        _check(GROUP, active.filter(group=group), MAX_PER_GROUP)
        _check(ADDRESS, of_address, MAX_GROUPS_PER_ADDRESS)
    else:
        if requester.device:
            _check(DEVICE, active.filter(device_digest=requester.device), MAX_PER_DEVICE)
        _check(ADDRESS, of_address, MAX_PER_ADDRESS)
    places = MAX_WAITING - RESERVED if group else MAX_WAITING
    if others.filter(state=Job.WAITING).count() >= places:
        raise QueueFull


def _check(whose: str, jobs: QuerySet[Job], most: int) -> None:
    found = jobs.count()
    if found >= most:
        raise QuotaUsed(whose, found)


def _lock_adding() -> None:
    """Make other transactions that add a job wait until this one ends.

    SQLite lets only one transaction write at a time anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ADD_LOCK])


def explain(used: QuotaUsed) -> str:
    """One sentence for the user whose quota is used."""
    if used.whose == DEVICE:
        sentence = _(
            "You already have %(jobs)s reports or game analyses in the queue. "
            "Try again when one of them is done."
        )
    elif used.whose == ADDRESS:
        sentence = _(
            "Your network already has %(jobs)s reports or game analyses in the queue. "
            "Try again when one of them is done."
        )
    else:
        sentence = _(
            "This group already has %(jobs)s game analyses in the queue. "
            "Try again when one of them is done."
        )
    return sentence % {"jobs": used.jobs}
