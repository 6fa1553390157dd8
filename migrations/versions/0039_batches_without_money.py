"""What waits for money to be summarised rests an hour, as after a failure: no day is kept for it."""

from alembic import op

revision = "0039_batches_without_money"
down_revision: str | None = "0038_unread_columns"


def upgrade() -> None:
    op.drop_column("batches", "unpaid_on")
