"""The record of what changed in a person's memory, and how the last change is taken back."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.clock import MOMENT, spoken_date
from app.memory import archive, episodes, facts, retelling
from app.memory.forgotten import SUBJECT, facts_gone
from app.memory.origin import Origin
from app.memory.subject_names import counted, joined_subjects
from app.models import Change, ChangeItem, Episode, Fact, Person

OF_RETELLING = frozenset({SUBJECT, retelling.EPISODE, retelling.TEXTS})
"""Fields of items that say what was told again for a change, and without what."""

Field = str | bool | datetime | None
"""What a field that is recorded may hold."""


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


def retired_in(db: Session, turn_id: int, number: int) -> Fact | None:
    """The version of a fact that a change of this turn retired."""
    facts_ = select(Fact).join(ChangeItem, ChangeItem.retired_fact_id == Fact.id).join(Change)
    return db.scalars(facts_.where(Change.turn_id == turn_id, Fact.number == number).limit(1)).one_or_none()


def forgot_subjects_in(db: Session, turn_id: int, said: Collection[str]) -> Change | None:
    """The change of this turn that forgot all these subjects, as they were put."""
    of_turn = db.scalars(select(Change).where(Change.turn_id == turn_id, Change.verb == "forget"))
    return next(
        (one for one in of_turn if {*said} <= {item.before for item in one.items if item.field == SUBJECT}), None
    )


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
        if item.field in OF_RETELLING:
            continue
        if item.field is not None:
            _set_back(db, change, item)
            continue
        if item.retired_episode_id is not None:
            retelling.bring_back(db, db.get_one(Episode, item.retired_episode_id), now)
            continue
        added = _fact(db, item.added_fact_id)
        retired = _fact(db, item.retired_fact_id)
        current = facts.held_by_number(db, change.person_id, added.number) if added else None
        if current is not None:
            facts.retire(db, current, now)
            gone += [current.number] if retired is None else []
        if retired is not None:
            back.append(facts.bring_back(db, retired, now).number)
    archive.hold_to_limit(db, change.person_id, now, but=back)
    change.undone_at, change.undone_by_turn_id = now, turn_id
    db.flush()  # From here on what it forgot may be told.
    retelling.tell_as_before(db, change.person_id, change.items, now)
    forgotten = facts_gone(db, change.person_id, gone) if gone else []
    retelling.tell_again_without(db, change.person_id, forgotten, now, numbers=gone)


def phrases(db: Session, change: Change) -> list[str]:
    """What taking the change back comes to, a phrase for each thing that it touched."""
    told = [_phrase(db, item) for item in change.items if item.field not in {*OF_RETELLING, "quote"}]
    subjects = [item.before or "" for item in change.items if item.field == SUBJECT]
    of = f" about {joined_subjects(subjects)}" if subjects else ""
    retold = [item for item in change.items if item.field == retelling.EPISODE and item.after == retelling.SAYS_IT]
    if retold and all(map(partial(_is_back, db), retold)):
        told.append(f"what {counted(len(retold), 'episode')} said{of} is told again")
    elif retold:
        told.append(f"what happened is told anew{', with what was said' if of else ''}{of}")
    elif subjects and any(item.field == retelling.TEXTS for item in change.items):
        told.append(f"what you said{of} may be told again")
    return told


def _is_back(db: Session, item: ChangeItem) -> bool:
    before = db.get_one(Episode, item.retired_episode_id)
    now = episodes.live_by_number(db, before.person_id, before.number)
    return now is not None and now.narrative == before.narrative


def _phrase(db: Session, item: ChangeItem) -> str:
    if item.retired_episode_id is not None:
        episode = db.get_one(Episode, item.retired_episode_id)
        is_back = episodes.live_by_number(db, episode.person_id, episode.number) is not None
        return f"{'remembered again' if is_back else 'told anew by itself'}: {episode.summary.rstrip('.')}"
    fact = _fact(db, item.fact_id or item.retired_fact_id or item.added_fact_id)
    if item.field == "timezone_source":
        return f"your time zone is again {'a guess from your number' if item.before == 'guessed' else 'not known'}"
    if fact is None:
        return f"your {'time zone' if item.field == 'timezone' else item.field} is again {item.before or 'not known'}"
    return f"{_was(db, fact.person_id, item)}: {fact.sentence}"


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
