"""Time zone of the place where people play, and the evening to which a moment there belongs."""

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import models
from django.utils.timezone import get_current_timezone_name

EVENING_END: Final = timedelta(hours=4)
"""End of an evening: this long after midnight, in local time."""


class InTimeZone(models.Model):
    """Record with the time zone, an IANA name, of the device that created it.

    ``created`` is None for records older than this field.
    """

    time_zone = models.CharField(max_length=40, default=get_current_timezone_name)
    created = models.DateTimeField(auto_now_add=True, null=True)

    class Meta:
        abstract = True

    def evening_of(self, moment: datetime) -> date:
        """Return the day on which the evening of a moment began, in the record's time zone."""
        local = moment.astimezone(ZoneInfo(self.time_zone))
        # Naive, because four hours on the wall clock are not four hours on a night it changes.
        return (local.replace(tzinfo=None) - EVENING_END).date()
