"""The addresses of people's calendars, which they text or the operator enters."""

import sqlalchemy as sa
from alembic import op

revision = "0024_calendars"
down_revision: str | None = "0023_suggestions"


def upgrade() -> None:
    op.create_table(
        "calendars",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("added_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_calendars_person_id"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_calendars_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_calendars"),
        sa.UniqueConstraint("person_id", "name", name="uq_calendars_person_id_name"),
    )
