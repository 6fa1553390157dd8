"""The record of what changed in a person's memory, and how the last change is taken back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import MOMENT, spoken_date
from app.memory import archive, episodes, facts, retelling, rules
from app.memory.origin import Origin
from app.memory.rule_words import spoken
from app.models import Change, ChangeItem, Episode, Fact, Person, Rule
from app.routines import rows, taken_back
from app.routines.quiet_hours import USUAL

Field = str | bool | datetime | None
"""What a field that is recorded may hold."""

_Version = TypeVar("_Version", Fact, Rule)


class _Kind(Protocol[_Version]):
    """How the versions of one kind of memory come and go."""

    def by_number(self, db: Session, person_id: int, number: int, /) -> _Version | None: ...

    def retire(self, db: Session, row: _Version, now: datetime, /) -> None: ...

    def bring_back(self, db: Session, retired: _Version, now: datetime, /) -> _Version: ...


class _Facts:
    by_number = staticmethod(facts.held_by_number)
    retire = staticmethod(facts.retire)
    bring_back = staticmethod(facts.bring_back)


class _Rules:
    by_number = staticmethod(rules.live_by_number)
    retire = staticmethod(rules.retire)
    bring_back = staticmethod(rules.bring_back)


_STATES = {"active": "", "paused": ", paused", "proposed": ", waiting for your yes"}
_RETIRED = {Fact: ChangeItem.retired_fact_id, Rule: ChangeItem.retired_rule_id}


def record(
    db: Session, person_id: int, verb: str, origin: Origin, now: datetime, items: Sequence[ChangeItem]
) -> Change:
    change = Change(
        person_id=person_id,
        actor=origin.actor,
        verb=verb,
        turn_id=origin.turn_id,
        call=origin.call,
        at=now,
        items=list(items),
    )
    db.add(change)
    db.flush()
    return change


def set_fields(row: Person | Fact, values: Mapping[str, Field]) -> list[ChangeItem]:
    """Set fields of a person or a fact; what is returned keeps what they were, for the record."""
    fact_id = row.id if isinstance(row, Fact) else None
    items = []
    for field, value in values.items():
        items.append(ChangeItem(field=field, fact_id=fact_id, before=_text(getattr(row, field)), after=_text(value)))
        setattr(row, field, value)
    return items


def make_live(fact: Fact, now: datetime) -> list[ChangeItem]:
    """Have a held fact live from now on; nothing, for the record, where it is. An expiry that has passed goes."""
    fact.fresh_at = now
    ended: dict[str, Field] = {"expires_at": None} if facts.is_expired(fact, now) else {}
    if fact.archived_at is not None:
        ended["archived_at"] = None
    return set_fields(fact, ended)


def latest(db: Session, person_id: int, limit: int) -> list[Change]:
    """The person's changes, newest first."""
    changes = select(Change).where(Change.person_id == person_id).order_by(Change.id.desc()).limit(limit)
    return list(db.scalars(changes))


def last_standing(db: Session, person_id: int) -> Change | None:
    """The newest change that was not taken back."""
    changes = select(Change).where(Change.person_id == person_id, Change.undone_at.is_(None))
    return db.scalars(changes.order_by(Change.id.desc()).limit(1)).one_or_none()


def made_by(db: Session, call: str) -> Change | None:
    """The change that this call of a tool has made already."""
    return db.scalars(select(Change).where(Change.call == call)).one_or_none()


def undone_by(db: Session, turn_id: int) -> Change | None:
    """The change that this turn has taken back already."""
    return db.scalars(select(Change).where(Change.undone_by_turn_id == turn_id).limit(1)).one_or_none()


def retired_in(db: Session, turn_id: int, kind: type[_Version], number: int) -> _Version | None:
    """The version of a fact or a rule that a change of this turn retired."""
    rows = select(kind).join(ChangeItem, _RETIRED[kind] == kind.id).join(Change)
    return db.scalars(rows.where(Change.turn_id == turn_id, kind.number == number).limit(1)).one_or_none()


def adding(db: Session, rule: Rule) -> Change | None:
    """The change that brought this version of a rule."""
    changes = select(Change).join(ChangeItem).where(ChangeItem.added_rule_id == rule.id)
    return db.scalars(changes.limit(1)).one_or_none()


def cleared_in(db: Session, turn_id: int, field: str) -> bool:
    """Whether a change of this turn emptied the person's field."""
    items = select(ChangeItem.id).join(Change).where(Change.turn_id == turn_id, ChangeItem.field == field)
    return db.scalars(items.where(ChangeItem.after.is_(None)).limit(1)).one_or_none() is not None


