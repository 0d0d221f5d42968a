"""Somebody may say that nothing is crossed on a paper sheet, so that it is not waited for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0015_who_starts"),)

    operations = (
        migrations.AddField("papersheet", "is_blank", models.BooleanField(default=False)),
    )
