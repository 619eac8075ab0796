"""Practice becomes an app of its own. Only Django's picture of the models changes: tables and rows stay where they are."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("classroom", "0003_slips_guesses_and_one_daily_attempt")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="Answer"),
                migrations.DeleteModel(name="Drill"),
                migrations.DeleteModel(name="PlayedGame"),
                migrations.DeleteModel(name="SkillProfile"),
            ]
        )
    ]
