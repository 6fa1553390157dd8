"""Which text of each person is their newest: lists of people go by it, and looked it up for everyone there is."""

import sqlalchemy as sa
from alembic import op

revision = "0031_last_texts"
down_revision: str | None = "0030_outcomes"


def upgrade() -> None:
    op.add_column("people", sa.Column("last_text_id", sa.Integer(), server_default="0", nullable=False))
    op.execute(
        "UPDATE people SET last_text_id = coalesce("
        "(SELECT max(id) FROM messages WHERE person_id = people.id AND direction = 'in'), 0)"
    )
    op.create_index("ix_people_access_last_text_id", "people", ["access", "last_text_id"])
    # A later step that rebuilds `messages` in a batch drops it with the old table, and has to make it anew.
    op.execute(
        "CREATE TRIGGER messages_last_text AFTER INSERT ON messages WHEN new.direction = 'in'"
        " BEGIN UPDATE people SET last_text_id = new.id WHERE id = new.person_id; END"
    )
