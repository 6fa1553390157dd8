"""What a person cost is added up from their spendings, and not kept beside them; three figures are counted no more."""

from alembic import op

revision = "0037_spends"
down_revision: str | None = "0036_rests"


def upgrade() -> None:
    op.drop_table("person_spends")
    op.execute("DELETE FROM counts WHERE figure IN ('corrections', 'forgets', 'repeated')")
