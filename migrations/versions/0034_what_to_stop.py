"""The text in which a person wants something to stop and does not say what, until they have."""

import sqlalchemy as sa
from alembic import op

revision = "0034_what_to_stop"
down_revision: str | None = "0033_stays"


def upgrade() -> None:
    op.add_column("people", sa.Column("stop_text_id", sa.Integer(), nullable=True))
