"""The pages of a person's episodes and of one episode: search, read, forget and restore."""

from collections.abc import Iterable
from http import HTTPStatus

from sqlalchemy.orm import Session
from werkzeug.wrappers import Response

from app import memory, people
from app.errors import Conflict, NotFound
from app.memory import episodes as rows
from app.memory import index
from app.models import Person
from app.web import auth
from app.web.admin import masking
from app.web.admin.blueprint import action, bp, by_operator, done, not_done, page
from app.web.admin.facts import page_of_rows
from app.web.admin.provenance import uses


@bp.get("/people/<int:person_id>/episodes")
def episodes(person_id: int) -> Response:
    words = masking.searched(person_id, "words")
    with auth.services().reading() as db:
        person, found = people.by_id(db, person_id), rows.live(db, person_id)
        if words:
            hits = set(index.find(db, person_id, "episode", words))
            found = [episode for episode in found if episode.id in hits]
    return page("episodes", person=person, episodes=page_of_rows(found), total=len(found), words=words)


@bp.get("/people/<int:person_id>/episodes/<int:number>")
def episode(person_id: int, number: int) -> Response:
    with auth.services().reading() as db:
        person = people.by_id(db, person_id)
        found = rows.held_by_number(db, person_id, number)
        if found is None:
            return _gone_page(db, person, number)
        shown = {
            "texts": rows.messages(db, found),
            "facts": rows.facts(db, found),
            "uses": uses(db, person_id, "episode", number),
        }
    return page("episode", person=person, episode=found, **shown)


def _gone_page(db: Session, person: Person, number: int) -> Response:
    """The page of an episode that is not live; it shows none of its words, since some of them are forgotten.

    Raises:
        NotFound: there never was such an episode.
    """
    versions = rows.versions(db, person.id, number)
    if not versions:
        raise NotFound(f"This person never had an episode {number}.")
    was_forgotten = any(one.number == number for one, _ in rows.forgotten(db, person.id))
    texts = [] if was_forgotten else rows.messages(db, versions[-1])
    if again := rows.of_messages(db, person.id, [text.id for text in texts]):
        sentence = f"Episode {number} was told again: this is how it is told now, as episode {again[0].number}."
        return done(sentence, "admin.episode", number=again[0].number)
    shown = {"number": number, "was_forgotten": was_forgotten, "first_message": texts[0] if texts else None}
    response = page("episode_gone", person=person, **shown)
    response.status_code = HTTPStatus.NOT_FOUND
    return response


@action("/people/<int:person_id>/episodes/<int:number>/restore", "admin.episodes")
def restore_episode(person_id: int, number: int) -> str | Response:
    try:
        restored = memory.restore_episodes(auth.services(), person_id, number)
    except (Conflict, NotFound) as error:
        return not_done(error, "admin.forgotten")
    sentences = []
    if restored.back:
        sentences.append(f"Remembered again: {_named(one.number for one in restored.back)}.")
    if restored.told_anew:
        sentences.append(f"Told anew soon, without what was forgotten since: {_named(restored.told_anew)}.")
    return " ".join(sentences)


def _named(numbers: Iterable[int]) -> str:
    return ", ".join(f"episode {number}" for number in numbers)


@action("/people/<int:person_id>/episodes/<int:number>/forget", "admin.episodes", told=NotFound)
def forget_episode(person_id: int, number: int) -> str:
    if memory.forget_episodes(auth.services(), person_id, [number], by_operator(person_id)).unknown:
        raise NotFound(f"Episode {number} is not there to forget.")
    return f"Forgot episode {number}. It is kept under Forgotten, and its texts stay."
