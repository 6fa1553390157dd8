"""Undo: take back the last change to a person's memory, or a given one, by any actor."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from app.clock import MOMENT, spoken_date
from app.errors import Conflict, NotFound
from app.memory import changes, episodes, facts, rules
from app.memory.changes import CALENDAR, EPISODE, QUOTE, SUBJECT, TELLS_FORGOTTEN, TEXTS, held_version
from app.memory.episodes import retelling
from app.memory.forgotten import forgotten_facts
from app.memory.rules import spoken
from app.memory.subjects import joined_subjects, times
from app.models import Calendar, Change, ChangeItem, Episode, Fact, Person, Rule
from app.routines import rows
from app.routines.described import spoken_end
from app.services import Services
from app.settings.defaults import QUIET_HOURS

_OF_RETELLING = frozenset({SUBJECT, EPISODE, TEXTS})
"""Fields of items about retelling: what a change had retold, and the subjects it left out."""
_UNSAID = _OF_RETELLING | {QUOTE, "home_timezone", "home_timezone_source"}
_INSTANTS = frozenset({"archived_at", "expires_at", "paused_at", "paused_until", "away_until"})


@dataclass(frozen=True)
class RestoredEpisodes:
    back: list[Episode]  # Forgotten in the same change, and live again.
    told_anew: list[int]
    """Numbers of episodes that are retold instead, as something they may tell was forgotten meanwhile."""


def undo(services: Services, person_id: int, turn_id: int | None = None, *, change_id: int | None = None) -> str | None:
    """Take back the change with that id, or the last one; a sentence for the person, or None if no change is left.

    A turn undoes one change: repeated after a crash, it returns the same sentence. A move is undone on both sides.

    Raises:
        NotFound: the person has no such change, or it was already taken back.
        UndoBlocked: a later change touched the same row or field.
        Conflict: a fact or rule that would come back is held under another number.
    """
    now = services.clock.now()
    with services.transaction() as db:  # Not for one person: a move is undone on both sides.
        done = select(Change).where(Change.undone_by_turn_id == turn_id).limit(1)
        change = db.scalars(done).one_or_none() if turn_id is not None else None
        if change is None:
            change = changes.latest_not_undone(db, person_id, change_id)
            if change is None and change_id is not None:
                raise NotFound("There is no such change left to take back.")
            if change is None:
                return None
            is_other = or_(Change.id == change.moved_with_id, Change.moved_with_id == change.id)
            other = db.scalars(select(Change).where(is_other, Change.undone_at.is_(None))).one_or_none()
            for one in filter(None, (change, other)):
                changes.check_may_be_undone(db, one)
                undo_change(db, one, now, turn_id if one is change else None)
        told = [_phrase(db, item) for item in change.items if item.field not in _UNSAID]
        phrases = [*dict.fromkeys(filter(None, told)), *_of_retelling(db, change.items)]
        return f"Undone: {'; '.join(phrases)}."


def restore_episodes(services: Services, person_id: int, number: int) -> RestoredEpisodes:
    """Restore a forgotten episode by undoing its change, which restores all the episodes forgotten with it.

    Raises:
        NotFound: no episode with that number is forgotten.
        Conflict: it was retold without something forgotten; only undoing that brings it back.
    """
    with services.transaction(person_id) as db:
        forgotten = episodes.forgotten(db, person_id)
        change = next((change for episode, change in forgotten if episode.number == number), None)
        is_live = episodes.held_by_number(db, person_id, number) is not None
        if change is None and not is_live and episodes.versions(db, person_id, number):
            raise Conflict(
                f"Episode {number} is told again without something that was forgotten. Undo brings it back as it was "
                "once it has come to that change: it takes back the last change first."
            )
        if change is None:
            raise NotFound(f"No episode {number} is forgotten: it is remembered, or it never was.")
        gone = [db.get_one(Episode, item.retired_episode_id) for item in change.items if item.retired_episode_id]
        undo_change(db, change, services.clock.now(), None)
        found = [(one.number, episodes.held_by_number(db, person_id, one.number)) for one in gone]
        back = [episode for _, episode in found if episode is not None]
        return RestoredEpisodes(back, [name for name, episode in found if episode is None])


def undo_change(db: Session, change: Change, now: datetime, turn_id: int | None) -> None:
    """Undo one change.

    Raises:
        Conflict: a fact or rule that would come back is held under another number.
    """
    person = db.get_one(Person, change.person_id)
    for item in reversed(change.items):
        if item.field not in _OF_RETELLING:
            _set_back(db, person, item, now)
    # Do not restart a stay or a pause that has ended: it would end at once and be the last change again.
    is_end = any(item.field == "away_until" and item.after is None for item in change.items)
    if is_end and person.away_until is not None and person.away_until <= now:
        person.away_until = person.home_timezone = person.home_timezone_source = None
    if person.paused_until is not None and person.paused_until <= now:
        person.paused_at = person.paused_until = None
    back = [item.retired_fact_id for item in change.items if item.retired_fact_id]
    gone = [item.added_fact_id for item in change.items if item.added_fact_id and item.retired_fact_id is None]
    known_again, known_no_more = (db.scalars(select(Fact.number).where(Fact.id.in_(ids))).all() for ids in (back, gone))
    facts.archive_beyond_limit(db, person.id, now, but=known_again)
    if any(item.field in {"timezone", "quiet_hours"} for item in change.items):
        rows.follow_person(db, person.id, now)
    change.undone_at, change.undone_by_turn_id = now, turn_id
    db.flush()  # From here on, things it forgot may be told.
    retelling.undo_retelling(db, person.id, change.items, now)
    retelling.retell_without(db, person.id, forgotten_facts(db, person.id, known_no_more), now, numbers=known_no_more)


def _set_back(db: Session, person: Person, item: ChangeItem, now: datetime) -> None:
    if item.field == CALENDAR:
        _set_calendar_back(db, person.id, item)
    elif item.routine_id is not None:
        rows.undo_item(db, item, now)
    elif item.field == QUOTE:
        quoted = db.get_one(Fact, item.fact_id) if item.fact_id else db.get_one(Rule, item.retired_rule_id)
        kind = type(quoted)
        same = (kind.number == quoted.number, kind.message_id == quoted.message_id)
        db.execute(update(kind).where(*same, kind.quote.is_not_distinct_from(item.after)).values(quote=item.before))
    elif item.fact_id is not None:
        if fact := held_version(Fact, db, item.fact_id):
            setattr(fact, str(item.field), _before(item))
    elif item.field is not None:
        setattr(person, item.field, _before(item))
    elif item.retired_episode_id is not None:
        retelling.bring_back(db, db.get_one(Episode, item.retired_episode_id), now)
    else:
        _set_version_back(db, item, now)


def _set_version_back(db: Session, item: ChangeItem, now: datetime) -> None:
    if item.added_fact_id and (fact := held_version(Fact, db, item.added_fact_id)):
        facts.retire(db, fact, now)
    if item.retired_fact_id:
        facts.bring_back(db, db.get_one(Fact, item.retired_fact_id), now)
    if item.added_rule_id and (rule := held_version(Rule, db, item.added_rule_id)):
        rules.retire(db, rule, now)
    if item.retired_rule_id:
        rules.bring_back(db, db.get_one(Rule, item.retired_rule_id), now)


def _set_calendar_back(db: Session, person_id: int, item: ChangeItem) -> None:
    name, address = _calendar_before(item)
    theirs = select(Calendar).where(Calendar.person_id == person_id, Calendar.name.in_([name, item.after]))
    calendar = db.scalars(theirs).first()
    if address is not None:
        calendar = calendar or Calendar(person_id=person_id)
        calendar.name, calendar.address, calendar.turn_id = name, address, None
        db.add(calendar)
    elif calendar is not None:
        db.delete(calendar)


def _before(item: ChangeItem) -> str | bool | datetime | None:
    if item.field == "pinned":
        return item.before == "true"
    if item.before is not None and item.field in _INSTANTS:
        return datetime.fromisoformat(item.before)
    return item.before


def _calendar_before(item: ChangeItem) -> tuple[str, str | None]:
    """The calendar's name, and its address if one was connected before."""
    name, address = json.loads(item.before) if item.before else (item.after, None)
    return str(name), address


