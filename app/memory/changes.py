"""Numbered memories with versions, and the record of changes to them and to scheduled texts; undo reads the record.

Facts, rules and episodes are numbered per person, and a number is never used again. At most one version of a number is
not retired: that version is held.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from sqlalchemy import BindParameter, Select, func, literal, or_, select, union_all
from sqlalchemy.orm import Session

from app.errors import Conflict, NotFound
from app.models import Calendar, Change, ChangeItem, Episode, Fact, Person, Routine, Rule
from app.store.db import copied_columns
from app.text.secrets import without_despair, without_secrets

CALENDAR, SUBJECT, EPISODE, TEXTS, QUOTE = "calendar", "subject", "episode", "texts", "quote"
"""Values of `ChangeItem.field`; see there for what each keeps. A calendar's address is a key to read that calendar."""
TELLS_FORGOTTEN = "says it"
"""The `after` of an episode that told what was forgotten; later ones are only redone with it."""

LARGEST_NUMBER = 2**63 - 1  # SQLite takes no larger integer, and the model may make one up.

Row = TypeVar("Row", Fact, Rule, Episode)
Ended = TypeVar("Ended")

CONFIDENCE = {"explicit": 1.0, "corrected": 0.9, "inferred": 0.7, "imported": 0.8, "operator": 1.0, "agent": 0.7}
"""Confidence by source, 0 to 1. The product fixes explicit, corrected and inferred; the others are fitted between."""


@dataclass(frozen=True)
class Origin:
    """The origin of a change: its actor, its source, and the words that caused it."""

    actor: str  # `person`, `assistant`, `operator` or `agent`.
    source: str
    """`explicit` (told), `corrected`, `inferred`, `imported`, `operator` or `agent`.

    A rule may also have `file` or `forwarded`: it came with a text of the person, but not in their own words.
    """
    turn_id: int | None = None
    message_id: int | None = None
    quote: str | None = None  # The person's words, without sentences of secrets or despair.
    call: str | None = None  # The tool call that asks for it; a call repeated after a crash changes nothing again.
    seen: int | None = None  # Id of the version that was on the page: a correction of an earlier one is a conflict.

    def __post_init__(self) -> None:
        object.__setattr__(self, "quote", without_despair(without_secrets(self.quote or "")).strip() or None)

    @property
    def confidence(self) -> float:
        return CONFIDENCE[self.source]

    @property
    def columns(self) -> dict[str, object]:
        """Columns of a memory or a routine that tell where it comes from."""
        return {"source": self.source, "message_id": self.message_id, "quote": self.quote}


@dataclass(frozen=True)
class Removed(Generic[Ended]):
    """Items that were forgotten or cancelled, and the numbers that named none."""

    removed: list[Ended]
    unknown: list[int]


def held(kind: type[Row], person_id: int) -> Select[Row]:
    return select(kind).where(kind.person_id == person_id, kind.retired_at.is_(None))


def held_by_number(kind: type[Row], db: Session, person_id: int, number: int) -> Row | None:
    if not 0 < number <= LARGEST_NUMBER:
        return None
    return db.scalars(held(kind, person_id).where(kind.number == number)).one_or_none()


def expect_held(kind: type[Row], db: Session, person_id: int, number: int, origin: Origin) -> Row:
    """The memory held under that number.

    Raises:
        NotFound: there is none; the sentence tells the model where to look, and a person what it means.
    """
    if (row := held_by_number(kind, db, person_id, number)) is not None:
        return row
    says = "It was forgotten meanwhile, or it never was."
    if origin.actor in {"assistant", "agent"}:
        says = f"List the {'memories' if kind is Fact else 'rules'} to see the ids."
    raise NotFound(f"No {kind.__name__.lower()} with id {number}. {says}")


def held_version(kind: type[Row], db: Session, row_id: int) -> Row | None:
    """The version of this memory that is held now; None if none is."""
    row = db.get_one(kind, row_id)
    return held_by_number(kind, db, row.person_id, row.number)


def versions_of(kind: type[Row], db: Session, person_id: int, number: int) -> list[Row]:
    """All versions of a number, oldest first; empty for an unknown number."""
    if not 0 < number <= LARGEST_NUMBER:
        return []
    rows = select(kind).where(kind.person_id == person_id, kind.number == number)
    return list(db.scalars(rows.order_by(kind.version)))


