"""Facts are archived: those that expired, those that faded, and the weakest of a person who holds a thousand.

What is held and what is live are two things from now on, so the indexes over what is held are named for it. When a fact
was last told, changed or used stands in a column of its own, by which those that faded are found among everybody's.
"""

import sqlalchemy as sa
from alembic import op

from app.memory.facts.categories import is_passing

revision = "0020_archived_facts"
down_revision: str | None = "0019_forgotten_episodes"

HELD = "retired_at IS NULL"
NOT_ARCHIVED = f"{HELD} AND archived_at IS NULL"


def upgrade() -> None:
    op.drop_index("uq_facts_live_number", "facts")
    op.drop_index("uq_facts_live_sentence", "facts")
    op.add_column("facts", sa.Column("passing", sa.Boolean(), server_default=sa.text("0"), nullable=False))
    op.add_column("facts", sa.Column("archived_at", sa.DateTime(), nullable=True))
    op.add_column("facts", sa.Column("fresh_at", sa.DateTime(), nullable=True))
    op.execute("UPDATE facts SET fresh_at = max(recorded_at, coalesce(last_used_at, recorded_at))")
    _mark_what_is_passing()
    with op.batch_alter_table("facts") as facts:
        facts.alter_column("fresh_at", existing_type=sa.DateTime(), nullable=False)
    _index("uq_facts_held_number", ["person_id", "number"], HELD, unique=True)
    _index("uq_facts_held_sentence", ["person_id", "normalised"], HELD, unique=True)
    _index("ix_facts_not_archived", ["person_id"], NOT_ARCHIVED)
    _index("ix_facts_expiring", ["expires_at"], f"{NOT_ARCHIVED} AND expires_at IS NOT NULL")
    _index("ix_facts_fading", ["fresh_at"], f"{NOT_ARCHIVED} AND passing AND NOT pinned")


def _mark_what_is_passing() -> None:
    facts = op.get_bind().execute(sa.text("SELECT id, sentence, category FROM facts")).all()
    passing = [{"fact": fact.id} for fact in facts if is_passing(fact.sentence, fact.category)]
    if passing:
        op.get_bind().execute(sa.text("UPDATE facts SET passing = 1 WHERE id = :fact"), passing)


def _index(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(name, "facts", columns, unique=unique, sqlite_where=sa.text(where))
