"""Games belong to the evening of the place where they were played; sums are added by evening."""

from datetime import date
from typing import Any

from django.db import migrations, models
from django.utils.timezone import get_current_timezone_name


def add_sums_again(apps: Any, _schema: object) -> None:
    """Mark the sums of all groups as out of date: their months were those of the time in UTC."""
    apps.get_model("sheets", "Group").objects.update(changed_from=date(1, 1, 1))


class Migration(migrations.Migration):
    dependencies = (("sheets", "0034_lost_seats"),)

    operations = (
        *(
            migrations.AddField(
                model,
                "time_zone",
                models.CharField(max_length=40, default=get_current_timezone_name),
            )
            for model in ("scoring", "table", "tally")
        ),
        migrations.RunPython(add_sums_again, migrations.RunPython.noop),
    )
