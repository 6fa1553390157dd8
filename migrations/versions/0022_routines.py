"""What comes by itself: routines, each due instant of one once, and turns in which nobody texted."""

import sqlalchemy as sa
from alembic import op

revision = "0022_routines"
down_revision: str | None = "0021_rules"


def upgrade() -> None:
    op.add_column("people", sa.Column("last_routine_number", sa.Integer(), server_default="0", nullable=False))
    op.add_column("people", sa.Column("quiet_hours", sa.String(), nullable=True))
    op.add_column("people", sa.Column("paused_at", sa.DateTime(), nullable=True))
    with op.batch_alter_table("turns") as turns:
        turns.drop_constraint(op.f("ck_turns_kind"), type_="check")
        turns.create_check_constraint(op.f("ck_turns_kind"), "kind IN ('reply', 'command', 'routine')")
    op.create_table(
        "routines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("does", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("schedule", sa.JSON(), nullable=False),
        sa.Column("zone", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("useful_minutes", sa.Integer(), nullable=False),
        sa.Column("at_night", sa.Boolean(), nullable=False),
        sa.Column("carrier", sa.String(), nullable=False),
        sa.Column("message_id", sa.Integer(), nullable=True),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("quote", sa.String(), nullable=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("next_due_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("does IN ('remind', 'run')", name=op.f("ck_routines_does")),
        sa.CheckConstraint(
            "state IN ('proposed', 'active', 'paused', 'ended', 'cancelled')", name=op.f("ck_routines_state")
        ),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name="fk_routines_message_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_routines_person_id"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_routines_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_routines"),
        sa.UniqueConstraint("person_id", "number", name="uq_routines_person_id_number"),
    )
    op.create_index(
        "ix_routines_to_come",
        "routines",
        ["next_due_at"],
        sqlite_where=sa.text("state = 'active' AND next_due_at IS NOT NULL"),
    )
    op.create_table(
        "occurrences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("routine_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("run_at", sa.DateTime(), nullable=False),
        sa.Column("snoozed_to", sa.DateTime(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("late_seconds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("said_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint(
            "state IN ('due', 'held', 'running', 'sent', 'late', 'delivered', 'missed', 'skipped', 'cancelled')",
            name=op.f("ck_occurrences_state"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_occurrences_person_id"),
        sa.ForeignKeyConstraint(["routine_id"], ["routines.id"], name="fk_occurrences_routine_id"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_occurrences_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_occurrences"),
        sa.UniqueConstraint("routine_id", "due_at", name="uq_occurrences_routine_id_due_at"),
    )
    for name, columns, where in (
        ("ix_occurrences_open", ["run_at"], "state IN ('due', 'held')"),
        ("ix_occurrences_open_of", ["person_id", "run_at"], "state IN ('due', 'held')"),
        ("ix_occurrences_running", ["id"], "state = 'running'"),
        ("ix_occurrences_said", ["person_id", "said_at"], "said_at IS NOT NULL"),
        ("ix_occurrences_turn_id", ["turn_id"], "turn_id IS NOT NULL"),
    ):
        op.create_index(name, "occurrences", columns, sqlite_where=sa.text(where))
    with op.batch_alter_table("change_items") as items:
        items.add_column(sa.Column("routine_id", sa.Integer(), nullable=True))
        items.create_foreign_key("fk_change_items_routine_id", "routines", ["routine_id"], ["id"])
