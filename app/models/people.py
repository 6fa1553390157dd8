"""People, what they said on being texted, and what they were told of the installation."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import Base
from app.store.dialect import partial_index


class Person(Base):
    """Someone who texts."""

    __tablename__ = "people"
    __table_args__ = (
        CheckConstraint("access IN ('allowed', 'waiting', 'blocked')", name="access"),
        CheckConstraint("timezone_source IN ('unknown', 'guessed', 'told')", name="timezone_source"),
        Index(None, "access", "last_text_id"),
        partial_index("ix_people_away_until", "away_until", where="away_until IS NOT NULL"),
        partial_index("ix_people_paused_until", "paused_until", where="paused_until IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(unique=True)  # As the carrier writes it: `+1…`, `whatsapp:+1…`.
    key: Mapped[str] = mapped_column(unique=True)  # Opaque; what the model's vendor is told instead of a number.
    name: Mapped[str | None]
    timezone: Mapped[str]  # An IANA zone; UTC while nothing better is known.
    timezone_source: Mapped[str] = mapped_column(default="unknown")
    away_until: Mapped[datetime | None]
    """When they go back to the clocks of their home by themselves; None while they are at no place for a while."""
    home_timezone: Mapped[str | None]  # The zone that was theirs before they went away; None while they are not.
    home_timezone_source: Mapped[str | None]  # How that one was known, as `timezone_source`.
    access: Mapped[str]
    opted_out_at: Mapped[datetime | None]
    stop_text_id: Mapped[int | None]
    """The message in which they want something to stop and do not say what. They are asked; until they have answered
    nothing comes that they did not ask for."""
    undelivered: Mapped[int] = mapped_column(default=0, server_default="0")
    """How many texts in a row did not reach the phone."""
    unreachable: Mapped[str | None]  # Why nothing reaches this number any more: a sentence for the operator.
    last_text_id: Mapped[int] = mapped_column(default=0, server_default="0")
    """The newest message that came from them; 0 before the first. The database keeps it itself, by the trigger
    `messages_last_text`, in the statement that keeps the text: one statement more would be one for each text."""
    last_fact_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """The highest number a fact of this person ever had: numbers are never used twice."""
    last_episode_number: Mapped[int] = mapped_column(default=0, server_default="0")  # The same of episodes.
    last_rule_number: Mapped[int] = mapped_column(default=0, server_default="0")  # The same of rules.
    last_routine_number: Mapped[int] = mapped_column(default=0, server_default="0")  # The same of routines.
    quiet_hours: Mapped[str | None]  # `22:00-07:00`, by their own clock, or `none`; None while they have not said.
    paused_at: Mapped[datetime | None]  # Since when they want no text that they did not ask for at that moment.
    paused_until: Mapped[datetime | None]
    """When that ends by itself; None where it lasts until they say so, and where nothing is paused."""
    rests_until: Mapped[datetime | None]
    """Until when their texts wait for an hour and not for a process; it may lie in the past."""
    rests_for: Mapped[str | None]  # Why, as `app.conversation.waiting.RESTS` has it.
    window_shut_at: Mapped[datetime | None]
    """When a text was sent that met the closed window of their channel; a text of theirs opens it again."""
    created_at: Mapped[datetime]


class Consent(Base):
    """One word of a person on being texted, as the law wants it kept: who, when, how, in which words."""

    __tablename__ = "consents"
    __table_args__ = (
        CheckConstraint(
            "how IN ('texted_first', 'carrier_word', 'own_words', 'carrier_refusal', 'operator')", name="how"
        ),
        Index(None, "person_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    agrees: Mapped[bool]
    how: Mapped[str]
    words: Mapped[str | None]  # The text in which it was said; none where the carrier told us.
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    at: Mapped[datetime]


class Notice(Base):
    """When a person was last told that something is in the way, so that they are told once and not each time."""

    __tablename__ = "notices"
    __table_args__ = (CheckConstraint("kind IN ('wait', 'model_down', 'rate', 'budget')", name="kind"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class Calendar(Base):
    """A calendar that is looked at for a person."""

    __tablename__ = "calendars"
    __table_args__ = (UniqueConstraint("person_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    name: Mapped[str]  # What it is called before the model and the person: `calendar`, `work`.
    address: Mapped[str]  # Secret: who has it reads the calendar. It is in no list, log or request of the model.
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    """The turn in which they texted it; None where the operator entered it."""
