"""After the game: the report, the replay with reasons, and a quiz of one's own mistakes."""

from apps.dicee.services.review.decisions import Decision, Story, say, story
from apps.dicee.services.review.picture import Picture
from apps.dicee.services.review.quiz import Explained, Problem, QuizQuestion, explain, problem, question, quiz
from apps.dicee.services.review.report import Report, document, report, share_text

__all__ = [
    "Decision",
    "Explained",
    "Picture",
    "Problem",
    "QuizQuestion",
    "Report",
    "Story",
    "document",
    "explain",
    "problem",
    "question",
    "quiz",
    "report",
    "say",
    "share_text",
    "story",
]
