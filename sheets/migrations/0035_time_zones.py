"""Games belong to the evening of the place where they were played."""

from django.db import migrations, models
from django.utils.timezone import get_current_timezone_name


class Migration(migrations.Migration):
    dependencies = (("sheets", "0034_lost_seats"),)

    operations = tuple(
        migrations.AddField(model, name, field)
        for model in ("scoring", "table", "tally")
        for name, field in (
            ("time_zone", models.CharField(max_length=40, default=get_current_timezone_name)),
            ("created", models.DateTimeField(auto_now_add=True, null=True)),
        )
    )
