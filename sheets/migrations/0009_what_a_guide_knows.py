from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0008_what_is_typed_at_once"),)

    operations = (
        migrations.AddField("workshoplevel", "sheet_has", models.JSONField(default=list)),
        migrations.AddField("workshoplevel", "compared", models.JSONField(default=list)),
    )
