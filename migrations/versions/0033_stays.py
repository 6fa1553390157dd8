"""Until when a person is away, and by which clocks they live again after it."""

import sqlalchemy as sa
from alembic import op

revision = "0033_stays"
down_revision: str | None = "0032_paused_until"


def upgrade() -> None:
    op.add_column("people", sa.Column("away_until", sa.DateTime(), nullable=True))
    op.add_column("people", sa.Column("home_timezone", sa.String(), nullable=True))
    op.add_column("people", sa.Column("home_timezone_source", sa.String(), nullable=True))
    op.create_index(
        "ix_people_away_until",
        "people",
        ["away_until"],
        sqlite_where=sa.text("away_until IS NOT NULL"),
    )