def last_retired(kind: type[Row], person_id: int | BindParameter[int]) -> Select[Row]:
    """The last version of each memory that is no longer held."""
    newest = select(func.max(kind.id)).where(kind.person_id == person_id).group_by(kind.number)
    return select(kind).where(kind.id.in_(newest), kind.retired_at.is_not(None))


def next_version(db: Session, before: Row, now: datetime, seen: int | None = None, /, **new: object) -> Row:
    """A row for the version after `before`: a copy with the `new` values; a conflict if another one was `seen`."""
    if seen not in {None, before.id}:
        raise Conflict("It was changed since this page was shown. Look at how it stands now first.")
    kind = type(before)
    theirs = (kind.person_id == before.person_id, kind.number == before.number)
    newest = db.scalars(select(func.max(kind.version)).where(*theirs)).one()
    return kind(version=newest + 1, recorded_at=now, **(copied_columns(before) | new))


Field = str | bool | datetime | None  # The value of a recorded field.
Touched = tuple[str, int | str]
"""A kind of row and its number (for an episode, its conversation's id), or `person` and a field."""

_RETIRED = {Fact: ChangeItem.retired_fact_id, Rule: ChangeItem.retired_rule_id, Episode: ChangeItem.retired_episode_id}


class UndoBlocked(Conflict):
    """The change cannot be taken back: a later one touched the same row or field."""


def record(
    db: Session,
    person_id: int,
    verb: str,
    origin: Origin,
    now: datetime,
    items: Sequence[ChangeItem],
    moved_with: Change | None = None,
) -> None:
    """Record these items as one change; without items nothing has changed."""
    if items:
        moved_with_id = moved_with.id if moved_with is not None else None
        by = {"actor": origin.actor, "turn_id": origin.turn_id, "call": origin.call}
        db.add(Change(person_id=person_id, verb=verb, at=now, items=[*items], moved_with_id=moved_with_id, **by))
        db.flush()


def set_fields(row: Person | Fact, values: Mapping[str, Field]) -> list[ChangeItem]:
    """Set fields of a person or a fact; one item for each that changed, with its old value for the record."""
    fact_id = row.id if isinstance(row, Fact) else None
    items = []
    for field, value in values.items():
        if (before := getattr(row, field)) != value:
            items.append(ChangeItem(field=field, fact_id=fact_id, before=_text(before), after=_text(value)))
            setattr(row, field, value)
    return items


def make_live(fact: Fact, now: datetime) -> list[ChangeItem]:
    """Make a held fact live and drop an expiry that has passed; the items for the record, none if it was live."""
    fact.fresh_at = now
    has_expired = fact.expires_at is not None and fact.expires_at <= now
    return set_fields(fact, {"expires_at": None if has_expired else fact.expires_at, "archived_at": None})


def calendar_item(before: Calendar | None, after: str | None) -> ChangeItem:
    """The item for the record: a calendar before it is replaced or removed, and the name of its replacement."""
    kept = json.dumps([before.name, before.address]) if before is not None else None
    return ChangeItem(field=CALENDAR, before=kept, after=after)


def latest(db: Session, person_id: int, limit: int) -> list[Change]:
    """The person's changes, newest first."""
    changes = select(Change).where(Change.person_id == person_id).order_by(Change.id.desc()).limit(limit)
    return list(db.scalars(changes))


def latest_not_undone(db: Session, person_id: int, change_id: int | None = None) -> Change | None:
    """The newest change that was not taken back, or the one with that id if it was not."""
    changes = select(Change).where(Change.person_id == person_id, Change.undone_at.is_(None))
    wanted = changes if change_id is None else changes.where(Change.id == change_id)
    return db.scalars(wanted.order_by(Change.id.desc()).limit(1)).one_or_none()


def made_by(db: Session, call: str) -> Change | None:
    """The change that this tool call has already made, if any."""
    return db.scalars(select(Change).where(Change.call == call)).one_or_none()


def has_changed_in(db: Session, person_id: int, turn_id: int) -> bool:
    """True if this turn has made a change or taken one back."""
    of_turn = or_(Change.turn_id == turn_id, Change.undone_by_turn_id == turn_id)
    return db.scalar(select(Change.id).where(Change.person_id == person_id, of_turn).limit(1)) is not None


