from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.db import ANEW, Base
from app.store.dialect import partial_index

LIVE = text("retired_at IS NULL")


class Rule(Base):
    """One version of one way in which a person wants things done: where its trigger holds, its procedure does.

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
        partial_index("uq_rules_live_number", "person_id", "number", unique=True, where=LIVE),
        partial_index("uq_rules_live_words", "person_id", "normalised", unique=True, where=LIVE),
    )

    id: Mapped[int] = mapped_column(primary_key=True, info=ANEW)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    number: Mapped[int]
    """Small, counted for each person, never used twice: the id that the person and the model see."""
    version: Mapped[int] = mapped_column(info=ANEW)
    trigger_kind: Mapped[str]
    """`phrase` (words of the person's), `situation` (told in words) or `always`."""
    trigger: Mapped[str | None]
    """The phrase, or the situation; none for `always`."""
    procedure: Mapped[str]
    normalised: Mapped[str]
    """Trigger and procedure without case, spacing and punctuation: two live rules of a person never share them."""
    state: Mapped[str]
    """`active`, `paused`, or `proposed`: it waits for the person's yes and holds for nothing until then."""
    source: Mapped[str]
    """As of facts; and `file` or `forwarded` where it came with a text and is not in the person's own words."""
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    quote: Mapped[str | None]
    """The words it was learned from."""
    created_at: Mapped[datetime]
    """When the rule was first set or proposed; the same for all its versions."""
    recorded_at: Mapped[datetime] = mapped_column(info=ANEW)
    retired_at: Mapped[datetime | None] = mapped_column(info=ANEW)
