"""The log of actions by operators and from the terminal: entries that are only ever added, each chained to the last.

An entry's hash covers the hash before it, so an entry that is later changed, removed or moved breaks the chain there.
The newest hash is also kept in a mark, so that a removed end is noticed too. Anyone who can write the file can make a
whole new chain; to guard against that, keep the hash that `keepsake log verify` prints somewhere else.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, String, cast, func, literal_column, select
from sqlalchemy.orm import Session, aliased

from app.models import AuditEntry, Mark, marks
from app.store.db import as_stored

TERMINAL = "terminal"
NOBODY = "nobody"

MAX_REASON_CHARS = 200  # One line: it is shown in a list, and texted to the person.
REFUSED = "_refused"
"""Ending of `did` for an action that was refused before it began, for someone's role: `reveal_refused`."""
REFUSED_LOGIN = f"login{REFUSED}"
IN_PART = "in_part"  # The code for an action that was done for some of its rows and not for the others.
COUNTED_TOGETHER = timedelta(hours=1)  # A thousand guesses become a few entries, and the first is written at once.

KINDS = {f"{kind}s": kind for kind in ("fact", "rule", "episode", "routine", "operator", "passkey")}
"""The word for one row in an entry, by the word for several in addresses and commands."""

FIRST = "0" * 64  # Stands for the hash before the first entry.

_HEAD = "audit_head"
_REFUSED = "refused_logins:"
_ENTRY = "entry "
_AT_A_TIME = 1000

_told = aliased(AuditEntry)
_about_it = _told.about == literal_column(f"'{_ENTRY}'").concat(cast(AuditEntry.id, String))
# As a literal, like the index's own condition: with a parameter in its place the index would not be used.
_why = select(func.min(_told.reason)).where(_told.did == literal_column(f"'{AuditEntry.NOT_DONE}'"), _about_it)
LISTED = select(AuditEntry, _why.correlate(AuditEntry).scalar_subquery())
"""Entries, each with the reason that `outcome` needs."""


@dataclass(frozen=True)
class Verified:
    entries: int  # Entries that follow each other as they should, from the first.
    head: str  # The hash of the last of those.
    problem: str = ""  # A sentence about the entry after them; empty if there is no problem.

    @property
    def is_whole(self) -> bool:
        return not self.problem

    @property
    def broken_at(self) -> int | None:
        return self.entries + 1 if self.problem else None


@dataclass(frozen=True)
class Outcome:
    """The result of the action that an entry records."""

    is_done: bool
    why: str = ""  # The cause if it was not done, or not all of it: the code of an error of ours, or `in_part`.

    def __str__(self) -> str:
        if self.is_done:
            return "done"
        return "done in part" if self.why == IN_PART else f"not done: {self.why.replace('_', ' ')}"


def hash_of(before: str, entry: AuditEntry | Row[Any]) -> str:
    """SHA-256, in hexadecimal, over the hash before the entry and the entry's columns.

    The columns form a JSON array in the order written here, in ASCII and without spaces; the instant is in UTC as
    `2026-11-22 14:00:00.000000`.
    """
    said = [entry.who, entry.did, entry.person_id, entry.about, entry.reason, entry.times, entry.shows]
    columns = json.dumps([before, entry.id, as_stored(entry.at), *said], separators=(",", ":"))
    return hashlib.sha256(columns.encode()).hexdigest()


def note(
    db: Session,
    who: str,
    did: str,
    now: datetime,
    *,
    person_id: int | None = None,
    about: str = "",
    reason: str = "",
    shows: bool = False,
) -> int:
    """Add an entry in the caller's transaction, and return its number. The one writer keeps the chain from forking.

    No value may hold people's words, a phone number or a secret. `shows` is True if people's words are shown by it.
    """
    _write_refused(db, now)
    said = " ".join(reason.split())[:MAX_REASON_CHARS]
    entry = AuditEntry(at=now, who=who, did=did, person_id=person_id, about=about, reason=said, times=1, shows=shows)
    _chain(db, entry)
    return entry.id


def note_not_done(db: Session, number: int, why: str, now: datetime) -> None:
    """Add an entry that the action of entry `number` was refused, failed, or was done in part; `why` is a code.

    The entry itself stays as it was written, since it is in the chain.
    """
    asked = db.get_one(AuditEntry, number)
    note(db, asked.who, AuditEntry.NOT_DONE, now, person_id=asked.person_id, about=f"{_ENTRY}{number}", reason=why)


