"""A lost text that is sent again takes the place of the first, so that the parts of a reply stay in order."""

import sqlalchemy as sa
from alembic import op

revision = "0041_texts_again"
down_revision: str | None = "0040_foremost_facts"


def upgrade() -> None:
    op.add_column("messages", sa.Column("again_of", sa.BigInteger().with_variant(sa.Integer(), "sqlite")))
