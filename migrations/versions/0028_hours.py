"""What each hour came to, by figure; what each person cost, by day; and what memory added to each request."""

import sqlalchemy as sa
from alembic import op

revision = "0028_hours"
down_revision: str | None = "0027_reviewed"


def upgrade() -> None:
    op.add_column("turns", sa.Column("memory_tokens", sa.Integer(), server_default="0", nullable=False))
    op.create_index("ix_occurrences_due_at", "occurrences", ["due_at"])
    op.create_table(
        "counted_hours",
        sa.Column("began", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("counted_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("began", name="pk_counted_hours"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "counts",
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("began", sa.String(), nullable=False),
        sa.Column("figure", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("total", sa.Double(), server_default="0", nullable=False),
        sa.Column("shape", sa.JSON(), nullable=True),
        sa.CheckConstraint("unit IN ('hour', 'day', 'month')", name=op.f("ck_counts_unit")),
        sa.PrimaryKeyConstraint("unit", "began", "figure", "label", name="pk_counts"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "person_spends",
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("began", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("spent_on", sa.String(), nullable=False),
        sa.Column("cents", sa.Double(), nullable=False),
        sa.CheckConstraint("unit IN ('day', 'month')", name=op.f("ck_person_spends_unit")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_person_spends_person_id"),
        sa.PrimaryKeyConstraint("unit", "began", "person_id", "spent_on", name="pk_person_spends"),
        sqlite_with_rowid=False,
    )
