"""Time zone of the place where people play, and the evening to which a moment there belongs."""

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import models
from django.utils.timezone import get_current_timezone_name

EVENING_END: Final = timedelta(hours=4)
"""Time after midnight, by the clock on the wall, until which an evening lasts."""


class InTimeZone(models.Model):
    """Record in the time zone, an IANA name, of the device that created it.

    ``created`` is None for records older than this field.
    """

    time_zone = models.CharField(max_length=40, default=get_current_timezone_name)
    created = models.DateTimeField(auto_now_add=True, null=True)

    class Meta:
        abstract = True

    def evening_of(self, moment: datetime) -> date:
        """Return the day on which the evening of a moment began here."""
        local = moment.astimezone(ZoneInfo(self.time_zone))
        # Naive, because four hours on the wall clock are not four hours on a night it changes.
        return (local.replace(tzinfo=None) - EVENING_END).date()
