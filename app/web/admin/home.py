"""*Today*: how things stand, what waits, what is wrong, what comes; each leads to where it is seen in full."""

from datetime import timedelta

from flask import make_response, render_template, url_for
from werkzeug.wrappers import Response

from app import people
from app.conversation.budget import day_of
from app.delivery import inbox
from app.errors import Refused
from app.operations.checks import rounds
from app.web import auth, figures
from app.web.admin import live, today_queries
from app.web.admin.blueprint import bp, done, not_done
from app.web.admin.navigation import Place
from app.web.admin.shown import as_count
from app.web.streams import Sections, fingerprint

PLACE = Place("Today", "admin.home", 10)

COMING_WITHIN = timedelta(hours=12)  # What comes until the operator looks again, by day as by night.


@bp.get("/")
def home() -> Response:
    sections = _sections()
    page = render_template(
        "admin/home.html",
        lists=live.written(sections),
        events=url_for("admin.home_events", known=fingerprint(sections)),
        snapshot=url_for("admin.home_snapshot"),
    )
    return make_response(page)


@bp.post("/people/<int:person_id>/try-again")
def try_again(person_id: int) -> Response:
    """Texts that were given up wait again, each as if it had just come."""
    services = auth.services()
    with services.reading() as db:
        address = people.by_id(db, person_id).address
    try:
        count = inbox.try_again(services, address)
    except Refused:
        return not_done(
            Refused(
                "Not tried again: this person is blocked, waits to be let in, or has opted out, so nothing would be "
                "sent."
            ),
            "admin.conversation",
            person_id=person_id,
        )
    return done(f"{as_count(count, 'text')} tried again.", "admin.conversation", person_id=person_id)


def _sections() -> Sections:
    services = auth.services()
    now, settings = services.clock.now(), services.settings
    with services.reading() as db:
        today = today_queries.today(db, now, day_of(now, services), COMING_WITHIN)
    amiss = rounds.glance(settings)
    parts = live.parts("admin/home_parts.html", now=now)
    half, most = (figures.quantile(today.reply_seconds, share) for share in (0.5, 0.95))
    return {
        "alerts": [[alert.kind, str(parts.alert(alert))] for alert in today.alerts]
        or [["none", str(parts.no_alert())]],
        "findings": [["doctor", str(parts.findings(amiss))]] if amiss else [],
        "figures": [
            ["texts", str(parts.texts(today.texts))],
            ["answers", str(parts.answers(today.texts, half, most))],
            ["waiting", str(parts.waiting_figure(today))],
            ["delivery", str(parts.delivery(today))],
            ["spend", str(parts.spend(today.spent_cents, settings.daily_budget_cents))],
        ],
        "stuck": [["stuck", str(parts.stuck(today.waiting, today.dead))]],
        "strangers": [["strangers", str(parts.strangers(today.strangers))]],
        "coming": [["coming", str(parts.coming(today.coming))]],
        "changed": [["changed", str(parts.changed(today.changed, today.verbs))]],
    }


live.offer("/", "home", _sections)
