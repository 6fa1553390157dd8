"""What happened, as it is remembered of a person's conversations: found, read in full, forgotten."""

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import NotFound
from app.memory import episodes as episode_rows
from app.memory import index
from app.web import auth
from app.web.admin import queries
from app.web.admin.blueprint import asked_id, bp, done, not_done
from app.web.admin.facts import OPERATOR


@bp.get("/people/<int:person_id>/episodes")
def episodes(person_id: int) -> Response:
    services = auth.services()
    words, before = request.args.get("words", "").strip(), asked_id("before")
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = episode_rows.live(db, person_id)
        if words:
            hits = set(index.find(db, person_id, "episode", words))
            found = [episode for episode in found if episode.id in hits]
    shown = found
    if before is not None:  # Those that stand behind it in the list, which goes by time and not by number.
        places = [place for place, episode in enumerate(found) if episode.number == before]
        shown = found[places[0] + 1 :] if places else []
    page = render_template(
        "admin/episodes.html",
        person=person,
        episodes=shown[: queries.EPISODES_ON_A_PAGE],
        has_more=len(shown) > queries.EPISODES_ON_A_PAGE,
        total=len(found),
        words=words,
        before=before,
        now=services.clock.now(),
    )
    return make_response(page)


@bp.get("/people/<int:person_id>/episodes/<int:number>")
def episode(person_id: int, number: int) -> Response:
    services = auth.services()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        found = episode_rows.live_by_number(db, person_id, number)
        if found is None:
            raise NotFound(f"There is no episode {number} of this person, or it is forgotten.")
        texts, learned = episode_rows.messages(db, found), episode_rows.facts(db, found)
    page = render_template(
        "admin/episode.html", person=person, episode=found, texts=texts, facts=learned, now=services.clock.now()
    )
    return make_response(page)


@bp.post("/people/<int:person_id>/episodes/<int:number>/forget")
def forget_episode(person_id: int, number: int) -> Response:
    if memory.forget_episodes(auth.services(), person_id, [number], OPERATOR).unknown:
        return not_done(f"Episode {number} is not there to forget.", "admin.episodes", person_id=person_id)
    return done(f"Forgot episode {number}. Its texts are kept.", "admin.episodes", person_id=person_id, can_undo=True)
