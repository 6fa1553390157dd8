"""How a person wants things done: rules in versions, and the changes that made them, so that the last can be undone.

A text knows whether its carrier called it forwarded: nothing in such a text becomes a rule without the person's yes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021_rules"
down_revision: str | None = "0020_archived_facts"


def upgrade() -> None:
    op.create_table(
        "rules",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("trigger_kind", sa.String(), nullable=False),
        sa.Column("trigger", sa.String(), nullable=True),
        sa.Column("procedure", sa.String(), nullable=False),
        sa.Column("normalised", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("message_id", sa.Integer(), nullable=True),
        sa.Column("quote", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column("retired_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint("trigger_kind IN ('phrase', 'situation', 'always')", name=op.f("ck_rules_trigger_kind")),
        sa.CheckConstraint("(trigger_kind = 'always') = (\"trigger\" IS NULL)", name=op.f("ck_rules_trigger")),
        sa.CheckConstraint("state IN ('active', 'paused', 'proposed')", name=op.f("ck_rules_state")),
        sa.CheckConstraint(
            "source IN ('explicit', 'corrected', 'inferred', 'file', 'forwarded', 'imported', 'operator', 'agent')",
            name=op.f("ck_rules_source"),
        ),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name="fk_rules_message_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_rules_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rules"),
        sa.UniqueConstraint("person_id", "number", "version", name="uq_rules_person_id_number_version"),
    )
    for name, column in (("uq_rules_live_number", "number"), ("uq_rules_live_words", "normalised")):
        op.create_index(name, "rules", ["person_id", column], unique=True, sqlite_where=sa.text("retired_at IS NULL"))
    op.add_column("people", sa.Column("last_rule_number", sa.Integer(), server_default="0", nullable=False))
    op.add_column("messages", sa.Column("forwarded", sa.Boolean(), server_default=sa.text("0"), nullable=False))
    with op.batch_alter_table("change_items") as items:
        for name in ("added_rule_id", "retired_rule_id"):
            items.add_column(sa.Column(name, sa.Integer(), nullable=True))
            items.create_foreign_key(f"fk_change_items_{name}", "rules", [name], ["id"])
