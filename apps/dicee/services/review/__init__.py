"""After the game: the report, the replay with reasons, and a quiz of one's own mistakes."""

from apps.dicee.services.review.decisions import Decision, Story, say, story
from apps.dicee.services.review.quiz import Explained, Question, explain, question, quiz
from apps.dicee.services.review.report import Report, document, report, share_text

__all__ = [
    "Decision", "Explained", "Question", "Report", "Story", "document", "explain", "question", "quiz", "report", "say",
    "share_text", "story",
]  # fmt: skip
