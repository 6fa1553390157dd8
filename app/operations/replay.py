"""Opt-outs and forgettings that came after a backup, applied again to its copy, and the texts that still wait.

They are read from the database that the copy replaces. People are found by their address, and their memories and
routines by number and time of creation: the number alone may have been given to something else since.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app import memory, people
from app.delivery import restored
from app.memory import Origin, episodes, facts, forgotten, rules
from app.memory.changes import record, set_fields
from app.memory.episodes import batches
from app.memory.forgotten import forgotten_subjects
from app.models import Change, ChangeItem, Consent, Conversation, Episode, Fact, Person, Routine, Rule, Turn
from app.people import calendars, consents
from app.routines import rows, setting
from app.services import Services
from app.store.db import Database
from app.text.wording import normalise

BY_RESTORE = Origin("operator", "operator")

_HOURS = ("timezone", "timezone_source", "away_until", "home_timezone", "home_timezone_source", "quiet_hours")
_CHANGED = select(func.max(func.coalesce(Change.undone_at, Change.at))).join(ChangeItem)
_STANDING = (*_HOURS, "paused_at", "paused_until")
_CONSENT = ("agrees", "how", "words", "at")
_OF_ONE_DATABASE = frozenset({"id", "person_id", "message_id", "quote", "retired_at", "merged_into"})


def bring_hours(services: Services, later: Database, until: datetime) -> None:
    """Bring pauses, zones and quiet hours of the later database, in use up to `until`; routines follow them.

    Call it before what was due is held back: by an older zone the hour of a reminder may have passed.
    """
    with later.reading() as then, services.transaction() as db:
        for known in people.everyone(then):
            if (person := people.by_address(db, known.address)) is None:
                continue
            changed = set_fields(person, {name: getattr(known, name) for name in _STANDING})
            if items := [one for one in changed if one.field in _HOURS]:
                record(db, person.id, "revise", BY_RESTORE, services.clock.now(), items)  # An undo comes to it first.
                at = then.scalar(_CHANGED.where(Change.person_id == known.id, ChangeItem.field.in_(_HOURS)))
                rows.follow_person(db, person.id, at or until, with_held=False)


class Replayed(NamedTuple):
    """Counts of what the later database told."""

    refused: int  # People with news about being texted.
    forgot: int  # People who had something forgotten.
    brought: int  # Texts that waited there, and wait here now.


def replay(services: Services, later: Database) -> Replayed:
    """Apply here all that was refused and forgotten in the later database, and bring the texts that wait there."""
    with later.reading() as then:
        known = people.everyone(then)
        return Replayed(
            refused=sum(_bring_standing(services, then, person) for person in known),
            forgot=sum(_forget_again(services, then, person) for person in known),
            brought=sum(restored.bring_waiting(services, then, person) for person in known),
        )


def _bring_standing(services: Services, then: Session, known: Person) -> bool:
    """Bring consents and blocks up to date; True if a consent or block was new here."""
    now = services.clock.now()
    with services.transaction() as db:
        person = people.by_address(db, known.address)
        if person is None:
            if known.opted_out_at is None and known.access != "blocked" and not restored.waiting(then, known):
                return False
            person = people.add(db, known.address, access=known.access, now=now)
            set_fields(person, {name: getattr(known, name) for name in _STANDING})
        _bring_memory_off(db, then, person.id, known.id)
        said = _said(db, person.id)
        news = [one for one in _said(then, known.id) if one not in said]
        db.add_all(Consent(person_id=person.id, **one) for one in news)
        if known.opted_out_at is not None and person.opted_out_at is None:
            consents.withdraw(db, person, known.opted_out_at, now)
        elif known.opted_out_at is None:
            consents.restore_consent(person)
        rows.follow_person(db, person.id, now)  # Checks again what is held.
        is_blocked_since = known.access == "blocked" != person.access
    if is_blocked_since:
        people.block(services, person.id)
    return is_blocked_since or bool(news)


def _bring_memory_off(db: Session, then: Session, ours: int, theirs: int) -> None:
    """Turn memory off in the conversation that goes on, if it is off there."""
    newest = select(Conversation).where(Conversation.person_id == theirs).order_by(Conversation.id.desc()).limit(1)
    last = then.scalar(newest)
    if last is None or last.memory_on:
        return
    same = (Conversation.person_id == ours, Conversation.started_at == last.started_at)
    here = db.scalar(select(Conversation).where(*same)) or Conversation(person_id=ours, started_at=last.started_at)
    here.last_at, here.memory_on = last.last_at, False
    db.add(here)


def _said(db: Session, person_id: int) -> list[dict[str, object]]:
    return [{name: getattr(one, name) for name in _CONSENT} for one in consents.of(db, person_id)]


def _forget_again(services: Services, then: Session, known: Person) -> bool:
    """Forget, end or disconnect again what the person has since removed; True if any of it was here."""
    with services.transaction() as db:
        person = people.by_address(db, known.address)
        if person is None:
            return False
        who, by = person.id, BY_RESTORE
        gone = [facts.versions(then, known.id, number)[-1] for number in sorted(forgotten.forgotten_at(then, known.id))]
        numbers = [number for fact in gone if (number := _held(db, person, fact)) is not None]
        since = dict(forgotten_subjects(db, who))
        subjects = [said for said, at in forgotten_subjects(then, known.id) if since.get(said) != at]
        again = [one.number for one, _ in episodes.forgotten(then, known.id) if _is_told_again(db, then, who, one)]
        ended = _same(rules.forgotten(then, known.id), rules.live(db, who))
        theirs, standing = rows.all_of(then, known.id), rows.standing(db, who)
        cancelled = _same((one for one in theirs if one.state == "cancelled"), standing)
        active = [one for one in standing if one.state == "active"]
        paused = _same((one for one in theirs if one.state == "paused"), active)
        connected = {one.name for one in calendars.of(db, who)} - {one.name for one in calendars.of(then, known.id)}
        before, things = forgotten.forgotten_things(db, who), forgotten.forgotten_things(then, known.id)
        names = (*subjects, *(one.name for one in things if one not in before))
        is_named = person.name is not None and person.name != known.name
        is_named = is_named and normalise(person.name or "") in map(normalise, names)
    if is_named:
        people.forget_name(services, who, by)
    memory.forget(services, who, numbers, by, about=subjects)
    memory.forget_episodes(services, who, again, by)
    memory.forget_rules(services, who, ended, by)
    setting.cancel(services, who, cancelled, by)
    for number in paused:
        setting.pause(services, who, number, by)
    for name in sorted(connected):
        calendars.disconnect(services, who, name, by)
    return is_named or any((numbers, subjects, again, ended, cancelled, paused, connected))


def _same(theirs: Iterable[Routine | Rule], ours: Iterable[Routine | Rule]) -> list[int]:
    """The numbers of `theirs` that also exist in `ours`."""
    made: Mapping[int, datetime] = {one.number: one.created_at for one in ours}
    return [one.number for one in theirs if made.get(one.number) == one.created_at]


def _held(db: Session, person: Person, fact: Fact) -> int | None:
    """The number under which the forgotten fact is held here, so that it can be forgotten; None if it already is.

    A fact learned after the backup is added first: its source is here, and might teach it again.
    """
    held = facts.held_by_number(db, person.id, fact.number)
    if held is not None and held.created_at == fact.created_at:
        return held.number
    if fact.number <= person.last_fact_number or facts.held_by_sentence(db, person.id, fact.sentence) is not None:
        return None
    values = {column.key: getattr(fact, column.key) for column in Fact.__table__.columns}
    db.add(Fact(person_id=person.id, **{name: value for name, value in values.items() if name not in _OF_ONE_DATABASE}))
    person.last_fact_number = fact.number
    db.flush()
    return fact.number


def _is_told_again(db: Session, then: Session, person_id: int, episode: Episode) -> bool:
    """True if the forgotten episode is live here; if not, its turns are closed off so that no episode covers them."""
    began = then.get_one(Conversation, episode.conversation_id).started_at
    conversation = db.get(Conversation, episode.conversation_id)
    if conversation is None or (conversation.person_id, conversation.started_at) != (person_id, began):
        return False
    live = episodes.held_by_number(db, person_id, episode.number)
    if live is not None and live.conversation_id == conversation.id:
        return True
    last = db.scalar(select(func.max(Turn.id)).where(Turn.conversation_id == conversation.id)) or 0
    batches.close_up_to(db, conversation.id, min(episode.upto_turn_id, last))
    return False
