"""A person's rest and their closed window stand in their own row, until now under names made of their id."""

import sqlalchemy as sa
from alembic import op

revision = "0036_rests"
down_revision: str | None = "0035_turns_memory_on"


def upgrade() -> None:
    op.add_column("people", sa.Column("rests_until", sa.DateTime(), nullable=True))
    op.add_column("people", sa.Column("rests_for", sa.String(), nullable=True))
    op.add_column("people", sa.Column("window_shut_at", sa.DateTime(), nullable=True))
    _move("rests_until", "at", "rest:")
    _move("rests_for", "note", "rest:")
    _move("window_shut_at", "at", "window:")
    op.execute("DELETE FROM marks WHERE name LIKE 'rest:%' OR name LIKE 'window:%'")


def _move(column: str, value: str, prefix: str) -> None:
    theirs = f"FROM marks WHERE marks.name = '{prefix}' || people.id"
    op.execute(f"UPDATE people SET {column} = (SELECT marks.{value} {theirs}) WHERE EXISTS (SELECT 1 {theirs})")  # noqa: S608
