"""What became of an entry of the operators' log is found by its number."""

import sqlalchemy as sa
from alembic import op

revision = "0030_outcomes"
down_revision: str | None = "0029_routine_lists"


def upgrade() -> None:
    where = sa.text("did = 'not_done'")
    op.create_index("ix_audit_entries_outcomes", "audit_entries", ["about"], sqlite_where=where)
