"""What the model said, kept before its tools run, and the name of the call that a change of memory came from.

So a turn that is run again after a crash asks nothing twice and repeats no effect. A turn's tool calls are now counted
through all its attempts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008_model_answers"
down_revision: str | None = "0007_notices_marks_alerts"


def upgrade() -> None:
    op.create_table(
        "model_answers",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Double(), server_default="0", nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name="fk_model_answers_turn_id"),
        sa.PrimaryKeyConstraint("turn_id", "ordinal", name="pk_model_answers"),
    )
    op.add_column("changes", sa.Column("call", sa.String(), nullable=True))
    op.create_index("uq_changes_call", "changes", ["call"], unique=True, sqlite_where=sa.text("call IS NOT NULL"))
    op.execute(
        "UPDATE tool_calls SET ordinal = -(SELECT count(*) FROM tool_calls AS before"
        " WHERE before.turn_id = tool_calls.turn_id AND before.id <= tool_calls.id)"
    )
    op.execute("UPDATE tool_calls SET ordinal = -ordinal, attempt = 1")
    with op.batch_alter_table("tool_calls") as tool_calls:
        tool_calls.drop_constraint("uq_tool_calls_turn_id_attempt_ordinal", type_="unique")
        tool_calls.drop_column("attempt")
        tool_calls.create_unique_constraint("uq_tool_calls_turn_id_ordinal", ["turn_id", "ordinal"])
