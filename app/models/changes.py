"""Changes of a memory, for `/undo`, and each operator's progress through the review."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.store.db import Base
from app.store.dialect import partial_index


class Change(Base):
    """One change of a person's memory, by anyone; `/undo` takes back the last one."""

    __tablename__ = "changes"
    __table_args__ = (
        CheckConstraint("verb IN ('remember', 'revise', 'forget', 'restore', 'merge', 'move')", name="verb"),
        CheckConstraint("actor IN ('person', 'assistant', 'operator', 'agent')", name="actor"),
        Index(None, "person_id", "id"),
        partial_index("uq_changes_call", "call", unique=True, where="call IS NOT NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    actor: Mapped[str]
    verb: Mapped[str]
    turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    call: Mapped[str | None]
    """The call of a tool that made it, as `turn:ordinal:tool`, so that a turn run again after a crash changes nothing
    twice; or the request of an operator, as `page:token:person`."""
    moved_with_id: Mapped[int | None]
    """For a move, on the change of the person who had the fact: the id of the change of the person who has it now."""
    at: Mapped[datetime]
    undone_at: Mapped[datetime | None]
    undone_by_turn_id: Mapped[int | None] = mapped_column(ForeignKey("turns.id"))
    """The turn that undid it, so that this turn undoes nothing else when it is run again after a crash."""
    items: Mapped[list["ChangeItem"]] = relationship(order_by="ChangeItem.id", lazy="selectin")


class ChangeItem(Base):
    """One row or one field that a change touched."""

    __tablename__ = "change_items"
    __table_args__ = (Index(None, "change_id"), partial_index(None, "routine_id", where="routine_id IS NOT NULL"))

    id: Mapped[int] = mapped_column(primary_key=True)
    change_id: Mapped[int] = mapped_column(ForeignKey("changes.id"))
    added_fact_id: Mapped[int | None] = mapped_column(ForeignKey("facts.id"))
    retired_fact_id: Mapped[int | None] = mapped_column(ForeignKey("facts.id"))
    retired_episode_id: Mapped[int | None] = mapped_column(ForeignKey("episodes.id"))
    added_rule_id: Mapped[int | None] = mapped_column(ForeignKey("rules.id"))
    retired_rule_id: Mapped[int | None] = mapped_column(ForeignKey("rules.id"))
    field: Mapped[str | None]
    """`name`, `timezone`, `timezone_source`, `quiet_hours`, `paused_at`, `paused_until`, `away_until`,
    `home_timezone` or `home_timezone_source` of the person; `pinned`, `archived_at` or `expires_at` of the fact
    `fact_id`; `calendar` (`before`: its name and address, `after`: its name; None without a calendar); any field of the
    routine `routine_id`, whose `state` was None before it was made. For a forgetting: `subject` (`before`: as given,
    `after`: the words that identify it), `episode` (`retired_episode_id`, which is rewritten without it), `quote` (of
    fact `fact_id`, rule `retired_rule_id` or routine `routine_id`) and `texts` (`before`: the turns whose texts were
    indexed again)."""
    fact_id: Mapped[int | None] = mapped_column(ForeignKey("facts.id"))
    routine_id: Mapped[int | None] = mapped_column(ForeignKey("routines.id"))
    before: Mapped[str | None]
    after: Mapped[str | None]


class Reviewed(Base):
    """One operator's progress through the review of one kind: all rows up to `upto_id` have been looked at."""

    __tablename__ = "reviewed"
    __table_args__ = (CheckConstraint("kind IN ('fact', 'episode', 'rule')", name="kind"), {"sqlite_with_rowid": False})

    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    upto_id: Mapped[int]
    """The id of the last version of a fact, an episode or a rule before which nothing is left to look at."""
    at: Mapped[datetime]


class ReviewedAhead(Base):
    """One memory after `upto_id` that the operator has already looked at; deleted once `upto_id` has passed it."""

    __tablename__ = "reviewed_ahead"
    __table_args__ = (CheckConstraint("kind IN ('fact', 'episode', 'rule')", name="kind"), {"sqlite_with_rowid": False})

    operator_id: Mapped[int] = mapped_column(ForeignKey("operators.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
