"""Which of a day's money went into work that nobody waits for: it has a share of its own, and replies have the rest."""

import sqlalchemy as sa
from alembic import op

revision = "0017_background_spendings"
down_revision: str | None = "0016_index_after"


def upgrade() -> None:
    op.add_column("spendings", sa.Column("is_background", sa.Boolean(), server_default=sa.text("0"), nullable=False))
