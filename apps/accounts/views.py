"""Pages of a person's account. Nothing here is needed to play."""

from __future__ import annotations

import hashlib
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, update_session_auth_hash
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from apps.accounts import player_data, recovery, services
from apps.accounts import privacy as privacy_rules
from apps.accounts.forms import ChangePasswordForm, RecoverForm, RenameForm, SignInForm, SignUpForm
from apps.accounts.http import Request
from apps.accounts.models import Player
from apps.accounts.names import random_pseudonym
from apps.core.errors import CODES, problem
from apps.core.limits import address, limited, spend

#: Said for a wrong name and for a wrong password alike, so that neither can be guessed on its own.
CODES_KEY = "recovery_codes"  # of the session: made and not shown yet
NO_MATCH = "That user name and password do not go together."


@require_GET
def home(request: Request) -> HttpResponse:
    player = _player(request)
    form = RenameForm(initial={"pseudonym": player.pseudonym if player else ""})
    return render(request, "accounts/home.html", {"player": player, "form": form})


@sensitive_post_parameters("password", "again")
@never_cache
@require_http_methods(["GET", "POST"])
@limited("sign-up", by=address, methods=("POST",))
def sign_up(request: Request) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("accounts:home")
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            with transaction.atomic():
                player = services.sign_up(request, form.cleaned_data["username"], form.cleaned_data["password"])
            assert player.user is not None
            request.session[CODES_KEY] = recovery.make_codes(player.user)
            return redirect(f"{reverse('accounts:codes')}?{urlencode({'next': _next(request)})}")
        except IntegrityError:  # somebody took the name between the check and the insert
            form.add_error("username", "That user name is taken. Try another.")
    context = {"form": form, "next": _next(request)}
    return render(request, "accounts/sign_up.html", context, status=422 if form.is_bound else 200)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in(request: Request) -> HttpResponse:
    form = SignInForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if wait := _attempts_used_up(request, form.cleaned_data["username"]):
            return _too_many(request, wait)
        user = authenticate(request, **form.cleaned_data)
        if isinstance(user, User):
            services.sign_in(request, user)
            return redirect(_next(request))
        form.add_error(None, NO_MATCH)
    context = {"form": form, "next": _next(request)}
    return render(request, "accounts/sign_in.html", context, status=422 if form.is_bound else 200)


@require_POST
def sign_out(request: Request) -> HttpResponse:
    services.sign_out(request)
    messages.success(request, "You are signed out.")
    return redirect("core:home")


@require_POST
@limited("play")
def rename(request: Request) -> HttpResponse:
    form = RenameForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/home.html", {"player": _player(request), "form": form}, status=422)
    player = services.player_for(request)
    services.rename(player, form.cleaned_data["pseudonym"] or random_pseudonym())
    messages.success(request, f"You are {player.pseudonym} now.")
    return redirect("accounts:home")


@never_cache
@require_GET
def export(request: Request) -> HttpResponse:
    player = _player(request)
    if player is None:
        raise Http404
    response = JsonResponse(services.export(player), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="oddsmith-my-data.json"'
    return response


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def delete(request: Request) -> HttpResponse:
    """Leaving for good: says what goes, asks once, and an account is asked for its password."""
    player = _player(request)
    if player is None:
        return redirect("accounts:home")
    wrong = ""
    if request.method == "POST" and player.user is not None and request.POST.get("confirm") == "yes":
        if wait := _attempts_used_up(request, player.user.get_username()):
            return _too_many(request, wait)
        if not player.user.check_password(request.POST.get("password", "")):
            wrong = "That is not your password. Nothing was deleted."
    if request.method == "POST" and request.POST.get("confirm") == "yes" and not wrong:
        services.delete(player)
        services.sign_out(request)
        messages.success(request, "Everything we kept about you is deleted.")
        return redirect("core:home")
    asked = request.method == "POST"
    context = {
        "player": player,
        "unconfirmed": asked and not wrong,
        "wrong": wrong,
        "losses": player_data.losses(player),
    }
    return render(request, "accounts/delete.html", context, status=422 if asked else 200)


# -- Passwords -----------------------------------------------------------------------------------------------------


@sensitive_post_parameters("now", "password", "again")
@never_cache
@require_http_methods(["GET", "POST"])
def change_password(request: Request) -> HttpResponse:
    user = request.user
    if not isinstance(user, User):
        return redirect("accounts:sign-in")
    form = ChangePasswordForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if wait := _attempts_used_up(request, user.get_username()):
            return _too_many(request, wait)
        if user.check_password(form.cleaned_data["now"]):
            user.set_password(form.cleaned_data["password"])
            user.save(update_fields=["password"])
            update_session_auth_hash(request, user)
            messages.success(request, "Your password is changed. Other devices are signed out.")
            return redirect("accounts:home")
        form.add_error("now", "That is not your password.")
    return render(request, "accounts/password.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "POST"])
@limited("sign-up", by=address, methods=("POST",))
def codes(request: Request) -> HttpResponse:
    """Recovery codes: shown once, to print. Asked for again, new ones replace them."""
    if not isinstance(request.user, User):
        return redirect("accounts:sign-in")
    if request.method == "POST":
        request.session[CODES_KEY] = recovery.make_codes(request.user)
        return redirect("accounts:codes")
    context = {
        "codes": request.session.pop(CODES_KEY, []),
        "left": recovery.codes_left(request.user),
        "next": _next(request),
    }
    return render(request, "accounts/codes.html", context)


@sensitive_post_parameters("code", "password", "again")
@never_cache
@require_http_methods(["GET", "POST"])
def recover(request: Request) -> HttpResponse:
    """Back into an account with a printed code and a new password."""
    form = RecoverForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        entered = form.cleaned_data
        if wait := _attempts_used_up(request, entered["username"]):
            return _too_many(request, wait)
        user = recovery.recover(entered["username"], entered["code"], entered["password"])
        if user is not None:
            services.sign_in(request, user)
            left = recovery.codes_left(user)
            messages.success(request, f"Your password is new. That code is used up; you have {left} left.")
            return redirect("accounts:home")
        form.add_error("code", "That user name and code do not go together, or the code was used.")
    return render(request, "accounts/recover.html", {"form": form}, status=422 if form.is_bound else 200)


# -- Privacy -------------------------------------------------------------------------------------------------------


@require_GET
def privacy(request: Request) -> HttpResponse:
    context = {
        "operator": privacy_rules.operator(),
        "guest_days": privacy_rules.GUEST_DAYS,
        "cookie_days": settings.SESSION_COOKIE_AGE // (24 * 3600),
        "periods": privacy_rules.periods,
    }
    return render(request, "accounts/privacy.html", context)


def _too_many(request: Request, wait: int) -> HttpResponse:
    response = problem(request, 429, CODES[429], f"Try again in {wait} seconds.", retryAfter=wait)
    response["Retry-After"] = str(wait)
    return response


def _player(request: Request) -> Player | None:
    player: Player | None = request.player
    return player


def _attempts_used_up(request: Request, username: str) -> int:
    """Guessing is slowed per account, wherever it comes from, and per address, whoever it tries."""
    name = hashlib.sha256(username.casefold().encode()).hexdigest()[:32]
    return max(spend("sign-in", f"u:{name}"), spend("sign-in-from", f"a:{address(request)}"))


def _next(request: Request) -> str:
    """Where the person was going, as a path of this site and nothing else."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(target, allowed_hosts=None) and not urlsplit(target).netloc:
        return target
    return reverse("accounts:home")
