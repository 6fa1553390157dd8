"""What a text that goes out costs and waits for, and the steps that a crash, a quiet model or a poison text need.

A turn may be postponed until the model is back, a text given up as dead. A text going out knows its segments, its slot
with the sender, who is sending it until when, and what the carrier said in numbers.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006_delivery_states"
down_revision: str | None = "0005_fact_vectors"

STATES = (
    "(direction = 'in' AND state IN ('waiting', 'held', 'unanswered', 'answered', 'dead'))"
    " OR (direction = 'out' AND state IN ('queued', 'sending', 'sent', 'refused', 'unknown'))"
)


def upgrade() -> None:
    with op.batch_alter_table("messages") as messages:
        messages.drop_constraint(op.f("ck_messages_state"), type_="check")
        messages.create_check_constraint(op.f("ck_messages_state"), STATES)
        messages.add_column(sa.Column("purpose", sa.String(), server_default="reply", nullable=False))
        messages.create_check_constraint(
            op.f("ck_messages_purpose"), "purpose IN ('reply', 'notice', 'farewell', 'routine')"
        )
        messages.add_column(sa.Column("segments", sa.Integer(), nullable=True))
        messages.add_column(sa.Column("cost_cents", sa.Double(), nullable=True))
        messages.add_column(sa.Column("send_at", sa.DateTime(), nullable=True))
        messages.add_column(sa.Column("leased_until", sa.DateTime(), nullable=True))
        messages.add_column(sa.Column("resends", sa.Integer(), server_default="0", nullable=False))
        messages.add_column(sa.Column("checked_at", sa.DateTime(), nullable=True))
        messages.add_column(sa.Column("carrier_code", sa.Integer(), nullable=True))
    with op.batch_alter_table("turns") as turns:
        turns.drop_constraint(op.f("ck_turns_state"), type_="check")
        turns.create_check_constraint(op.f("ck_turns_state"), "state IN ('running', 'postponed', 'done')")
        turns.add_column(sa.Column("retry_at", sa.DateTime(), nullable=True))
    op.drop_index("uq_turns_running", "turns")
    op.create_index(
        "uq_turns_open", "turns", ["person_id"], unique=True, sqlite_where=sa.text("state IN ('running', 'postponed')")
    )
    op.add_column("people", sa.Column("undelivered", sa.Integer(), server_default="0", nullable=False))
    op.add_column("people", sa.Column("unreachable", sa.String(), nullable=True))
