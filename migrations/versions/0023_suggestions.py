"""Suggestions: routines and rules that could be made of what repeats, and what their people said to them."""

import sqlalchemy as sa
from alembic import op

revision = "0023_suggestions"
down_revision: str | None = "0022_routines"


def upgrade() -> None:
    op.create_table(
        "suggestions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("schedule", sa.JSON(), nullable=True),
        sa.Column("procedure", sa.String(), nullable=True),
        sa.Column("manner", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("run_at", sa.DateTime(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("said_at", sa.DateTime(), nullable=True),
        sa.Column("answered_at", sa.DateTime(), nullable=True),
        sa.Column("answer_message_id", sa.Integer(), nullable=True),
        sa.Column("made_number", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("kind IN ('routine', 'rule')", name=op.f("ck_suggestions_kind")),
        sa.CheckConstraint(
            "state IN ('waiting', 'said', 'accepted', 'declined', 'silent', 'dropped')",
            name=op.f("ck_suggestions_state"),
        ),
        sa.CheckConstraint("(kind = 'routine') = (schedule IS NOT NULL)", name=op.f("ck_suggestions_schedule")),
        sa.ForeignKeyConstraint(["answer_message_id"], ["messages.id"], name="fk_suggestions_answer_message_id"),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name="fk_suggestions_message_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_suggestions_person_id"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_suggestions_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_suggestions"),
    )
    for name, columns, unique, where in (
        ("uq_suggestions_open", ["person_id"], True, "state IN ('waiting', 'said')"),
        ("ix_suggestions_waiting", ["run_at"], False, "state = 'waiting'"),
        ("ix_suggestions_person_id_id", ["person_id", "id"], False, None),
        ("ix_suggestions_turn_id", ["turn_id"], False, "turn_id IS NOT NULL"),
    ):
        op.create_index(name, "suggestions", columns, unique=unique, sqlite_where=sa.text(where) if where else None)
