"""Two columns that were written and never read: when a calendar was added, and when a routine was changed."""

from alembic import op

revision = "0038_unread_columns"
down_revision: str | None = "0037_claims"


def upgrade() -> None:
    op.drop_column("calendars", "added_at")
    op.drop_column("routines", "changed_at")
