"""The look for habits in a person's texts, in the background, some time after they texted.

Looked at are their own words of the last weeks: no command, nothing forwarded or quoted, nothing that came with a file,
and nothing of the time in which memory was off.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from app import people
from app.clock import local
from app.errors import EmbeddingError
from app.features.habits import habits, records
from app.features.habits.habits import Habit, Known, Said
from app.memory import index
from app.models import Message, Person, Turn
from app.operations import marks
from app.services import Embedder, Services
from app.text.own_words import Written, others_speak, own_words

TEXTS_AT_MOST = 2_000  # Theirs and ours, of one person: some thirty a day of each.
LOOKED_AT_ONCE = 2_000  # Texts whose people are looked at in one run.
MARK = "habits_looked"
"""Up to which message's id people were looked at."""

logger = logging.getLogger(__name__)


def people_with_news(db: Session) -> tuple[list[int], int | None]:
    """Who texted since the last look, whoever did so first leading, and up to which message that goes; None of none.

    It costs as much as there are new texts, however many people there are.
    """
    mark = marks.read(db, MARK)
    since = mark.number if mark is not None else 0
    new = select(Message.id, Message.person_id, Message.direction).where(Message.id > since)
    rows = db.execute(new.order_by(Message.id).limit(LOOKED_AT_ONCE)).all()
    texted = dict.fromkeys(row.person_id for row in rows if row.direction == "in")
    return list(texted), rows[-1].id if rows else None


def note_looked(db: Session, upto: int, now: datetime) -> None:
    marks.put(db, MARK, now, number=upto)


def look(services: Services, person_id: int) -> bool:
    """Whether something was found to suggest to the person; it is kept, and said when it may be."""
    now = services.clock.now()
    records.settle_of(services, person_id)
    embedder = services.embedder if _is_measured(services.embedder) else None
    with services.reading() as db:
        person = people.by_id(db, person_id)
        if not records.are_wanted(db, person, now):
            return False
        zones = people.zones(db, person)
        texts = _said(db, person, zones, now, embedder)
        known = records.known(db, person_id, now)
    here = local(now, person.timezone)
    found = habits.find(texts, known, here, settled_since=zones.settled_at)
    found = [one for one in found if one.kind == "rule" or person.timezone_source != "unknown"]
    if found and embedder is not None:
        meant = _with_meaning(embedder, known)
        found = [one for one in found if not habits.is_known(one, meant)]
    return bool(found) and _keep(services, person_id, found[0], now)


def _keep(services: Services, person_id: int, habit: Habit, now: datetime) -> bool:
    with services.transaction() as db:
        if not records.are_wanted(db, people.by_id(db, person_id), now):
            return False
        records.add(db, person_id, habit, now)
        return True


def _said(db: Session, person: Person, zones: people.Zones, now: datetime, embedder: Embedder | None) -> list[Said]:
    """The person's texts of the last weeks, oldest first."""
    rows = _texts(db, person.id)
    said: list[Said] = []
    is_after_routine, routine_at = False, now
    for row in rows:
        if row.direction == "out":
            is_after_routine = row.purpose == "routine" and row.state == "sent"
            routine_at = row.created_at
            continue
        answers = is_after_routine and row.created_at - routine_at <= habits.ANSWERS_WITHIN
        is_after_routine = False
        at = local(row.created_at, zones.at(row.created_at))
        if now - habits.LOOKED_BACK <= at <= now and _is_own(row):
            said.append(Said(row.id, at, own_words([Written(row.body)]), answers_routine=answers))
    if embedder is None or not said:
        return said
    vectors = index.vectors_of(db, person.id, "message", [one.id for one in said], embedder.name)
    return [replace(one, vector=vectors.get(one.id)) for one in said]


def _texts(db: Session, person_id: int) -> list[Row[Any]]:
    columns = (
        Message.id,
        Message.direction,
        Message.purpose,
        Message.state,
        Message.body,
        Message.forwarded,
        Message.media_count,
        Message.created_at,
        Turn.kind,
        Turn.memory_on,
    )
    newest = select(*columns).join(Turn, Turn.id == Message.turn_id, isouter=True)
    newest = newest.where(Message.person_id == person_id).order_by(Message.id.desc()).limit(TEXTS_AT_MOST)
    rows: list[Row[Any]] = [*db.execute(newest)]
    return rows[::-1]


def _is_own(row: Row[Any]) -> bool:
    """Whether the text was answered, with memory on, as what the person says themselves."""
    if row.kind != "reply" or not row.memory_on or row.forwarded or row.media_count:
        return False
    return not others_speak([Written(row.body)])


def _is_measured(embedder: Embedder | None) -> bool:
    return embedder is not None and embedder.name in habits.MEASURED_MODELS


def _with_meaning(embedder: Embedder, known: Sequence[Known]) -> list[Known]:
    """The same with vectors of what routines do and rules say, of which the index has none."""
    if not known:
        return []
    try:
        vectors = embedder.embed([one.words for one in known])
    except EmbeddingError:
        logger.warning("What is known could not be embedded; its words decide what is suggested.")
        return list(known)
    return [replace(one, vector=vector) for one, vector in zip(known, vectors, strict=True)]
