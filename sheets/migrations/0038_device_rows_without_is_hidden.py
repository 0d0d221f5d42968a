"""Rows of devices lose a field that nothing read."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("sheets", "0037_encrypted_links"),
    ]

    operations = [
        migrations.RemoveField(
            model_name="known",
            name="is_hidden",
        ),
    ]
