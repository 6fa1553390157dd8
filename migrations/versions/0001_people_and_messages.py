"""People, what they text, and the turns that answer them.

A text is kept under its carrier's id, which is unique: a second delivery ends there. At most one turn of a person
runs at a time, which the partial index holds also between processes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001_people_and_messages"
down_revision: str | None = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("timezone_source", sa.String(), nullable=False),
        sa.Column("access", sa.String(), nullable=False),
        sa.Column("told_to_wait", sa.Boolean(), server_default=sa.text("0"), nullable=False),
        sa.Column("opted_out_at", sa.DateTime(), nullable=True),
        sa.Column("last_fact_number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("access IN ('allowed', 'waiting', 'blocked')", name=op.f("ck_people_access")),
        sa.CheckConstraint("timezone_source IN ('unknown', 'guessed', 'told')", name=op.f("ck_people_timezone_source")),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("address", name="uq_people_address"),
        sa.UniqueConstraint("key", name="uq_people_key"),
    )
    op.create_table(
        "conversations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("last_at", sa.DateTime(), nullable=False),
        sa.Column("memory_on", sa.Boolean(), server_default=sa.text("1"), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_conversations_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
    )
    op.create_index("ix_conversations_person_id_last_at", "conversations", ["person_id", "last_at"], unique=False)
    op.create_table(
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("carrier", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("leased_until", sa.DateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="1", nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("model_calls", sa.Integer(), server_default="0", nullable=False),
        sa.Column("input_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("output_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cache_read_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cache_write_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cost_cents", sa.Double(), server_default="0", nullable=False),
        sa.Column("model_seconds", sa.Double(), server_default="0", nullable=False),
        sa.Column("memory_shown", sa.String(), nullable=True),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint("kind IN ('reply', 'command')", name=op.f("ck_turns_kind")),
        sa.CheckConstraint("state IN ('running', 'done')", name=op.f("ck_turns_state")),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], name="fk_turns_conversation_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_turns_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_turns"),
    )
    op.create_index("ix_turns_person_id_id", "turns", ["person_id", "id"], unique=False)
    op.create_index("uq_turns_running", "turns", ["person_id"], unique=True, sqlite_where=sa.text("state = 'running'"))
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("direction", sa.String(), nullable=False),
        sa.Column("carrier", sa.String(), nullable=False),
        sa.Column("sid", sa.String(), nullable=True),
        sa.Column("key", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("media_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("part", sa.Integer(), server_default="1", nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("delivery", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint(
            "(direction = 'in' AND state IN ('waiting', 'held', 'unanswered', 'answered')) OR (direction = 'out' AND state IN ('queued', 'sending', 'sent', 'refused', 'unknown'))",
            name=op.f("ck_messages_state"),
        ),
        sa.CheckConstraint("direction IN ('in', 'out')", name=op.f("ck_messages_direction")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_messages_person_id"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_messages_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sa.UniqueConstraint("sid", name="uq_messages_sid"),
    )
    op.create_index("ix_messages_person_id_id", "messages", ["person_id", "id"], unique=False)
    op.create_index(
        "ix_messages_state_person_id",
        "messages",
        ["state", "person_id"],
        unique=False,
        sqlite_where=sa.text("state IN ('waiting', 'queued', 'sending')"),
    )
    op.create_index(
        "ix_messages_turn_id", "messages", ["turn_id"], unique=False, sqlite_where=sa.text("turn_id IS NOT NULL")
    )
    op.create_index("uq_messages_key", "messages", ["key"], unique=True, sqlite_where=sa.text("key IS NOT NULL"))
    op.create_table(
        "tool_calls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("input", sa.JSON(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("is_error", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_tool_calls_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tool_calls"),
        sa.UniqueConstraint("turn_id", "attempt", "ordinal", name="uq_tool_calls_turn_id_attempt_ordinal"),
    )
