"""Pictures and other files that came with a text: where they are, and what became of fetching them. Never their bytes."""

import sqlalchemy as sa
from alembic import op

revision = "0011_media"
down_revision: str | None = "0010_consents"


def upgrade() -> None:
    op.create_table(
        "media",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name="fk_media_message_id"),
        sa.PrimaryKeyConstraint("id", name="pk_media"),
        sa.UniqueConstraint("message_id", "place", name="uq_media_message_id_place"),
    )
