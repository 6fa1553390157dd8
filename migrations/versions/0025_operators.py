"""Operators have roles and second factors, and the browsers in which they have logged in are known.

Whoever could log in before could do everything, so they are owners. Their sessions go on.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025_operators"
down_revision: str | None = "0024_calendars"


def upgrade() -> None:
    op.add_column("operators", sa.Column("role", sa.String(), nullable=True))
    op.execute("UPDATE operators SET role = 'owner'")
    with op.batch_alter_table("operators", recreate="always", table_kwargs={"sqlite_autoincrement": True}) as operators:
        operators.alter_column("role", existing_type=sa.String(), nullable=False)
        operators.create_check_constraint(op.f("ck_operators_role"), "role IN ('owner', 'support')")
        operators.add_column(sa.Column("generation", sa.Integer(), server_default="1", nullable=False))
        operators.add_column(sa.Column("totp_secret", sa.String(), nullable=True))
        operators.add_column(sa.Column("totp_step", sa.Integer(), server_default="0", nullable=False))
    op.add_column("operator_sessions", sa.Column("generation", sa.Integer(), server_default="1", nullable=False))
    op.create_table(
        "operator_browsers",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_failure_at", sa.DateTime(), nullable=True),
        sa.Column("last_login_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["operators.id"], name="fk_operator_browsers_operator_id"),
        sa.PrimaryKeyConstraint("token_hash", "operator_id", name="pk_operator_browsers"),
    )
    op.create_table(
        "login_steps",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=True),
        sa.Column("challenge", sa.LargeBinary(), nullable=False),
        sa.Column("begun_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["operators.id"], name="fk_login_steps_operator_id"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_login_steps"),
    )
    op.create_index("ix_login_steps_begun_at", "login_steps", ["begun_at"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["operator_id"], ["operators.id"], name="fk_passkeys_operator_id"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential_id", name="uq_passkeys_credential_id"),
    )
    op.create_index("ix_passkeys_operator_id", "passkeys", ["operator_id"])
    op.create_table(
        "recovery_codes",
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["operators.id"], name="fk_recovery_codes_operator_id"),
        sa.PrimaryKeyConstraint("code_hash", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_operator_id", "recovery_codes", ["operator_id"])
