"""Operators of the admin pages and their sessions, kept here so that a session can be ended from here."""

import sqlalchemy as sa
from alembic import op

revision = "0003_operators"
down_revision: str | None = "0002_facts"


def upgrade() -> None:
    op.create_table(
        "operators",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("must_change_password", sa.Boolean(), server_default=sa.text("0"), nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_failure_at", sa.DateTime(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operators"),
        sa.UniqueConstraint("name", name="uq_operators_name"),
    )
    op.create_table(
        "operator_sessions",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.Column("csrf_token", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["operators.id"], name="fk_operator_sessions_operator_id"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_operator_sessions"),
    )