def _phrase(db: Session, item: ChangeItem) -> str:
    if item.field == CALENDAR:
        return _phrase_of_calendar(item)
    if item.routine_id is not None:
        return rows.undone_sentence(db, item)
    if item.fact_id is not None:
        fact = db.get_one(Fact, item.fact_id)
        return f"{_what_it_is_again(db.get_one(Person, fact.person_id), item)}: {fact.sentence}"
    if item.field is not None:
        return _phrase_of_person(db.get_one(Person, db.get_one(Change, item.change_id).person_id), item)
    return _phrase_of_row(db, item)


def _phrase_of_row(db: Session, item: ChangeItem) -> str:
    if item.retired_episode_id is not None:
        episode = db.get_one(Episode, item.retired_episode_id)
        is_back = episodes.held_by_number(db, episode.person_id, episode.number) is not None
        return f"{'remembered again' if is_back else 'told anew by itself'}: {episode.summary.rstrip('.')}"
    if (rule_id := item.retired_rule_id or item.added_rule_id) is not None:
        rule = db.get_one(Rule, rule_id)
        again = f"it is again a rule{rows.STATES[rule.state]}" if item.retired_rule_id else "no longer a rule"
        return f"{again}: {spoken(rule)}"
    was = "it is again" if item.retired_fact_id else "no longer remembered"
    return f"{was}: {db.get_one(Fact, item.retired_fact_id or item.added_fact_id).sentence}"


