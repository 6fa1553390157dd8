"""When a turn is handed to memory's index again, after it could not be: it shall not stand in the way of all others."""

import sqlalchemy as sa
from alembic import op

revision = "0016_index_after"
down_revision: str | None = "0015_recall_in_the_turn"


def upgrade() -> None:
    op.add_column("turns", sa.Column("index_after", sa.DateTime(), nullable=True))
