"""Each turn knows whether memory was on, until now read from the commands before it; a move names its other side."""

import sqlalchemy as sa
from alembic import op

revision = "0035_turns_memory_on"
down_revision: str | None = "0034_what_to_stop"

_OFF = """
    UPDATE turns SET memory_on = 0 WHERE kind <> 'command' AND (SELECT message.body LIKE '%off%'
    FROM turns AS command JOIN messages AS message ON message.turn_id = command.id
    WHERE command.conversation_id = turns.conversation_id AND command.id < turns.id
      AND command.kind = 'command' AND message.direction = 'in'
      AND replace(lower(trim(message.body)), '  ', ' ') IN ('/memory off', '/memory on')
    ORDER BY command.id DESC LIMIT 1)
"""


def upgrade() -> None:
    op.add_column("turns", sa.Column("memory_on", sa.Boolean(), server_default=sa.true(), nullable=False))
    # Without it each turn would read all others, which takes a day for half a million.
    op.create_index("turns_commands", "turns", ["conversation_id", "id"], sqlite_where=sa.text("kind = 'command'"))
    op.execute(_OFF)
    op.drop_index("turns_commands", "turns")
    op.add_column("changes", sa.Column("moved_with_id", sa.Integer(), nullable=True))
