"""A person's texts as they looked on the phone, with what each turn did folded under it."""

from flask import make_response, render_template
from werkzeug.wrappers import Response

from app import people
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import asked_id, bp


@bp.get("/people/<int:person_id>")
def conversation(person_id: int) -> Response:
    services = auth.services()
    around = asked_id("around")
    with services.reading() as db:
        person = people.by_id(db, person_id)
        thread = queries.thread(
            db,
            person_id,
            before=asked_id("before"),
            after=asked_id("after"),
            around=around,
        )
    page = render_template(
        "admin/conversation.html", person=person, thread=thread, sought=around, now=services.clock.now()
    )
    return make_response(page)
