"""A level of one's own calls the digest of its key as everything behind a key does."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("sheets", "0012_bought_sheets"),)

    operations = (migrations.RenameField("workshoplevel", "edit_digest", "key_digest"),)
