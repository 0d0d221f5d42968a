"""What a draft goes back and forward by is called a change; a step is one of the guided way."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("sheets", "0013_keys"),)

    operations = (
        migrations.AlterModelTable("workshopstep", "sheets_workshopstep"),
        migrations.RenameModel("WorkshopStep", "DraftChange"),
        migrations.AlterField(
            "draftchange",
            "level",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="changes",
                to="sheets.workshoplevel",
            ),
        ),
    )
