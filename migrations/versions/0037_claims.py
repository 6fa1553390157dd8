"""A batch is a claim alone: a draft is kept with its episode. Who had one in hand is overtaken; nothing else is lost."""

import sqlalchemy as sa
from alembic import op

revision = "0037_claims"
down_revision: str | None = "0036_rests"
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.drop_table("batches")
    op.create_table(
        "batches",
        sa.Column("conversation_id", NUMBER, nullable=False),
        sa.Column("attempts", NUMBER, server_default="0", nullable=False),
        sa.Column("failures", NUMBER, server_default="0", nullable=False),
        sa.Column("leased_until", sa.DateTime(), nullable=False),
        sa.Column("retry_at", sa.DateTime(), nullable=True),
        sa.Column("unpaid_on", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], name="fk_batches_conversation_id"),
        sa.PrimaryKeyConstraint("conversation_id", name="pk_batches"),
    )
