"""What finished games say of a player: taken in once, folded into a profile, shown as a page."""

from apps.practice.services.progress.learning import (
    Slip,
    after_game,
    ask_for_refresh,
    catch_up,
    fold,
    learnt_of,
    observations,
    rated_profile,
    rating_of,
    refresh,
    refresh_between_games,
    take,
    take_in,
)
from apps.practice.services.progress.page import Page, page, page_of

__all__ = [
    "Page",
    "Slip",
    "after_game",
    "ask_for_refresh",
    "catch_up",
    "fold",
    "learnt_of",
    "observations",
    "page",
    "page_of",
    "rated_profile",
    "rating_of",
    "refresh",
    "refresh_between_games",
    "take",
    "take_in",
]
