"""An episode that is forgotten by itself is a change of memory as any other: the undo that follows brings it back."""

import sqlalchemy as sa
from alembic import op

revision = "0019_forgotten_episodes"
down_revision: str | None = "0018_unpaid_batches"


def upgrade() -> None:
    with op.batch_alter_table("change_items") as change_items:
        change_items.add_column(sa.Column("retired_episode_id", sa.Integer(), nullable=True))
        change_items.create_foreign_key(
            "fk_change_items_retired_episode_id", "episodes", ["retired_episode_id"], ["id"]
        )
