"""The page of settings: values in force with their origin, the doctor's findings, money left, and prompt previews."""

import re
from collections.abc import Callable, Sequence
from typing import get_args

from flask import request
from pydantic import SecretStr
from werkzeug.wrappers import Response

from app.conversation import budget
from app.conversation.context import preview
from app.memory.index import query
from app.operations.checks import Finding, rounds
from app.settings import GROUPS, Settings
from app.text.own_words import TOLD_SHARE
from app.text.secrets import CARD_NUMBER, DENIED
from app.web import auth
from app.web.admin.blueprint import Place, bp, page
from app.web.admin.people import people
from app.wiring import carrier_account

PLACE = Place("Settings", "admin.settings", 70)

ASK_SECONDS = 15.0  # Most checks of outside services give up after ten; nobody waits longer for a page.
PEOPLE_SHOWN = 10
BADLY_FIRST = ("bad", "warn", "ok")

WHERE_UNSET: dict[str, Callable[[Settings], str]] = {
    "public_url": lambda settings: settings.address,
    "access": lambda settings: "allowlist" if settings.is_allowlist else "open",
    "embedding_model": lambda _: "the usual one",
    "log_format": lambda _: "text on a terminal, else json",
}
"""Values in force of unset settings that depend on other settings."""


@bp.get("/settings")
def settings(asked_findings: Sequence[Finding] = (), *, asked: bool = False) -> Response:
    services = auth.services()
    found = sorted([*asked_findings, *rounds.check_local(services)], key=lambda one: BADLY_FIRST.index(one.level))
    today = budget.budget_day(services, services.clock.now())
    with services.reading() as db:
        spent, spenders = budget.spent_cents(db, today), budget.most_spent(db, today, PEOPLE_SHOWN)
    return page(
        "settings",
        findings=found,
        asked=asked,
        spent=spent,
        spenders=spenders,
        limits=services.settings,
        today=today,
        groups=in_force(services.settings),
        denied={what: pattern.pattern for what, pattern in (*DENIED.items(), CARD_NUMBER)},
        told_share=TOLD_SHARE,
        query=query,
    )


@bp.post("/settings/ask")
def ask_outside() -> Response:
    """The page with the findings of outside services; it changes nothing, so it does not redirect."""
    services = auth.services()
    return settings(rounds.check_outside(services, carrier_account(services.settings), seconds=ASK_SECONDS), asked=True)


@bp.get("/settings/prompt")
def prompts() -> Response:
    services, words = auth.services(), request.args.get("words", "").strip()
    with services.reading() as db:
        found, _ = people(db, services.clock.now(), words=words, limit=PEOPLE_SHOWN)
    return page("prompts", words=words, found=found)


@bp.get("/settings/prompt/<int:person_id>")
def prompt(person_id: int) -> Response:
    person, context = preview(auth.services(), person_id)
    return page("prompt", person=person, context=context)


def in_force(settings: Settings) -> dict[str, list[dict[str, str]]]:
    """All settings by group, as the page may show them; for a secret, only whether it is set."""
    groups: dict[str, list[dict[str, str]]] = {}
    title = ""
    for name, field in Settings.model_fields.items():
        title = GROUPS.get(name, title)
        is_secret = SecretStr in (field.annotation, *get_args(field.annotation))
        value = _value(settings, name, is_secret=is_secret)
        groups.setdefault(title, []).append({"name": name.upper(), "value": value, "origin": settings.origin(name)})
    return groups


def _value(settings: Settings, name: str, *, is_secret: bool) -> str:
    value = getattr(settings, name)
    if is_secret:
        return "set" if value is not None or settings.origin(name) == "made at the first start" else "not set"
    if value in {None, ""}:
        return WHERE_UNSET[name](settings) if name in WHERE_UNSET else "not set"
    # A URL may hold a user name and a password.
    return re.sub(r"//[^/@\s]*@", "//…@", str(value))
