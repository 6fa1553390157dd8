"""Facts in versions, and the changes that made them, so that the last can be taken back.

Two live facts of one person share neither a number nor a normalised sentence: the database refuses it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002_facts"
down_revision: str | None = "0001_people_and_messages"


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("normalised", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("times_told", sa.Integer(), server_default="1", nullable=False),
        sa.Column("message_id", sa.Integer(), nullable=True),
        sa.Column("quote", sa.String(), nullable=True),
        sa.Column("pinned", sa.Boolean(), server_default=sa.text("0"), nullable=False),
        sa.Column("importance", sa.Double(), server_default="0.5", nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column("retired_at", sa.DateTime(), nullable=True),
        sa.Column("valid_from", sa.DateTime(), nullable=True),
        sa.Column("valid_to", sa.DateTime(), nullable=True),
        sa.Column("expires_at", sa.DateTime(), nullable=True),
        sa.Column("use_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_used_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint(
            "source IN ('explicit', 'corrected', 'inferred', 'imported', 'operator', 'agent')",
            name=op.f("ck_facts_source"),
        ),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name="fk_facts_message_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_facts_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_facts"),
        sa.UniqueConstraint("person_id", "number", "version", name="uq_facts_person_id_number_version"),
    )
    op.create_index(
        "uq_facts_live_number",
        "facts",
        ["person_id", "number"],
        unique=True,
        sqlite_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "uq_facts_live_sentence",
        "facts",
        ["person_id", "normalised"],
        unique=True,
        sqlite_where=sa.text("retired_at IS NULL"),
    )
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("verb", sa.String(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("undone_at", sa.DateTime(), nullable=True),
        sa.Column("undone_by_turn_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("actor IN ('person', 'assistant', 'operator', 'agent')", name=op.f("ck_changes_actor")),
        sa.CheckConstraint("verb IN ('remember', 'revise', 'forget', 'restore')", name=op.f("ck_changes_verb")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_changes_person_id"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_changes_turn_id"),
        sa.ForeignKeyConstraint(["undone_by_turn_id"], ["turns.id"], name="fk_changes_undone_by_turn_id"),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
    )
    op.create_index("ix_changes_person_id_id", "changes", ["person_id", "id"], unique=False)
    op.create_table(
        "change_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("change_id", sa.Integer(), nullable=False),
        sa.Column("added_fact_id", sa.Integer(), nullable=True),
        sa.Column("retired_fact_id", sa.Integer(), nullable=True),
        sa.Column("field", sa.String(), nullable=True),
        sa.Column("fact_id", sa.Integer(), nullable=True),
        sa.Column("before", sa.String(), nullable=True),
        sa.Column("after", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["added_fact_id"], ["facts.id"], name="fk_change_items_added_fact_id"),
        sa.ForeignKeyConstraint(["change_id"], ["changes.id"], name="fk_change_items_change_id"),
        sa.ForeignKeyConstraint(["fact_id"], ["facts.id"], name="fk_change_items_fact_id"),
        sa.ForeignKeyConstraint(["retired_fact_id"], ["facts.id"], name="fk_change_items_retired_fact_id"),
        sa.PrimaryKeyConstraint("id", name="pk_change_items"),
    )
    op.create_index("ix_change_items_change_id", "change_items", ["change_id"], unique=False)
