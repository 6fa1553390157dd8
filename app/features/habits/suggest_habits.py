"""Finds habits in people's texts and has them suggested, one at a time.

It reads only their own words of the last weeks: no command, nothing forwarded or quoted, nothing that came with a file,
nothing from a time when memory was off, and nothing that was forgotten since.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from app import people
from app.clock import local
from app.features.habits import habits
from app.features.habits.habits import Known, Said
from app.features.habits.suggesting import held, open_suggestion
from app.memory import index
from app.memory.forgotten import Fence, forgotten_things, mentions_forgotten
from app.models import Message, Person, Suggestion, Turn, marks, move
from app.routines import suggestions
from app.services import Embedder, Services
from app.text.own_words import Written, holds_others_words, own_words

EVERY_SECONDS = 300  # A suggestion can wait for days; only people with new texts are looked at.
ONE_IN = timedelta(days=7)  # Time between suggestions, and the time to wait for an answer to one.
SILENT_FOR = timedelta(weeks=8)
"""An unanswered suggestion is not made again before: a habit that lasts as long is worth a second question."""
TEXTS_AT_MOST = 2_000  # Theirs and ours, of one person: some thirty a day of each.
LOOKED_AT_ONCE = 2_000  # Texts whose people are looked at in one run: two minutes if each came from another person.
WOKEN_AT_ONCE = 500
MARK = "habits_looked"  # The id of the last message whose person was looked at.

logger = logging.getLogger(__name__)


def run(services: Services) -> None:
    _end_silent(services)
    with services.reading() as db:  # The cost depends on the number of new texts, however many people there are.
        # A message committed after one with a higher id is passed over; the person's next text makes up for it.
        mark = marks.read(db, MARK)
        new = select(Message.id, Message.person_id, Message.direction).where(Message.id > (mark.number if mark else 0))
        found = db.execute(new.order_by(Message.id).limit(LOOKED_AT_ONCE)).all()
    for person_id in dict.fromkeys(row.person_id for row in found if row.direction == "in"):
        try:
            with services.background.at_a_desk():
                _look_at(services, person_id)
        except Exception:  # The job's door: one person's broken texts must not stop it for all others.
            logger.exception("The texts of person %s could not be looked through", person_id)
    if found:
        with services.transaction() as db:
            marks.put(db, MARK, services.clock.now(), number=found[-1].id)
    with services.reading() as db:  # The longest wait first.
        due = select(Suggestion.person_id).where(Suggestion.WAITING, Suggestion.run_at <= services.clock.now())
        waiting = db.scalars(due.order_by(Suggestion.run_at).limit(WOKEN_AT_ONCE)).all()
    for person_id in waiting:
        services.background.wake_within(person_id, 0.0)


def _look_at(services: Services, person_id: int) -> None:
    """Store a suggestion for the person, if their texts have a habit; it is said once it may be."""
    now = services.clock.now()
    with services.reading() as db:
        person = people.by_id(db, person_id)
        if not _are_wanted(db, person, now):
            return
        texts = _texts_of(db, person, now, services.embedder)
        known = _known(db, person_id, now)
    found = habits.find(texts, known, local(now, person.timezone))
    new = next(iter(found), None)
    if new is None:
        return
    new.person_id, new.state, new.run_at, new.created_at = person_id, "waiting", now, now
    with services.transaction() as db:
        if _are_wanted(db, people.by_id(db, person_id), now):
            db.add(new)


def _are_wanted(db: Session, person: Person, now: datetime) -> bool:
    """True if the person may be given a suggestion now."""
    if person.access != "allowed" or person.opted_out_at is not None or person.paused_at is not None:
        return False
    if person.timezone_source == "unknown":  # It would come by UTC, at any hour of theirs.
        return False
    if open_suggestion(db, person.id) is not None:
        return False
    last = select(func.max(Suggestion.said_at)).where(Suggestion.person_id == person.id, Suggestion.state != "dropped")
    said_at = db.scalar(last)
    return said_at is None or not now - ONE_IN < said_at <= now


def _known(db: Session, person_id: int, now: datetime) -> list[Known]:
    """Things not to suggest to the person: those they have or had, and those they were asked about."""
    found = held(db, person_id)
    for one in suggestions.of(db, person_id):
        lately = now - SILENT_FOR < (one.said_at or one.created_at)
        if one.state == "dropped" or (one.state == "silent" and not lately):
            continue
        if one.schedule is None:
            found.append(Known("rule", one.procedure or "", one.manner))
        else:
            found.append(Known("routine", one.words, schedule=suggestions.schedule_of(one), was_asked=lately))
    return found


def _texts_of(db: Session, person: Person, now: datetime, embedder: Embedder | None) -> list[Said]:
    """The person's texts of the last weeks, oldest first."""
    of_text = (Message.id, Message.direction, Message.purpose, Message.state, Message.body, Message.forwarded)
    columns = (*of_text, Message.media_count, Message.created_at, Turn.kind, Turn.memory_on)
    newest = select(*columns).join(Turn, Turn.id == Message.turn_id, isouter=True)
    newest = newest.where(Message.person_id == person.id).order_by(Message.id.desc()).limit(TEXTS_AT_MOST)
    said, fence = list[Said](), Fence(forgotten_things(db, person.id))
    is_after_routine, routine_at = False, now
    for row in reversed(db.execute(newest).all()):
        if row.direction == "out":
            is_after_routine = row.purpose == "routine" and row.state == "sent"
            routine_at = row.created_at
            continue
        answers = is_after_routine and row.created_at - routine_at <= habits.ANSWERS_WITHIN
        is_after_routine = False
        at = local(row.created_at, person.timezone)
        # Answered with memory on, and in the person's own words.
        is_own = row.kind == "reply" and row.memory_on and not (row.forwarded or row.media_count)
        if not is_own or not now - habits.LOOKED_BACK <= at <= now:
            continue
        if not (holds_others_words([Written(row.body)]) or mentions_forgotten(row.body, fence, row.created_at)):
            said.append(Said(row.id, at, own_words([Written(row.body)]), answers_routine=answers))
    if embedder is None or embedder.name not in habits.MEASURED_MODELS:
        return said
    vectors = index.vectors_of(db, person.id, "message", [one.id for one in said], embedder.name)
    return [replace(one, vector=vectors.get(one.id)) for one in said]


def _end_silent(services: Services) -> None:
    """Mark suggestions that got no answer in time as silent."""
    over = (Suggestion.OPEN, Suggestion.state == "said", Suggestion.said_at <= services.clock.now() - ONE_IN)
    if not services.finds(select(Suggestion.id).where(*over)):
        return
    arrived = exists().where(Message.turn_id == Suggestion.turn_id, Message.state != "refused").correlate(Suggestion)
    with services.transaction() as db:
        suggestions.drop(db, "Its text did not reach the person.", *over, ~arrived)
        move(db, Suggestion, "silent", *over)
