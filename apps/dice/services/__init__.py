"""From a program to what the page shows, through the engine."""

from apps.dice.services.answers import answer, extras, warm_up
from apps.dice.services.drawing import drawing
from apps.dice.services.jobs import job_document, run_job

__all__ = ["answer", "drawing", "extras", "job_document", "run_job", "warm_up"]
