"""Seeds of the app's dice, and the contributions of the players' devices to them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0041_linear_undo"),)

    operations = (
        migrations.AddField(
            "table", "dice_seed", models.CharField(blank=True, default="", max_length=64)
        ),
        migrations.AddField(
            "table", "contributions", models.CharField(blank=True, default="", max_length=200)
        ),
        migrations.AddField(
            "seat", "contribution", models.CharField(blank=True, default="", max_length=32)
        ),
    )
