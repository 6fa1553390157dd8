"""One change taken back, and in words what that comes to: what was added goes, what was retired comes back.

Each item of a change is of one kind, and each kind has two functions here: what sets it back, and what says so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import NamedTuple

from sqlalchemy.orm import Session

from app.clock import MOMENT, spoken_date
from app.memory import calendar_changes, episodes, facts, rules
from app.memory.changes import OF_RETELLING
from app.memory.episodes import retelling
from app.memory.facts import archive
from app.memory.facts.subject_names import joined_subjects, times
from app.memory.forgotten import SUBJECT, facts_gone
from app.memory.rules.words import spoken
from app.models import Change, ChangeItem, Episode, Fact, Person, Rule
from app.routines import rows
from app.routines import taken_back as routine
from app.routines.described import spoken_end
from app.routines.quiet_hours import USUAL

_UNSAID = OF_RETELLING | {"quote", "home_timezone", "home_timezone_source"}
_INSTANTS = frozenset({"archived_at", "expires_at", "paused_at", "paused_until", "away_until"})
"""Fields that hold one."""
_STATES = {"active": "", "paused": ", paused", "proposed": ", waiting for your yes"}


@dataclass
class _Taking:
    """A change that is being taken back."""

    db: Session
    person_id: int
    now: datetime
    gone: list[int] = field(default_factory=list)
    """Numbers of facts that are known no more."""
    back: list[int] = field(default_factory=list)
    """And of those that are known again."""


def take_back(db: Session, change: Change, now: datetime, turn_id: int | None) -> None:
    """Undo one change.

    Raises:
        Conflict: what would come back is already known under another number.
    """
    taking = _Taking(db, change.person_id, now)
    for item in reversed(change.items):
        if item.field not in OF_RETELLING:
            _kind(item).set_back(taking, item)
    _end_what_passed(db.get_one(Person, change.person_id), now)
    archive.hold_to_limit(db, change.person_id, now, but=taking.back)
    if any(item.field == "timezone" for item in change.items):
        rows.follow_person(db, change.person_id, now)
    change.undone_at, change.undone_by_turn_id = now, turn_id
    db.flush()  # From here on what it forgot may be told.
    retelling.tell_as_before(db, change.person_id, change.items, now)
    forgotten = facts_gone(db, change.person_id, taking.gone) if taking.gone else []
    retelling.tell_again_without(db, change.person_id, forgotten, now, numbers=taking.gone)


def _end_what_passed(person: Person, now: datetime) -> None:
    """A stay or a pause whose end has come does not begin anew: it would end at once, and be the last change again."""
    if person.away_until is not None and person.away_until <= now:
        person.away_until = person.home_timezone = person.home_timezone_source = None
    if person.paused_until is not None and person.paused_until <= now:
        person.paused_at = person.paused_until = None


def phrases(db: Session, change: Change) -> list[str]:
    """What taking the change back comes to, a phrase for each thing that it touched."""
    told = [_kind(item).phrase(db, item) for item in change.items if item.field not in _UNSAID]
    return [*dict.fromkeys(filter(None, told)), *_of_retelling(db, change.items)]


def _of_retelling(db: Session, items: Sequence[ChangeItem]) -> list[str]:
    subjects = [item.before or "" for item in items if item.field == SUBJECT]
    of = f" about {joined_subjects(subjects)}" if subjects else ""
    retold = [item for item in items if item.field == retelling.EPISODE and item.after == retelling.SAYS_IT]
    if retold and all(map(partial(_is_as_before, db), retold)):
        return [f"what we said {times(len(retold))}{of} is told again"]
    if retold:
        return [f"what happened is told anew{', with what was said' if of else ''}{of}"]
    if subjects and any(item.field == retelling.TEXTS for item in items):
        return [f"what you said{of} may be told again"]
    return []


def _is_as_before(db: Session, item: ChangeItem) -> bool:
    before = db.get_one(Episode, item.retired_episode_id)
    now = episodes.live_by_number(db, before.person_id, before.number)
    return now is not None and now.narrative == before.narrative


def _set_fact_back(taking: _Taking, item: ChangeItem) -> None:
    added, retired = _fact(taking.db, item.added_fact_id), _fact(taking.db, item.retired_fact_id)
    current = facts.held_by_number(taking.db, taking.person_id, added.number) if added else None
    if current is not None:
        facts.retire(taking.db, current, taking.now)
        taking.gone += [current.number] if retired is None else []
    if retired is not None:
        taking.back.append(facts.bring_back(taking.db, retired, taking.now).number)


def _phrase_of_fact(db: Session, item: ChangeItem) -> str:
    was = "it is again" if item.retired_fact_id else "no longer remembered"
    return f"{was}: {db.get_one(Fact, item.retired_fact_id or item.added_fact_id).sentence}"


def _set_field_of_fact_back(taking: _Taking, item: ChangeItem) -> None:
    number = taking.db.get_one(Fact, item.fact_id).number
    fact = facts.held_by_number(taking.db, taking.person_id, number)
    if fact is not None:
        setattr(fact, str(item.field), _value(item))


def _phrase_of_field_of_fact(db: Session, item: ChangeItem) -> str:
    fact = db.get_one(Fact, item.fact_id)
    return f"{_what_it_is_again(db, fact, item)}: {fact.sentence}"


def _what_it_is_again(db: Session, fact: Fact, item: ChangeItem) -> str:
    match item.field, _value(item):
        case "archived_at", None:
            return "no longer archived"
        case "archived_at", _:
            return "archived again"
        case "expires_at", datetime() as until:
            zone = db.get_one(Person, fact.person_id).timezone
            return f"remembered again until {spoken_date(until - MOMENT, zone)}"
        case "expires_at", _:
            return "remembered again without an end"
        case _, pinned:
            return f"{'pinned' if pinned else 'not pinned'} again"


def _set_rule_back(taking: _Taking, item: ChangeItem) -> None:
    added, retired = _rule(taking.db, item.added_rule_id), _rule(taking.db, item.retired_rule_id)
    current = rules.live_by_number(taking.db, taking.person_id, added.number) if added else None
    if current is not None:
        rules.retire(taking.db, current, taking.now)
    if retired is not None:
        rules.bring_back(taking.db, retired, taking.now)


def _phrase_of_rule(db: Session, item: ChangeItem) -> str:
    rule = db.get_one(Rule, item.retired_rule_id or item.added_rule_id)
    again = f"it is again a rule{_STATES[rule.state]}" if item.retired_rule_id else "no longer a rule"
    return f"{again}: {spoken(rule)}"


def _set_episode_back(taking: _Taking, item: ChangeItem) -> None:
    retelling.bring_back(taking.db, taking.db.get_one(Episode, item.retired_episode_id), taking.now)


def _phrase_of_episode(db: Session, item: ChangeItem) -> str:
    episode = db.get_one(Episode, item.retired_episode_id)
    is_back = episodes.live_by_number(db, episode.person_id, episode.number) is not None
    return f"{'remembered again' if is_back else 'told anew by itself'}: {episode.summary.rstrip('.')}"


def _set_person_back(taking: _Taking, item: ChangeItem) -> None:
    setattr(taking.db.get_one(Person, taking.person_id), str(item.field), _value(item))


def _phrase_of_person(db: Session, item: ChangeItem) -> str:
    if item.field in {"paused_at", "paused_until", "away_until"}:
        person = db.get_one(Person, db.get_one(Change, item.change_id).person_id)
        return _phrase_of_stay(person, item) if item.field == "away_until" else _phrase_of_pause(person)
    match item.field:
        case "timezone_source":
            known = {"guessed": "a guess from your number", "unknown": "not known"}.get(item.before or "unknown")
            return f"your time zone is again {known}" if known else ""
        case "quiet_hours":
            return f"your quiet hours are again {item.before or USUAL}"
        case "timezone":
            return f"your time zone is again {item.before or 'not known'}"
        case other:
            return f"your {other} is again {item.before or 'not known'}"


def _phrase_of_stay(person: Person, item: ChangeItem) -> str:
    """When it is over again; nothing of one that was not yet begun or has passed, as the zone says that."""
    match _value(item):
        case datetime() as over if person.away_until is not None:
            return f"your stay lasts again until {spoken_date(over - MOMENT, person.timezone)}"
        case _:
            return ""


def _phrase_of_pause(person: Person) -> str:
    if person.paused_at is None:
        return "what is scheduled comes again"
    until = f" until {spoken_end(person.paused_until, person.timezone)}" if person.paused_until else ""
    return f"all that is scheduled is paused again{until}"


def _set_routine_back(taking: _Taking, item: ChangeItem) -> None:
    routine.set_back(taking.db, item, taking.now)


def _set_calendar_back(taking: _Taking, item: ChangeItem) -> None:
    calendar_changes.set_back(taking.db, taking.person_id, item, taking.now)


def _phrase_of_calendar(db: Session, item: ChangeItem) -> str:  # noqa: ARG001  (all kinds have one signature)
    return calendar_changes.phrase(item)


class _Kind(NamedTuple):
    set_back: Callable[[_Taking, ChangeItem], None]
    phrase: Callable[[Session, ChangeItem], str]


_KINDS = {
    "routine_id": _Kind(_set_routine_back, routine.phrase),
    "fact_id": _Kind(_set_field_of_fact_back, _phrase_of_field_of_fact),
    "field": _Kind(_set_person_back, _phrase_of_person),
    "retired_episode_id": _Kind(_set_episode_back, _phrase_of_episode),
    "retired_rule_id": _Kind(_set_rule_back, _phrase_of_rule),
    "added_rule_id": _Kind(_set_rule_back, _phrase_of_rule),
    "retired_fact_id": _Kind(_set_fact_back, _phrase_of_fact),
    "added_fact_id": _Kind(_set_fact_back, _phrase_of_fact),
}
"""By the first of these columns that an item fills: a field of a routine or a fact fills `field` too."""


_CALENDAR = _Kind(_set_calendar_back, _phrase_of_calendar)


def _kind(item: ChangeItem) -> _Kind:
    if item.field == calendar_changes.FIELD:
        return _CALENDAR
    return next(kind for column, kind in _KINDS.items() if getattr(item, column) is not None)


def _fact(db: Session, fact_id: int | None) -> Fact | None:
    return None if fact_id is None else db.get_one(Fact, fact_id)


def _rule(db: Session, rule_id: int | None) -> Rule | None:
    return None if rule_id is None else db.get_one(Rule, rule_id)


def _value(item: ChangeItem) -> str | bool | datetime | None:
    """What a field of a fact, or of a person, was."""
    if item.field == "pinned":
        return item.before == "true"
    if item.before is not None and item.field in _INSTANTS:
        return datetime.fromisoformat(item.before)
    return item.before
