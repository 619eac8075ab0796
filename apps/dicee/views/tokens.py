"""Tokens for programs that play as a player: make one, see it once, revoke it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.http import Request
from apps.accounts.services import player_for
from apps.core.limits import limited
from apps.dicee import tokens
from apps.dicee.forms import NewToken


@never_cache
@require_http_methods(["GET", "POST"])
@limited("play")
def tokens_page(request: Request) -> HttpResponse:
    """The player's tokens. A POST makes one and answers with the page that shows its secret, this once."""
    form = NewToken(request.POST if request.method == "POST" else None)
    secret = ""
    if form.is_valid():
        try:
            _, secret = tokens.issue(player_for(request), form.cleaned_data["name"])
            form = NewToken()
        except tokens.TooManyTokensError as error:
            form.add_error("name", str(error))
    held = tokens.of(request.player) if request.player else ()
    context = {"form": form, "secret": secret, "tokens": held}
    return render(request, "dicee/tokens.html", context, status=422 if form.errors else 200)


@require_POST
@limited("play")
def revoke(request: Request, token_id: int) -> HttpResponse:
    if request.player is None or not tokens.revoke(request.player, token_id):
        raise Http404
    messages.success(request, "Revoked: no program can use it any more.")
    return redirect("dicee:tokens")
