"""Who agreed to be texted and who took it back: when, how and in which words. Rows are only ever added."""

import sqlalchemy as sa
from alembic import op

revision = "0010_consents"
down_revision: str | None = "0009_spendings"


def upgrade() -> None:
    op.create_table(
        "consents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.Column("how", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=True),
        sa.Column("message_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "how IN ('texted_first', 'carrier_word', 'own_words', 'carrier_refusal', 'operator')",
            name=op.f("ck_consents_how"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_consents_person_id"),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name="fk_consents_message_id"),
        sa.PrimaryKeyConstraint("id", name="pk_consents"),
    )
    op.create_index("ix_consents_person_id_id", "consents", ["person_id", "id"])
