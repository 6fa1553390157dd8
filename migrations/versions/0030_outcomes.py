"""What became of an entry of the operators' log: found by its number, and not told of those from before."""

import sqlalchemy as sa
from alembic import op

revision = "0030_outcomes"
down_revision: str | None = "0029_routine_lists"


def upgrade() -> None:
    where = sa.text("did = 'not_done'")
    op.create_index("ix_audit_entries_outcomes", "audit_entries", ["about"], sqlite_where=where)
    op.execute(
        "INSERT INTO marks (name, at, number)"
        " SELECT 'audit_outcomes', at, id FROM audit_entries ORDER BY id DESC LIMIT 1"
    )
