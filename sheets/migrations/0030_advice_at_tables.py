"""At a table it may be allowed to ask what an expert would do."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0029_looks_at_games"),)

    operations = (migrations.AddField("table", "has_advice", models.BooleanField(default=False)),)
