"""Money reserved before a call of the model and settled after it: the day's sum is one look at an index."""

import sqlalchemy as sa
from alembic import op

revision = "0009_spendings"
down_revision: str | None = "0008_model_answers"


def upgrade() -> None:
    op.create_table(
        "spendings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("cents", sa.Double(), nullable=False),
        sa.Column("is_settled", sa.Boolean(), server_default=sa.text("0"), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_spendings_person_id"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_spendings_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_spendings"),
    )
    op.create_index("ix_spendings_day_person_id_cents", "spendings", ["day", "person_id", "cents"])
