"""On which day there was no money for a batch: that is no failure of its own, and it waits for the next day."""

import sqlalchemy as sa
from alembic import op

revision = "0018_unpaid_batches"
down_revision: str | None = "0017_background_spendings"


def upgrade() -> None:
    op.add_column("batches", sa.Column("unpaid_on", sa.Date(), nullable=True))
