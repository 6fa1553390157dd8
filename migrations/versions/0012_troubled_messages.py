"""Texts in doubt and texts given up are counted each few seconds, by whoever watches: without reading all others."""

import sqlalchemy as sa
from alembic import op

revision = "0012_troubled_messages"
down_revision: str | None = "0011_media"


def upgrade() -> None:
    op.create_index(
        "ix_messages_troubled",
        "messages",
        ["state"],
        unique=False,
        sqlite_where=sa.text("state IN ('unknown', 'dead')"),
    )
