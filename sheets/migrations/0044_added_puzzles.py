"""Puzzles that `manage.py puzzles` adds to the site's own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0043_daily_results"),)

    operations = (
        migrations.CreateModel(
            "AddedPuzzle",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=8, unique=True)),
                ("document", models.JSONField()),
            ],
        ),
    )
