"""What a person was told and when, what the installation remembers of itself, and what the operator has to see.

That a stranger was told to wait moves from a column of its own to the notices, where the other kinds stand.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007_notices_marks_alerts"
down_revision: str | None = "0006_delivery_states"


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('wait', 'model_down', 'rate', 'budget')", name=op.f("ck_notices_kind")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_notices_person_id"),
        sa.PrimaryKeyConstraint("person_id", "kind", name="pk_notices"),
    )
    op.execute("INSERT INTO notices (person_id, kind, at) SELECT id, 'wait', created_at FROM people WHERE told_to_wait")
    op.drop_column("people", "told_to_wait")
    op.create_table(
        "marks",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_marks"),
    )
    op.create_table(
        "alerts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("times", sa.Integer(), server_default="1", nullable=False),
        sa.Column("raised_at", sa.DateTime(), nullable=False),
        sa.Column("last_at", sa.DateTime(), nullable=False),
        sa.Column("cleared_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_index("uq_alerts_open", "alerts", ["kind"], unique=True, sqlite_where=sa.text("cleared_at IS NULL"))
