from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0006_what_a_table_plays"),)

    operations = (
        migrations.AddField(
            model_name="workshoplevel",
            name="guide_step",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
    )
