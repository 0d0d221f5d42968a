from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0009_what_a_guide_knows"),)

    operations = (
        migrations.CreateModel(
            "Heartbeat",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False, auto_created=True, verbose_name="ID")),
                ("beaten", models.DateTimeField(auto_now=True)),
                ("padding", models.TextField(blank=True)),
            ],
        ),
    )
