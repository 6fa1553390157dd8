"""What an operator had come now; and the lists of what comes to a person, of occurrences and of a routine's changes."""

import sqlalchemy as sa
from alembic import op

revision = "0029_routine_lists"
down_revision: str | None = "0028_hours"


def upgrade() -> None:
    for name in ("by_operator", "at_night"):
        op.add_column("occurrences", sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index("ix_occurrences_person_id_id", "occurrences", ["person_id", "id"])
    op.create_index("ix_occurrences_state_id", "occurrences", ["state", "id"])
    op.create_index(
        "ix_routines_to_come_of",
        "routines",
        ["person_id", "next_due_at"],
        sqlite_where=sa.text("state = 'active' AND next_due_at IS NOT NULL"),
    )
    op.create_index(
        "ix_change_items_routine_id",
        "change_items",
        ["routine_id"],
        sqlite_where=sa.text("routine_id IS NOT NULL"),
    )
