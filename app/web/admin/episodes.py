"""The page of a person's episodes: found, read in full, forgotten."""

from collections.abc import Iterable
from http import HTTPStatus

from flask import make_response, render_template, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, NotFound
from app.memory import episodes as episode_rows
from app.memory import index
from app.memory.episodes.forgotten import forgotten
from app.memory.recall import MAX_FOUND
from app.models import Person
from app.web import auth
from app.web.admin import fact_queries, masking, queries
from app.web.admin.blueprint import asked_id, bp, done, not_done
from app.web.admin.undoing import by_operator


@bp.get("/people/<int:person_id>/episodes")
def episodes(person_id: int) -> Response:
    words = masking.searched(person_id, "words")
    if words and request.args.get("by") == "meaning":
        return _by_meaning(person_id, words)
    services, before = auth.services(), asked_id("before")
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
        by="words",
        before=before,
        now=services.clock.now(),
    )
    return make_response(page)


def _by_meaning(person_id: int, words: str) -> Response:
    services = auth.services()
    found = memory.recall(services, person_id, words, MAX_FOUND, kinds=["episode"]).episodes
    with services.reading() as db:
        person = people.by_id(db, person_id)
    page = render_template(
        "admin/episodes.html",
        person=person,
        episodes=[one.episode for one in found],
        has_more=False,
        total=len(found),
        words=words,
        by="meaning",
        has_embedder=services.embedder is not None,
        before=None,
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
            return _not_there_now(db, person, number)
        texts, learned = episode_rows.messages(db, found), episode_rows.facts(db, found)
        uses = fact_queries.uses(db, person_id, "episode", number)
    page = render_template(
        "admin/episode.html",
        person=person,
        episode=found,
        texts=texts,
        facts=learned,
        uses=uses,
        now=services.clock.now(),
    )
    return make_response(page)


def _not_there_now(db: Session, person: Person, number: int) -> Response:
    """What became of an episode that is not live: nothing of what it said is shown, since some of it is forgotten.

    Raises:
        NotFound: there never was one.
    """
    versions = episode_rows.versions(db, person.id, number)
    if not versions:
        raise NotFound(f"This person never had an episode {number}.")
    was_forgotten = any(one.number == number for one, _ in forgotten(db, person.id))
    again = [] if was_forgotten else queries.told_again(db, versions[-1])
    if again:
        return done(
            f"Episode {number} was told again: this is how it is told now, as episode {again[0].number}.",
            "admin.episode",
            person_id=person.id,
            number=again[0].number,
        )
    first = next(iter(episode_rows.messages(db, versions[-1])), None)
    page = render_template(
        "admin/episode_gone.html",
        person=person,
        number=number,
        was_forgotten=was_forgotten,
        first_message=None if was_forgotten else first,
        now=auth.services().clock.now(),
    )
    return make_response(page, HTTPStatus.NOT_FOUND)


@bp.post("/people/<int:person_id>/episodes/<int:number>/restore")
def restore_episode(person_id: int, number: int) -> Response:
    try:
        restored = memory.restore_episodes(auth.services(), person_id, number)
    except (Conflict, NotFound) as error:
        return not_done(error, "admin.forgotten", person_id=person_id)
    sentences = []
    if restored.back:
        sentences.append(f"Remembered again: {_named(one.number for one in restored.back)}.")
    if restored.told_anew:
        sentences.append(
            f"Told anew soon, without what was forgotten since: {_named(restored.told_anew)}.",
        )
    return done(" ".join(sentences), "admin.episodes", person_id=person_id)


def _named(numbers: Iterable[int]) -> str:
    return ", ".join(f"episode {number}" for number in numbers)


@bp.post("/people/<int:person_id>/episodes/<int:number>/forget")
def forget_episode(person_id: int, number: int) -> Response:
    if memory.forget_episodes(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        return not_done(NotFound(f"Episode {number} is not there to forget."), "admin.episodes", person_id=person_id)
    return done(
        f"Forgot episode {number}. It is kept under Forgotten, and its texts stay.",
        "admin.episodes",
        person_id=person_id,
    )
