"""Episodes in versions, with the messages and facts that belong to them, and what of a conversation waits for one.

A conversation waits while its `last_at` is another than the one that was summarised: no text that comes in, and no turn
that ends, writes anything for this.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014_episodes"
down_revision: str | None = "0013_index"


def upgrade() -> None:
    op.add_column("people", sa.Column("last_episode_number", sa.Integer(), server_default="0", nullable=False))
    op.add_column("conversations", sa.Column("summarised_at", sa.DateTime(), nullable=True))
    op.add_column("conversations", sa.Column("summarised_to", sa.Integer(), server_default="0", nullable=False))
    op.add_column("conversations", sa.Column("cut_to", sa.Integer(), server_default="0", nullable=False))
    op.create_index(
        "ix_conversations_unsummarised",
        "conversations",
        ["person_id", "last_at"],
        sqlite_where=sa.text("summarised_at IS NOT last_at"),
    )
    op.create_table(
        "episodes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("upto_turn_id", sa.Integer(), nullable=False),
        sa.Column("trigger", sa.String(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("narrative", sa.String(), nullable=False),
        sa.Column("topics", sa.JSON(), nullable=False),
        sa.Column("key_facts", sa.JSON(), nullable=False),
        sa.Column("importance", sa.Double(), nullable=False),
        sa.Column("message_count", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column("retired_at", sa.DateTime(), nullable=True),
        sa.Column("use_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_used_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint("trigger IN ('quiet', 'ended', 'count', 'compaction')", name=op.f("ck_episodes_trigger")),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], name="fk_episodes_conversation_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_episodes_person_id"),
        sa.ForeignKeyConstraint(["upto_turn_id"], ["turns.id"], name="fk_episodes_upto_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_episodes"),
        sa.UniqueConstraint("person_id", "number", "version", name="uq_episodes_person_id_number_version"),
    )
    op.create_index(
        "uq_episodes_live_number",
        "episodes",
        ["person_id", "number"],
        unique=True,
        sqlite_where=sa.text("retired_at IS NULL"),
    )
    op.create_index("ix_episodes_person_id_ended_at", "episodes", ["person_id", "ended_at"])
    op.create_index("ix_episodes_conversation_id", "episodes", ["conversation_id"])
    for table, to, column in (
        ("episode_messages", "messages", "message_id"),
        ("episode_facts", "facts", "fact_id"),
    ):
        op.create_table(
            table,
            sa.Column("episode_id", sa.Integer(), nullable=False),
            sa.Column(column, sa.Integer(), nullable=False),
            sa.ForeignKeyConstraint(["episode_id"], ["episodes.id"], name=f"fk_{table}_episode_id"),
            sa.ForeignKeyConstraint([column], [f"{to}.id"], name=f"fk_{table}_{column}"),
            sa.PrimaryKeyConstraint("episode_id", column, name=f"pk_{table}"),
            sqlite_with_rowid=False,
        )
        op.create_index(f"ix_{table}_{column}", table, [column])
    op.create_table(
        "batches",
        sa.Column("conversation_id", sa.Integer(), nullable=False),
        sa.Column("upto_turn_id", sa.Integer(), nullable=False),
        sa.Column("trigger", sa.String(), nullable=False),
        sa.Column("is_cut", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("leased_until", sa.DateTime(), nullable=False),
        sa.Column("retry_at", sa.DateTime(), nullable=True),
        sa.Column("draft", sa.JSON(), nullable=True),
        sa.Column("written_by", sa.String(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("drafted_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], name="fk_batches_conversation_id"),
        sa.ForeignKeyConstraint(["upto_turn_id"], ["turns.id"], name="fk_batches_upto_turn_id"),
        sa.PrimaryKeyConstraint("conversation_id", name="pk_batches"),
    )
