"""Facts and rules: each change adds a row with the next version."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import ANEW, Base
from app.store.dialect import partial_index

_HELD = "retired_at IS NULL"
_NOT_ARCHIVED = f"{_HELD} AND archived_at IS NULL"
_FOREMOST = "pinned DESC, importance DESC, passing, fresh_at DESC, number"


class Fact(Base):
    """One version of one thing that is true of a person.

    `number` names the fact for life; each change adds a row with the next `version` and retires the one before.
    Two pairs of times: `valid_from`/`valid_to` say when it was true, `recorded_at`/`retired_at` when we knew it.
    A fact is held as long as one of its versions is not retired. A held fact is either live, or archived: found by a
    search, and never shown unasked.
    """

    FADING = text(f"facts.{_NOT_ARCHIVED} AND passing AND NOT pinned")
    PINNED = text(f"facts.{_HELD} AND pinned")
    ARCHIVED = text(f"facts.{_HELD} AND archived_at IS NOT NULL")

    __tablename__ = "facts"
    __table_args__ = (
        CheckConstraint(
            "source IN ('explicit', 'corrected', 'inferred', 'imported', 'operator', 'agent')", name="source"
        ),
        UniqueConstraint("person_id", "number", "version"),
        partial_index("uq_facts_held_number", "person_id", "number", unique=True, where=_HELD),
        partial_index("uq_facts_held_sentence", "person_id", "normalised", unique=True, where=_HELD),
        # Counted at each new fact, and read by each turn in this order, however many are archived.
        partial_index("ix_facts_foremost", "person_id", *map(text, _FOREMOST.split(", ")), where=_NOT_ARCHIVED),
        # The job that archives finds its facts among everybody's by these two, however much else is remembered.
        partial_index("ix_facts_expiring", "expires_at", where=f"{_NOT_ARCHIVED} AND expires_at IS NOT NULL"),
        partial_index("ix_facts_fading", "fresh_at", where=FADING),
        # The operator's page of all memory lists everybody's facts, newest first.
        Index("ix_facts_recorded_at", "recorded_at"),
        partial_index("ix_facts_held_category", "category", "id", where=_HELD),
        partial_index("ix_facts_held_source", "source", "id", where=_HELD),
        partial_index("ix_facts_held_pinned", "id", where=PINNED),
        partial_index("ix_facts_held_archived", "id", where=ARCHIVED),
    )

    id: Mapped[int] = mapped_column(primary_key=True, info=ANEW)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    number: Mapped[int]  # Small, counted for each person, never used twice: the id that the person and the model see.
    version: Mapped[int] = mapped_column(info=ANEW)
    sentence: Mapped[str]
    normalised: Mapped[str]
    """The sentence without case, spacing and punctuation: two held facts of a person never share it."""
    category: Mapped[str | None]
    source: Mapped[str]
    confidence: Mapped[float]  # 0 to 1: told 1.0, corrected 0.9, inferred 0.7; repetition raises it.
    times_told: Mapped[int] = mapped_column(default=1, server_default="1")
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    quote: Mapped[str | None]  # The words it was learned from.
    pinned: Mapped[bool] = mapped_column(default=False, server_default=false())
    importance: Mapped[float] = mapped_column(default=0.5, server_default="0.5")  # 0 to 1, higher is shown first.
    passing: Mapped[bool] = mapped_column(default=False, server_default=false())
    """True for a taste or a pastime, which is archived after long disuse."""
    created_at: Mapped[datetime]  # The first time the fact was learned; the same for all its versions.
    recorded_at: Mapped[datetime] = mapped_column(info=ANEW)
    retired_at: Mapped[datetime | None] = mapped_column(info=ANEW)
    valid_from: Mapped[datetime | None]
    valid_to: Mapped[datetime | None] = mapped_column(info=ANEW)
    expires_at: Mapped[datetime | None]  # From this instant on it counts as archived, even before the job has run.
    archived_at: Mapped[datetime | None]
    use_count: Mapped[int] = mapped_column(default=0, server_default="0")
    """Turns in which the reply drew on it or a search returned it."""
    last_used_at: Mapped[datetime | None]
    fresh_at: Mapped[datetime] = mapped_column(info=ANEW)
    """The last time it was told, changed or used; it fades from then on."""
    merged_into: Mapped[int | None] = mapped_column(info=ANEW)
    """For a retired version that was merged and so not forgotten: the number of the fact that now says it."""


class FactPair(Base):
    """Two held facts of a person that may be one, or contradict each other; stored twice, once from either side."""

    __tablename__ = "fact_pairs"
    __table_args__ = (
        CheckConstraint("kind IN ('alike', 'conflict')", name="kind"),
        Index(None, "other_id"),
        Index(None, "kind", "fact_id"),
        {"sqlite_with_rowid": False},
    )

    fact_id: Mapped[int] = mapped_column(ForeignKey("facts.id"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("facts.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    kind: Mapped[str]
    """`alike`: they say much the same. `conflict`: they answer the same question, or one says that the other ended."""
    likeness: Mapped[float]  # 0 to 1, higher is more alike: see `wording.overlap`.


class Rule(Base):
    """One version of how a person wants things done: its procedure applies wherever its trigger holds.

    `number` names the rule for life; each change of its words or its state adds a row with the next `version` and
    retires the one before.
    """

    __tablename__ = "rules"
    __table_args__ = (
        CheckConstraint("trigger_kind IN ('phrase', 'situation', 'always')", name="trigger_kind"),
        CheckConstraint("(trigger_kind = 'always') = (\"trigger\" IS NULL)", name="trigger"),
        CheckConstraint("state IN ('active', 'paused', 'proposed')", name="state"),
        CheckConstraint(
            "source IN ('explicit', 'corrected', 'inferred', 'file', 'forwarded', 'imported', 'operator', 'agent')",
            name="source",
        ),
        UniqueConstraint("person_id", "number", "version"),
        partial_index("uq_rules_live_number", "person_id", "number", unique=True, where=_HELD),
        partial_index("uq_rules_live_words", "person_id", "normalised", unique=True, where=_HELD),
    )

    id: Mapped[int] = mapped_column(primary_key=True, info=ANEW)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    number: Mapped[int]  # Small, counted for each person, never used twice: the id that the person and the model see.
    version: Mapped[int] = mapped_column(info=ANEW)
    trigger_kind: Mapped[str]  # `phrase` (the person's words), `situation` (a description) or `always`.
    trigger: Mapped[str | None]  # The phrase or the situation; None for `always`.
    procedure: Mapped[str]
    normalised: Mapped[str]
    """Trigger and procedure without case, spacing and punctuation: two live rules of a person never share them."""
    state: Mapped[str]
    """`active`, `paused`, or `proposed`: it waits for the person's yes and does not apply until then."""
    source: Mapped[str]
    """As for facts; also `file` or `forwarded` if it came with a text and is not in the person's own words."""
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    quote: Mapped[str | None]  # The words it was learned from.
    created_at: Mapped[datetime]  # The first time the rule was set or proposed; the same for all its versions.
    recorded_at: Mapped[datetime] = mapped_column(info=ANEW)
    retired_at: Mapped[datetime | None] = mapped_column(info=ANEW)
