from django.db import migrations, models


class Migration(migrations.Migration):
    """A coached decision becomes the record of what was on the screen; all there were had values or a hint in sight."""

    dependencies = [("dicee", "0003_daily_games_rematches_and_coached_decisions")]

    operations = [
        migrations.RemoveConstraint("coacheddecision", "one_coached_decision_per_roll"),
        migrations.RenameModel("CoachedDecision", "DecisionScreen"),
        migrations.AlterField(
            "decisionscreen",
            "game",
            models.ForeignKey(on_delete=models.deletion.CASCADE, related_name="decision_screens", to="dicee.game"),
        ),
        migrations.AddField("decisionscreen", "values", models.BooleanField(default=True)),
        migrations.AlterField("decisionscreen", "values", models.BooleanField(default=False)),
        migrations.AddField("decisionscreen", "hint", models.BooleanField(default=False)),
        migrations.AddField("decisionscreen", "held_best", models.BooleanField(default=False)),
        migrations.AddField("decisionscreen", "guessed", models.BooleanField(default=False)),
        migrations.AddField("decisionscreen", "statistics", models.BooleanField(default=False)),
        migrations.AddField("decisionscreen", "profile", models.CharField(blank=True, max_length=12)),
        migrations.AddField(
            "decisionscreen",
            "door",
            models.CharField(
                blank=True, choices=[("page", "Page"), ("api", "Api"), ("socket", "Socket")], max_length=6
            ),
        ),
        migrations.AddConstraint(
            "decisionscreen",
            models.UniqueConstraint(
                fields=("game", "player_ref", "turn_number", "roll_number"), name="one_screen_per_decision"
            ),
        ),
    ]
