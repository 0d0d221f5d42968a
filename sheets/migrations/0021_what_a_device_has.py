"""What a device has opened is kept for it, and another device can be let in."""

from django.db import migrations, models


def _id() -> "models.BigAutoField[int, int]":
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


class Migration(migrations.Migration):
    dependencies = (("sheets", "0020_empty_sheets"),)

    operations = (
        migrations.CreateModel(
            name="HandOver",
            fields=[
                ("id", _id()),
                ("key_digest", models.CharField(max_length=64, unique=True)),
                ("sealed", models.CharField(max_length=128)),
                ("made", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Known",
            fields=[
                ("id", _id()),
                ("device_digest", models.CharField(max_length=64)),
                ("kind", models.CharField(max_length=8)),
                ("digest", models.CharField(max_length=64)),
                ("sealed", models.CharField(blank=True, max_length=64)),
                ("is_hidden", models.BooleanField(default=False)),
                ("opened", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("device_digest", "digest"), name="known_once"
                    )
                ],
            },
        ),
    )
