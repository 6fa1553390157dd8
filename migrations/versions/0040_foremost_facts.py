"""The facts that a turn looks at are found in their order, where all of a person's were read and sorted."""

import sqlalchemy as sa
from alembic import op

revision = "0040_foremost_facts"
down_revision: str | None = "0039_batches_without_money"

ORDER = "pinned DESC, importance DESC, passing, fresh_at DESC, number"


def upgrade() -> None:
    live = sa.text("retired_at IS NULL AND archived_at IS NULL")
    columns = [sa.text(column) for column in ("person_id", *ORDER.split(", "))]
    op.drop_index("ix_facts_not_archived", "facts")
    op.create_index("ix_facts_foremost", "facts", columns, sqlite_where=live, postgresql_where=live)
