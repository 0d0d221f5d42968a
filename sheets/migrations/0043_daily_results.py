"""Results of groups on sheets of the day."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0042_dice_seeds"),)

    operations = (
        migrations.CreateModel(
            "DailyResult",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("total", models.IntegerField()),
                ("totals", models.JSONField()),
                (
                    "group",
                    models.ForeignKey(
                        "sheets.group",
                        django.db.models.deletion.CASCADE,
                        related_name="daily_results",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        "sheets.groupplayer",
                        django.db.models.deletion.CASCADE,
                        related_name="daily_results",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=("group", "-day"), name="daily_results")],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "day"), name="daily_result_once")
                ],
            },
        ),
    )
