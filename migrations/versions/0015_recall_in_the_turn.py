"""What a turn recalled: which gate spoke, what was put before the model, and how long that took."""

import sqlalchemy as sa
from alembic import op

revision = "0015_recall_in_the_turn"
down_revision: str | None = "0014_episodes"


def upgrade() -> None:
    op.add_column("turns", sa.Column("recall_gate", sa.String(), nullable=True))
    op.add_column("turns", sa.Column("recalled", sa.JSON(), nullable=True))
    op.add_column("turns", sa.Column("recall_ms", sa.Double(), nullable=True))
