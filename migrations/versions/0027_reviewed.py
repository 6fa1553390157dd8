"""What an operator has reviewed, which facts may be one, and facts that another one says since they were merged."""

import sqlalchemy as sa
from alembic import op

revision = "0027_reviewed"
down_revision: str | None = "0026_audit"

HELD = "retired_at IS NULL"
KIND = "kind IN ('fact', 'episode', 'rule')"
VERBS = "verb IN ('remember', 'revise', 'forget', 'restore', 'merge', 'move')"


def upgrade() -> None:
    with op.batch_alter_table("changes") as changes:
        changes.drop_constraint(op.f("ck_changes_verb"), type_="check")
        changes.create_check_constraint(op.f("ck_changes_verb"), VERBS)
    op.add_column("facts", sa.Column("merged_into", sa.Integer(), nullable=True))
    for name, columns, where in (
        ("ix_facts_recorded_at", ["recorded_at"], None),
        ("ix_facts_held_category", ["category", "id"], HELD),
        ("ix_facts_held_source", ["source", "id"], HELD),
        ("ix_facts_held_pinned", ["id"], f"{HELD} AND pinned"),
        ("ix_facts_held_archived", ["id"], f"{HELD} AND archived_at IS NOT NULL"),
    ):
        op.create_index(name, "facts", columns, sqlite_where=sa.text(where) if where else None)
    _fact_pairs()
    for table, column in (("reviewed", "upto_id"), ("reviewed_ahead", "item_id")):
        keys = ["operator_id", "kind", *(["item_id"] if column == "item_id" else [])]
        op.create_table(
            table,
            sa.Column("operator_id", sa.Integer(), nullable=False),
            sa.Column("kind", sa.String(), nullable=False),
            sa.Column(column, sa.Integer(), nullable=False, autoincrement=False),
            *([sa.Column("at", sa.DateTime(), nullable=False)] if table == "reviewed" else []),
            sa.CheckConstraint(KIND, name=op.f(f"ck_{table}_kind")),
            sa.ForeignKeyConstraint(["operator_id"], ["operators.id"], name=f"fk_{table}_operator_id"),
            sa.PrimaryKeyConstraint(*keys, name=f"pk_{table}"),
            sqlite_with_rowid=False,
        )


def _fact_pairs() -> None:
    op.create_table(
        "fact_pairs",
        sa.Column("fact_id", sa.Integer(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("likeness", sa.Double(), nullable=False),
        sa.CheckConstraint("kind IN ('alike', 'conflict')", name=op.f("ck_fact_pairs_kind")),
        sa.ForeignKeyConstraint(["fact_id"], ["facts.id"], name="fk_fact_pairs_fact_id"),
        sa.ForeignKeyConstraint(["other_id"], ["facts.id"], name="fk_fact_pairs_other_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_fact_pairs_person_id"),
        sa.PrimaryKeyConstraint("fact_id", "other_id", name="pk_fact_pairs"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_fact_pairs_other_id", "fact_pairs", ["other_id"])
    op.create_index("ix_fact_pairs_kind_fact_id", "fact_pairs", ["kind", "fact_id"])
