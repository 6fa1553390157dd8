"""Routines with their occurrences, and the suggestions that become one."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Routine(Base):
    """Something the assistant does by itself at times that a person chose. A reminder is a routine that comes once."""

    STANDING = ("proposed", "active", "paused")  # States in which a routine may come again.
    TO_COME = text("routines.state = 'active' AND routines.next_due_at IS NOT NULL")

    __tablename__ = "routines"
    __table_args__ = (
        CheckConstraint("does IN ('remind', 'run')", name="does"),
        CheckConstraint("state IN ('proposed', 'active', 'paused', 'ended', 'cancelled')", name="state"),
        UniqueConstraint("person_id", "number"),
        # Read at every tick, usually to find nothing due, however many routines there are.
        partial_index("ix_routines_to_come", "next_due_at", where=TO_COME),
        partial_index("ix_routines_to_come_of", "person_id", "next_due_at", where=TO_COME),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    number: Mapped[int]  # Small, counted for each person, never used twice.
    does: Mapped[str]  # `remind`: the words are sent as they are. `run`: the model carries them out.
    words: Mapped[str]  # The words to say, or the task to do.
    schedule: Mapped[dict[str, Any]] = mapped_column(JSON)  # As `Schedule.as_dict` makes it.
    zone: Mapped[str | None]  # An IANA zone that it stays in; None if it follows its person's zone.
    state: Mapped[str]
    """`proposed` waits for the person's yes; `active` has something to come. The legal steps are in `states.py`."""
    useful_minutes: Mapped[int]  # It may come this much late and still be of use.
    at_night: Mapped[bool]  # True if the person themselves named an hour within their quiet hours.
    carrier: Mapped[str]  # The carrier of the request, which also takes its texts.
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))  # The turn in which it was made.
    quote: Mapped[str | None]
    source: Mapped[str]  # As for a fact: `explicit`, `inferred`, `operator` …
    next_due_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class Occurrence(Base):
    """One due instant of a routine, and its outcome."""

    OPEN = text("occurrences.state IN ('due', 'held')")
    RUNNING = text("occurrences.state = 'running'")

    __tablename__ = "occurrences"
    __table_args__ = (
        CheckConstraint(
            "state IN ('due', 'held', 'running', 'sent', 'late', 'delivered', 'missed', 'skipped', 'cancelled')",
            name="state",
        ),
        # Each instant at most once, however many processes look and whatever the clock does.
        UniqueConstraint("routine_id", "due_at"),
        Index(None, "due_at"),  # All occurrences of an hour or a week.
        partial_index("ix_occurrences_open", "run_at", where=OPEN),
        partial_index("ix_occurrences_open_of", "person_id", "run_at", where=OPEN),
        partial_index("ix_occurrences_running", "id", where=RUNNING),
        partial_index("ix_occurrences_said", "person_id", "said_at", where="said_at IS NOT NULL"),
        partial_index(None, "turn_id", where="turn_id IS NOT NULL"),
        # The history, newest first, of one person or in one state.
        Index(None, "person_id", "id"),
        Index(None, "state", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    routine_id: Mapped[int] = mapped_column(ForeignKey("routines.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    due_at: Mapped[datetime]
    run_at: Mapped[datetime]
    """The time its person's lane takes it up: a little apart from others, after quiet hours, or to try again."""
    snoozed_to: Mapped[datetime | None]  # The time at which the person wants it again.
    state: Mapped[str]
    """due → running → sent, or late (sent, with a word that it is late) → delivered. held: waits for the end of quiet
    hours. missed: too late, failed or lost. skipped: not to be sent. cancelled: with its routine. See `states.py`."""
    reason: Mapped[str | None]  # A sentence: why it is held, late, missed, skipped or cancelled.
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    """Times that the model was asked to carry it out."""
    late_seconds: Mapped[int] = mapped_column(default=0, server_default="0")
    """Seconds between its due instant and the making of its text."""
    said_at: Mapped[datetime | None]  # Its text was made then; the daily limit of unasked texts counts by this.
    by_operator: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True if an operator had it come at once, outside its schedule."""
    at_night: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True if the operator did so knowing that the person's quiet hours are on."""

    @property
    def wanted_at(self) -> datetime:
        """The instant at which it was due, or to which it was snoozed."""
        return self.snoozed_to or self.due_at


class Suggestion(Base):
    """A routine or a rule that the assistant offers to make of a habit, and the person's answer."""

    WAITING = text("suggestions.state = 'waiting'")
    OPEN = text("suggestions.state IN ('waiting', 'said')")

    __tablename__ = "suggestions"
    __table_args__ = (
        CheckConstraint("kind IN ('routine', 'rule')", name="kind"),
        CheckConstraint("state IN ('waiting', 'said', 'accepted', 'declined', 'silent', 'dropped')", name="state"),
        CheckConstraint("(kind = 'routine') = (schedule IS NOT NULL)", name="schedule"),
        # At most one open suggestion a person, however many processes look.
        partial_index("uq_suggestions_open", "person_id", unique=True, where=OPEN),
        partial_index("ix_suggestions_waiting", "run_at", where=WAITING),
        Index(None, "person_id", "id"),
        partial_index(None, "turn_id", where="turn_id IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    kind: Mapped[str]
    words: Mapped[str]  # The person's own: their wish, or their correction.
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"))  # The text with these words.
    times: Mapped[int]  # Times it was said within the period that was looked at.
    schedule: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """For a routine, as `Schedule.as_dict` makes it."""
    procedure: Mapped[str | None]  # For a rule.
    manner: Mapped[str | None]  # For a rule: the key of the manner in which the person wants to be answered.
    state: Mapped[str]
    """waiting → said → accepted, declined or silent (no answer); dropped: not to be said, or not delivered. The legal
    steps are in `states.py`."""
    reason: Mapped[str | None]  # A sentence: why it waits or was dropped.
    run_at: Mapped[datetime]  # The next check whether it may be said.
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))  # The turn in which it was said.
    said_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]
    answer_message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))  # The text that said yes or no.
    made_number: Mapped[int | None]  # The number of the routine or rule made from it.
    created_at: Mapped[datetime]
