"""What operators do is kept in a chain, and people's words are masked until they are revealed."""

import sqlalchemy as sa
from alembic import op

revision = "0026_audit"
down_revision: str | None = "0025_operators"


def upgrade() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("did", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("shows", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entries"),
    )
    op.create_index("ix_audit_entries_at", "audit_entries", ["at"])
    op.create_index("ix_audit_entries_who_at", "audit_entries", ["who", "at"])
    op.create_index("ix_audit_entries_person_id_at", "audit_entries", ["person_id", "at"])
    op.create_index("ix_audit_entries_shown", "audit_entries", ["person_id", "id"], sqlite_where=sa.text("shows"))
    op.create_table(
        "reveals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_reveals_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_reveals"),
        sa.UniqueConstraint("session", "person_id", name="uq_reveals_session_person_id"),
    )