def take_back(db: Session, change: Change, now: datetime, turn_id: int | None) -> None:
    """Undo one change.

    Raises:
        Conflict: what would come back is already known under another number.
    """
    gone: list[int] = []
    back: list[int] = []
    for item in reversed(change.items):
        if item.routine_id is not None:
            taken_back.set_back(db, item, now)
            continue
        if item.field is not None:
            _set_back(db, change, item)
            continue
        if item.retired_episode_id is not None:
            retelling.bring_back(db, db.get_one(Episode, item.retired_episode_id), now)
        elif item.added_rule_id is not None or item.retired_rule_id is not None:
            _exchange(db, _Rules(), _rule(db, item.added_rule_id), _rule(db, item.retired_rule_id), now)
        else:
            retired = _fact(db, item.retired_fact_id)
            without = _exchange(db, _Facts(), _fact(db, item.added_fact_id), retired, now)
            gone += [without] if without is not None else []
            back += [retired.number] if retired is not None else []
    archive.hold_to_limit(db, change.person_id, now, but=back)
    retelling.tell_again_without(db, change.person_id, gone, now)
    if any(item.field == "timezone" for item in change.items):
        rows.follow_person(db, change.person_id, now)
    change.undone_at, change.undone_by_turn_id = now, turn_id


def _exchange(
    db: Session, kind: _Kind[_Version], added: _Version | None, retired: _Version | None, now: datetime
) -> int | None:
    """What was added goes and what was retired comes back; the number of what is gone with nothing in its place."""
    current = kind.by_number(db, added.person_id, added.number) if added is not None else None
    if current is not None:
        kind.retire(db, current, now)
    if retired is not None:
        kind.bring_back(db, retired, now)
    return current.number if current is not None and retired is None else None


def phrases(db: Session, change: Change) -> list[str]:
    """What taking the change back comes to, a phrase for each thing that it touched."""
    return [_phrase(db, item) for item in change.items]


def _phrase(db: Session, item: ChangeItem) -> str:
    if item.routine_id is not None:
        return taken_back.phrase(db, item)
    if item.retired_episode_id is not None:
        return _phrase_of_episode(db, db.get_one(Episode, item.retired_episode_id))
    rule = _rule(db, item.retired_rule_id or item.added_rule_id)
    if rule is not None:
        back = item.retired_rule_id is not None
        return f"{f'it is again a rule{_STATES[rule.state]}' if back else 'no longer a rule'}: {spoken(rule)}"
    fact = _fact(db, item.fact_id or item.retired_fact_id or item.added_fact_id)
    return _phrase_of_person(item) if fact is None else f"{_was(db, fact.person_id, item)}: {fact.sentence}"


def _phrase_of_episode(db: Session, episode: Episode) -> str:
    is_back = episodes.live_by_number(db, episode.person_id, episode.number) is not None
    return f"{'remembered again' if is_back else 'told anew by itself'}: {episode.summary.rstrip('.')}"


def _phrase_of_person(item: ChangeItem) -> str:
    match item.field:
        case "timezone_source":
            return f"your time zone is again {'a guess from your number' if item.before == 'guessed' else 'not known'}"
        case "quiet_hours":
            return f"your quiet hours are again {item.before or USUAL}"
        case "timezone":
            return f"your time zone is again {item.before or 'not known'}"
        case field:
            return f"your {field} is again {item.before or 'not known'}"


def _was(db: Session, person_id: int, item: ChangeItem) -> str:
    """What a fact is again once this is taken back."""
    match item.field, _value(item.field, item.before):
        case None, _:
            return "it is again" if item.retired_fact_id else "no longer remembered"
        case "archived_at", _:
            return "archived again"
        case "expires_at", datetime() as until:
            zone = db.get_one(Person, person_id).timezone
            return f"remembered again until {spoken_date(until - MOMENT, zone)}"
        case "expires_at", _:
            return "remembered again without an end"
        case _, pinned:
            return f"{'pinned' if pinned else 'not pinned'} again"


def _set_back(db: Session, change: Change, item: ChangeItem) -> None:
    field = str(item.field)
    before = _fact(db, item.fact_id)
    if before is None:
        setattr(db.get_one(Person, change.person_id), field, item.before)
        return
    fact = facts.held_by_number(db, change.person_id, before.number)
    if fact is not None:
        setattr(fact, field, _value(field, item.before))


def _fact(db: Session, fact_id: int | None) -> Fact | None:
    return None if fact_id is None else db.get_one(Fact, fact_id)


def _rule(db: Session, rule_id: int | None) -> Rule | None:
    return None if rule_id is None else db.get_one(Rule, rule_id)


def _text(value: Field) -> str | None:
    match value:
        case bool():
            return str(value).lower()
        case datetime():
            return value.isoformat()
        case _:
            return value


def _value(field: str | None, text: str | None) -> Field:
    if field == "pinned":
        return text == "true"
    return datetime.fromisoformat(text) if text is not None and field in {"archived_at", "expires_at"} else text
