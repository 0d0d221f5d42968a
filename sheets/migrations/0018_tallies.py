"""A tally may be kept behind a link, as paper sheets are."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0017_turned_changes"),)

    operations = (
        migrations.CreateModel(
            name="Tally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key_digest", models.CharField(max_length=64, unique=True)),
                ("touched", models.DateTimeField(auto_now_add=True, db_index=True)),
                ("share_digest", models.CharField(max_length=64, unique=True)),
                ("typed", models.JSONField()),
                ("revision", models.PositiveIntegerField(default=0)),
            ],
            options={"verbose_name_plural": "tallies"},
        ),
    )
