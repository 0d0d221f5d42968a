from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0007_where_a_guide_stopped"),)

    operations = (
        migrations.AddField(
            "workshopstep", "page", models.CharField(blank=True, default="", max_length=24)
        ),
        migrations.AddField(
            "workshopstep", "entry", models.CharField(blank=True, default="", max_length=24)
        ),
    )
