from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0014_changes_of_drafts"),)

    operations = (
        migrations.AddField("table", "starter", models.PositiveSmallIntegerField(default=0)),
    )