def _what_it_is_again(person: Person, item: ChangeItem) -> str:
    match item.field, _before(item):
        case "archived_at", None:
            return "no longer archived"
        case "archived_at", _:
            return "archived again"
        case "expires_at", datetime() as until:
            return f"remembered again until {spoken_date(until - MOMENT, person.timezone)}"
        case "expires_at", _:
            return "remembered again without an end"
        case _, pinned:
            return f"{'pinned' if pinned else 'not pinned'} again"


def _phrase_of_person(person: Person, item: ChangeItem) -> str:
    before = _before(item)
    match item.field:
        case "away_until":
            # The phrase about the time zone covers a stay that had not begun or is over.
            if not isinstance(before, datetime) or person.away_until is None:
                return ""
            return f"your stay lasts again until {spoken_date(before - MOMENT, person.timezone)}"
        case "paused_at" | "paused_until":
            if person.paused_at is None:
                return "what is scheduled comes again"
            until = f" until {spoken_end(person.paused_until, person.timezone)}" if person.paused_until else ""
            return f"all that is scheduled is paused again{until}"
        case "timezone_source":
            known = {"guessed": "a guess from your number", "unknown": "not known"}.get(item.before or "unknown")
            return f"your time zone is again {known}" if known else ""
    what = {"timezone": "time zone is", "quiet_hours": "quiet hours are"}.get(str(item.field), f"{item.field} is")
    return f"your {what} again {item.before or (QUIET_HOURS if item.field == 'quiet_hours' else 'not known')}"


def _phrase_of_calendar(item: ChangeItem) -> str:
    name, address = _calendar_before(item)
    shown = item.after or name if address is None else name
    # "The calendar work", but "the work calendar" if the name ends in "calendar".
    shown = f"the {shown}" if shown.casefold().endswith(CALENDAR) else f"the {CALENDAR} {shown}"
    if address is None:
        return f"no longer connected: {shown}"
    return f"connected again: {shown}{' of before' if item.after else ''}"


def _of_retelling(db: Session, items: Sequence[ChangeItem]) -> list[str]:
    subjects = [item.before or "" for item in items if item.field == SUBJECT]
    of = f" about {joined_subjects(subjects)}" if subjects else ""
    retold = [item for item in items if item.field == EPISODE and item.after == TELLS_FORGOTTEN]
    before = [db.get_one(Episode, item.retired_episode_id) for item in retold]
    now = [episodes.held_by_number(db, one.person_id, one.number) for one in before]
    if retold and all(one and one.narrative == was.narrative for one, was in zip(now, before, strict=True)):
        return [f"what we said {times(len(retold))}{of} is told again"]
    if retold:
        return [f"what happened is told anew{', with what was said' if of else ''}{of}"]
    if subjects and any(item.field == TEXTS for item in items):
        return [f"what you said{of} may be told again"]
    return []
