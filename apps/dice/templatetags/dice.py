"""Tags of the dice page."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import escape

from apps.dice.services import lessons

register = template.Library()


@register.inclusion_tag("dice/components/questions.html")
def dice_questions(lesson: str) -> dict[str, tuple[lessons.Question, ...]]:
    """What a reader of a lesson can ask the dice page next."""
    return {"questions": lessons.questions(lesson)}


@register.simple_tag(takes_context=True)
def embed_code(context: Context) -> str:
    """The markup that shows this answer on another page, as text to copy."""
    address = context["request"].build_absolute_uri(f"{reverse('dice:embed')}?{context['query']}")
    return f'<iframe src="{escape(address)}" width="740" height="520" title="Dice odds"></iframe>'
