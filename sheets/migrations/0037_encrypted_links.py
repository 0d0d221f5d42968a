"""Encrypted links of devices are Fernet tokens, which are longer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Room for Fernet tokens; rows of earlier releases stay readable, see `access.encryption`."""

    dependencies = (("sheets", "0036_bots_and_typed_levels"),)

    operations = (
        migrations.AlterField(
            "known", "sealed", models.CharField(blank=True, max_length=200)
        ),
        migrations.AlterField("handover", "sealed", models.CharField(max_length=200)),
    )
