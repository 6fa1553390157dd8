"""Until when a person wants nothing that comes by itself, where they said so."""

import sqlalchemy as sa
from alembic import op

revision = "0032_paused_until"
down_revision: str | None = "0031_last_texts"


def upgrade() -> None:
    op.add_column("people", sa.Column("paused_until", sa.DateTime(), nullable=True))
    op.create_index(
        "ix_people_paused_until",
        "people",
        ["paused_until"],
        sqlite_where=sa.text("paused_until IS NOT NULL"),
    )
