"""Lost seats can be claimed, bots play on for players who left, and a game can be paused."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0033_links_of_a_device"),)

    operations = (
        migrations.AddField("table", "is_paused", models.BooleanField(default=False)),
        migrations.AddField(
            "seat", "claim_digest", models.CharField(max_length=64, blank=True, default="")
        ),
        migrations.AddField("seat", "claimed", models.DateTimeField(null=True)),
        migrations.AddField(
            "seat", "origin", models.CharField(max_length=100, blank=True, default="")
        ),
        migrations.AddField(
            "seat", "left_name", models.CharField(max_length=40, blank=True, default="")
        ),
    )
