"""Refusals and requests to forget that a backup knows nothing of, since they came later: said again to its copy.

They are read from the database that the copy takes the place of. People are found by their address, and what they had
by its number and the time it was made: a number alone may have been given to something else since.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app import memory, people
from app.memory import Origin, episodes, facts, forgotten, rules
from app.memory.episodes import batches
from app.memory.episodes.retelling import forgotten_episodes, forgotten_subjects
from app.models import Consent, Conversation, Episode, Fact, Person, Routine, Turn
from app.people import calendars, consents
from app.routines import rows, setting
from app.services import Services, Store

BY_RESTORE = Origin("operator", "operator")

_STANDING = ("quiet_hours", "paused_at", "paused_until")
_CONSENT = ("agrees", "how", "words", "at")
_OF_ONE_DATABASE = frozenset({"id", "person_id", "message_id", "quote", "retired_at", "merged_into"})

Made = Mapping[int, datetime]
"""When each thing was made, by its number."""


@dataclass(frozen=True)
class _Known:
    """One person, as the later database knows them."""

    person: Person
    consents: Sequence[dict[str, Any]]
    facts: Sequence[Fact]
    """The last version of each that is forgotten."""
    subjects: Sequence[tuple[str, datetime]]
    has_no_name: bool
    episodes: Sequence[tuple[Episode, datetime]]
    """Those that were forgotten by themselves, and when the conversation of each began."""
    rules: Made
    routines: Mapping[str, Made]
    """Those cancelled and those paused."""
    calendars: frozenset[str]
    """Names of those that are connected."""


@dataclass(frozen=True)
class Replayed:
    """How many people the copy learned something of."""

    refusals: int
    forgotten: int


def replay(services: Services, later: Store) -> Replayed:
    """Have the services' database know of all that was refused and forgotten in the later one."""
    with later.reading() as db:
        known = [_known(db, person) for person in people.everyone(db)]
    refused = [_bring_standing(services, one) for one in known]
    forgot = [_forget_again(services, one) for one in known]
    return Replayed(sum(refused), sum(forgot))


def _known(db: Session, person: Person) -> _Known:
    gone = forgotten.numbers_gone(db, person.id)
    theirs = rows.all_of(db, person.id)
    began = {one.id: db.get_one(Conversation, one.conversation_id).started_at for one in _episodes(db, person.id)}
    return _Known(
        person=person,
        consents=[{name: getattr(one, name) for name in _CONSENT} for one in consents.of(db, person.id)],
        facts=[facts.versions(db, person.id, number)[-1] for number in sorted(gone)],
        subjects=[(said, at) for said, at, _ in forgotten_subjects(db, person.id)],
        has_no_name=person.name is None and any(one.name for one in forgotten.gone(db, person.id)),
        episodes=[(one, began[one.id]) for one in _episodes(db, person.id)],
        rules={one.number: one.created_at for one in rules.forgotten(db, person.id)},
        routines={state: _made(one for one in theirs if one.state == state) for state in ("cancelled", "paused")},
        calendars=frozenset(one.name for one in calendars.of(db, person.id)),
    )


def _episodes(db: Session, person_id: int) -> list[Episode]:
    return [episode for episode, _ in forgotten_episodes(db, person_id)]


def _made(routines: Iterator[Routine]) -> Made:
    return {one.number: one.created_at for one in routines}


def _bring_standing(services: Services, known: _Known) -> bool:
    """Whether what the person has said on being texted, or the operator on hearing them, was not known here."""
    now, theirs = services.clock.now(), known.person
    refuses = theirs.opted_out_at is not None or theirs.access == "blocked"
    with services.transaction() as db:
        person = people.by_address(db, theirs.address)
        if person is None:
            if not refuses:
                return False
            person = people.add(db, theirs.address, access=theirs.access, now=now)
        said = [{name: getattr(one, name) for name in _CONSENT} for one in consents.of(db, person.id)]
        news = [one for one in known.consents if one not in said]
        db.add_all(Consent(person_id=person.id, **one) for one in news)
        for name in _STANDING:
            setattr(person, name, getattr(theirs, name))
        if theirs.opted_out_at is not None and person.opted_out_at is None:
            consents.withdraw(db, person, theirs.opted_out_at, now)
        elif theirs.opted_out_at is None:
            consents.give_back(person)
        is_blocked_since = theirs.access == "blocked" != person.access
    if is_blocked_since:
        people.block(services, person.id)
    return is_blocked_since or bool(news)


def _forget_again(services: Services, known: _Known) -> bool:
    """Whether the person had anything here that they had forgotten, ended or disconnected since."""
    with services.transaction() as db:
        person = people.by_address(db, known.person.address)
        if person is None:
            return False
        numbers = [number for fact in known.facts if (number := _held(db, person, fact)) is not None]
        since = {said: at for said, at, _ in forgotten_subjects(db, person.id)}
        subjects = [said for said, at in known.subjects if since.get(said) != at]
        gone_episodes = [one.number for one, began in known.episodes if _is_told_again(db, person.id, one, began)]
        gone_rules = _same(known.rules, {one.number: one.created_at for one in rules.live(db, person.id)})
        standing = _made(iter(rows.standing(db, person.id)))
        cancelled = _same(known.routines["cancelled"], standing)
        active = _made(one for one in rows.standing(db, person.id) if one.state == "active")
        paused = _same(known.routines["paused"], active)
        connected = [one.name for one in calendars.of(db, person.id) if one.name not in known.calendars]
    who, by = person.id, BY_RESTORE
    steps: list[Callable[[], object]] = [
        *([lambda: people.forget_name(services, who, by)] if known.has_no_name and person.name is not None else []),
        *([lambda: memory.forget(services, who, numbers, by, about=subjects)] if numbers or subjects else []),
        *([lambda: memory.forget_episodes(services, who, gone_episodes, by)] if gone_episodes else []),
        *([lambda: memory.forget_rules(services, who, gone_rules, by)] if gone_rules else []),
        *([lambda: setting.cancel(services, who, cancelled, by)] if cancelled else []),
        *[lambda number=number: setting.pause(services, who, number, by) for number in paused],
        *[lambda name=name: calendars.disconnect(services, who, name, by) for name in connected],
    ]
    for step in steps:
        step()
    return bool(steps)


def _same(theirs: Made, ours: Made) -> list[int]:
    return [number for number, made in theirs.items() if ours.get(number) == made]


def _held(db: Session, person: Person, fact: Fact) -> int | None:
    """The number under which the forgotten fact is held here, to be forgotten; None where it is forgotten already.

    One that was learned later is added: what it was learned from is here, and may teach it again.
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


def _is_told_again(db: Session, person_id: int, episode: Episode, began: datetime) -> bool:
    """Whether the forgotten episode is live here; what would become it is in no episode from now on."""
    conversation = db.get(Conversation, episode.conversation_id)
    if conversation is None or (conversation.person_id, conversation.started_at) != (person_id, began):
        return False
    live = episodes.live_by_number(db, person_id, episode.number)
    if live is not None and live.conversation_id == conversation.id:
        return True
    last = db.scalar(select(func.max(Turn.id)).where(Turn.conversation_id == conversation.id)) or 0
    batches.close_up_to(db, conversation.id, min(episode.upto_turn_id, last))
    return False