def forget_each(
    db: Session,
    kind: type[Row],
    person_id: int,
    numbers: Collection[int],
    origin: Origin,
    retire: Callable[[Row], None],
) -> tuple[Removed[Row], list[ChangeItem]]:
    """Retire these memories; the result and the items for the record. Those this turn forgot count as removed too."""
    column = _RETIRED[kind]
    of_turn = (Change.turn_id == origin.turn_id, ChangeItem.field.is_(None))  # With a field it was only reworded.
    before = select(kind).join(ChangeItem, column == kind.id).join(Change).where(*of_turn)
    forgotten = {row.number: row for row in db.scalars(before)} if origin.turn_id is not None else {}
    found, items = Removed[Row]([], []), []
    for number in dict.fromkeys(numbers):
        row = held_by_number(kind, db, person_id, number)
        if row is not None:
            retire(row)
            items.append(ChangeItem(**{column.key: row.id}))
        row = row or forgotten.get(number)
        if row is not None:
            found.removed.append(row)
        else:
            found.unknown.append(number)
    return found, items


def forgot_subjects_in(db: Session, turn_id: int, said: Collection[str]) -> Change | None:
    """The change of this turn that forgot all these subjects, as the person put them."""
    for change in db.scalars(select(Change).where(Change.turn_id == turn_id, Change.verb == "forget")):
        if {*said} <= {item.before for item in change.items if item.field == SUBJECT}:
            return change
    return None


_NUMBERS: dict[str, tuple[Any, Any, tuple[str, ...]]] = {
    "fact": (Fact.id, Fact.number, ("added_fact_id", "retired_fact_id", "fact_id")),
    "rule": (Rule.id, Rule.number, ("added_rule_id", "retired_rule_id")),
    "routine": (Routine.id, Routine.number, ("routine_id",)),
    "episode": (Episode.id, Episode.conversation_id, ("retired_episode_id",)),
}
"""By kind: row id, the number it is known by, item columns for it. Episodes share their conversation's id."""
_OF_ZONE = ("timezone_source", "away_until", "home_timezone", "home_timezone_source")
_TOGETHER = dict.fromkeys(_OF_ZONE, "timezone") | {"paused_until": "paused_at"}
"""Fields of a person that are always set together with another field."""
_SPOKEN = {"timezone": "The time zone", "paused_at": "The pause of all", "quiet_hours": "The quiet hours"}


def check_may_be_undone(db: Session, change: Change) -> None:
    """Raise `UndoBlocked` if a later change touched the same row or field, so that this one cannot go by itself."""
    since = select(Change).where(Change.person_id == change.person_id, Change.id >= change.id)
    found = blocked_from_undo(db, db.scalars(since.order_by(Change.id.desc())).all()).get(change.id)
    if found is None:
        return
    kind, number = found
    spoken = {
        "person": _SPOKEN.get(str(number), f"The {number}"),
        "calendar": "The calendar",
        "episode": "What happened in the same conversation",
    }
    what = spoken.get(kind, f"{kind.capitalize()} {number}")
    raise UndoBlocked(f"{what} was changed again since. Take the later change back first.")


def blocked_from_undo(db: Session, changes: Sequence[Change]) -> dict[int, Touched]:
    """Changes that a later one blocks from undo, by id, with one row or field they share; pass the newest first."""
    # A later change of a fact or a rule does not keep its quote from coming back.
    rows = {one.id: {key for item in one.items if item.field != QUOTE for key in _rows(item)} for one in changes}
    of_kinds = [
        select(literal(kind), key, number).where(key.in_([row for at in rows.values() for of, row in at if of == kind]))
        for kind, (key, number, _) in _NUMBERS.items()
    ]
    numbers = {(kind, row): number for kind, row, number in db.execute(union_all(*of_kinds))}
    found: dict[int, Touched] = {}
    later: set[Touched] = set()
    for change in changes:
        if change.undone_at is None:
            touched = {(kind, numbers[kind, row]) for kind, row in rows[change.id]} | {*_fields(change.items)}
            if both := touched & later:
                found[change.id] = min(both, key=str)
            later |= touched
    return found


def _rows(item: ChangeItem) -> Iterator[tuple[str, int]]:
    for kind, (_, _, columns) in _NUMBERS.items():
        yield from ((kind, row) for column in columns if (row := getattr(item, column)) is not None)


def _fields(items: Sequence[ChangeItem]) -> Iterator[Touched]:
    for item in items:
        if item.field == CALENDAR:
            yield CALENDAR, ""
        elif item.field not in {None, SUBJECT, TEXTS, QUOTE} and not any(_rows(item)):
            yield "person", _TOGETHER.get(str(item.field), str(item.field))


def _text(value: Field) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime) else value
