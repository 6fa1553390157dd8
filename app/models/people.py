"""People, their consent to being texted, and the notices that they were given."""

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
    key: Mapped[str] = mapped_column(unique=True)  # Opaque; the model's vendor sees it instead of a number.
    name: Mapped[str | None]
    timezone: Mapped[str]  # An IANA zone; UTC while nothing better is known.
    timezone_source: Mapped[str] = mapped_column(default="unknown")
    away_until: Mapped[datetime | None]
    """The end of their time away, when their zone becomes that of their home again; None while they are not away."""
    home_timezone: Mapped[str | None]  # Their zone before they went away; None while they are not away.
    home_timezone_source: Mapped[str | None]  # The `timezone_source` of their home zone.
    access: Mapped[str]
    opted_out_at: Mapped[datetime | None]
    stop_text_id: Mapped[int | None]
    """The message that asks for something to stop without saying what. They are asked, and until they answer they get
    no text that they did not ask for."""
    undelivered: Mapped[int] = mapped_column(default=0, server_default="0")
    """Texts in a row that did not reach the phone."""
    unreachable: Mapped[str | None]  # A sentence for the operator: why no text reaches this number any more.
    last_text_id: Mapped[int] = mapped_column(default=0, server_default="0")
    """The newest message from them; 0 before the first. The database's trigger `messages_last_text` sets it within
    the statement that stores the text, which saves one statement for each text."""
    last_fact_number: Mapped[int] = mapped_column(default=0, server_default="0")
    """The highest number that a fact of this person ever had: numbers are never reused."""
    last_episode_number: Mapped[int] = mapped_column(default=0, server_default="0")  # The same for episodes.
    last_rule_number: Mapped[int] = mapped_column(default=0, server_default="0")  # The same for rules.
    last_routine_number: Mapped[int] = mapped_column(default=0, server_default="0")  # The same for routines.
    quiet_hours: Mapped[str | None]  # `22:00-07:00` on their own clock, or `none`; None until they have said.
    paused_at: Mapped[datetime | None]  # Since then they want no unasked text.
    paused_until: Mapped[datetime | None]
    """End of the pause; None while nothing is paused, or if it lasts until they end it."""
    rests_until: Mapped[datetime | None]
    """End of the time for which their texts wait instead of being answered; it may lie in the past."""
    rests_for: Mapped[str | None]  # The reason: a key of `app.conversation.waiting.RESTS`.
    window_shut_at: Mapped[datetime | None]
    """The last time a text met the closed window of their channel; their next text opens it again."""
    created_at: Mapped[datetime]


class Consent(Base):
    """One consent or refusal of a person to be texted, as the law wants it kept: who, when, how, in which words."""

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
    words: Mapped[str | None]  # The text that says it; None if it came from the carrier.
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    at: Mapped[datetime]


class Notice(Base):
    """The last time a person was told that something is in the way, so that they are told once."""

    __tablename__ = "notices"
    __table_args__ = (CheckConstraint("kind IN ('wait', 'model_down', 'rate', 'budget')", name="kind"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class Calendar(Base):
    """A calendar that the assistant reads for a person."""

    __tablename__ = "calendars"
    __table_args__ = (UniqueConstraint("person_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    name: Mapped[str]  # Its name for the model and the person: `calendar`, `work`.
    address: Mapped[str]  # Secret: anyone who has it can read the calendar. In no list, log or request of the model.
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    """The turn in which they texted it; None if the operator entered it."""