def note_refused_login(db: Session, name: str | None, now: datetime) -> None:
    """Count a wrong password for the operator `name`, or for None a name that no operator has.

    The first is an entry at once. Those that follow within the hour are counted, and become one entry with their
    count when the hour is over or when anything else is noted.
    """
    who = name or NOBODY
    counted = marks.read(db, _REFUSED + who)
    if counted is None or now >= counted.at + COUNTED_TOGETHER:
        times = 1 + (counted.number if counted else 0)
        marks.put(db, _REFUSED + who, now)
        _chain(db, _refused(who, times, now))
    else:
        counted.number += 1


def verify(db: Session) -> Verified:
    """Check the whole chain, and say where it first breaks, if it does."""
    before, count = FIRST, 0
    columns = select(*AuditEntry.__table__.columns).order_by(AuditEntry.id)  # Rows: none is kept in memory.
    with db.execute(columns.execution_options(yield_per=_AT_A_TIME)) as entries:
        for entry in entries:
            if entry.id != count + 1:
                return Verified(count, before, f"Entry {count + 1} is missing.")
            if entry.hash != hash_of(before, entry):
                return Verified(count, before, f"Entry {entry.id} is not as it was written.")
            before, count = entry.hash, entry.id
    head = marks.read(db, _HEAD)
    if (head.number, head.note) != (count, before) if head else count > 0:
        return Verified(count, before, f"What was written after entry {count} is missing.")
    return Verified(count, before)


def find(
    db: Session, *, who: str | None = None, person_id: int | None = None, before: int | None = None, limit: int
) -> list[tuple[AuditEntry, Outcome | None]]:
    """Entries, newest first, with their outcomes; filtered by operator, by person, and by number less than `before`."""
    entries = LISTED.order_by(AuditEntry.id.desc()).limit(limit)
    if who is not None:
        entries = entries.where(AuditEntry.who == who)
    if person_id is not None:
        entries = entries.where(is_about(person_id))
    if before is not None:
        entries = entries.where(AuditEntry.id < before)
    return [(entry, outcome(entry, why)) for entry, why in db.execute(entries)]


def is_about(person_id: int) -> ColumnElement[bool]:
    """Condition for entries on this person alone, on rows of several people (`fact 1-7 2-3`), or on a move to them."""
    about = AuditEntry.about
    return (
        (AuditEntry.person_id == person_id) | about.contains(f" {person_id}-") | about.endswith(f" to_id {person_id}")
    )


def outcome(entry: AuditEntry, why: str | None) -> Outcome | None:
    """The outcome of an entry, given the reason that `LISTED` found; None for an entry about another one's outcome.

    Without a reason the action was done, is being done now, or its process was ended in the middle of it.
    """
    if entry.did.endswith(REFUSED):
        why = "refused"
    if entry.did == AuditEntry.NOT_DONE:
        return None
    return Outcome(why is None, why or "")


def views_of_words(db: Session, person_id: int, limit: int) -> Sequence[AuditEntry]:
    """Entries that showed the person's words, alone or with everybody's, newest first."""
    newest = select(AuditEntry).where(AuditEntry.SHOWS).order_by(AuditEntry.id.desc()).limit(limit)
    theirs = db.scalars(newest.where(AuditEntry.person_id == person_id)).all()
    everybodys = db.scalars(newest.where(AuditEntry.person_id.is_(None))).all()
    return sorted([*theirs, *everybodys], key=lambda entry: entry.id, reverse=True)[:limit]


def _write_refused(db: Session, now: datetime) -> None:
    """Write entries for the refused logins that were only counted, before the entry that they may have led to."""
    counted = select(Mark).where(Mark.name.startswith(_REFUSED, autoescape=True), Mark.number > 0).order_by(Mark.name)
    for mark in db.scalars(counted).all():
        _chain(db, _refused(mark.name.removeprefix(_REFUSED), mark.number, now))
        mark.number = 0


def _refused(who: str, times: int, now: datetime) -> AuditEntry:
    return AuditEntry(at=now, who=who, did=REFUSED_LOGIN, about="", reason="", times=times, shows=False)


def _chain(db: Session, entry: AuditEntry) -> None:
    # Continues the head that was written last, not the last row: that would hide a removed end of the chain.
    head = marks.read(db, _HEAD)
    number, before = (head.number, head.note or FIRST) if head else (0, FIRST)
    entry.id = number + 1
    entry.hash = hash_of(before, entry)
    db.add(entry)
    marks.put(db, _HEAD, entry.at, number=entry.id, note=entry.hash)
