"""The page of settings: in force and from where, the doctor's findings, the money left, and the model's preview."""

from collections.abc import Sequence
from typing import cast

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app.conversation import budget
from app.conversation.preview import preview
from app.memory.index import gates
from app.operations.checks import rounds
from app.operations.checks.finding import Finding
from app.store.db import Database
from app.text.secrets import CARD_NUMBER, DENIED
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import bp
from app.web.admin.navigation import Place
from app.web.admin.people import ACCESSES
from app.web.admin.settings_shown import in_force
from app.wiring import carrier_account

PLACE = Place("Settings", "admin.settings", 70)

ASK_SECONDS = 15.0  # Most of those who are asked give up after ten; nobody waits longer for a page.
PEOPLE_SHOWN = 10
BADLY_FIRST = ("bad", "warn", "ok")

# Pages of others that belong here; those that this installation does not have are left out.


@bp.get("/settings")
def settings() -> Response:
    return _page(())


@bp.post("/settings/ask")
def ask_outside() -> Response:
    """The page with what those outside say. It changes nothing, so there is nothing to be sent on from."""
    services = auth.services()
    found = rounds.ask(
        services.settings,
        _database(),
        carrier_account(services.settings),
        services.model,
        services.embedder,
        seconds=ASK_SECONDS,
    )
    return _page(found, asked=True)


@bp.get("/settings/prompt")
def prompts() -> Response:
    services, words = auth.services(), request.args.get("words", "").strip()
    with services.reading() as db:
        found = queries.people(db, services.clock.now(), words=words, access=ACCESSES, limit=PEOPLE_SHOWN)
    return make_response(render_template("admin/prompts.html", words=words, found=found))


@bp.get("/settings/prompt/<int:person_id>")
def prompt(person_id: int) -> Response:
    services = auth.services()
    made = preview(services, person_id)
    page = render_template("admin/prompt.html", person=made.person, made=made, now=services.clock.now())
    return make_response(page)


def _database() -> Database:
    return cast("Database", auth.services().store)


def _page(told: Sequence[Finding], *, asked: bool = False) -> Response:
    services = auth.services()
    found = sorted([*told, *rounds.look(services.settings, _database())], key=lambda one: BADLY_FIRST.index(one.level))
    today = budget.day_of(services.clock.now(), services)
    with services.reading() as db:
        spent = budget.spent_cents(db, today)
        spenders = budget.most_spent(db, today, PEOPLE_SHOWN)
    page = render_template(
        "admin/settings.html",
        findings=found,
        asked=asked,
        spent=spent,
        spenders=spenders,
        limits=services.settings,
        today=today,
        groups=in_force(services.settings),
        denied={what: pattern.pattern for what, pattern in (*DENIED.items(), CARD_NUMBER)},
        gates=gates,
    )
    return make_response(page)
