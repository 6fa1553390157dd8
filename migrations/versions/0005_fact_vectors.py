"""The vectors of live facts, to find them by their meaning.

A plain table with sqlite-vec's distance functions over it, not sqlite-vec's own `vec0` table: that one finds a
person's rows by walking everybody's, and numpy could not search it where the extension does not load. A row's id
carries the person in its high bits (person << 32 | fact). The vector stands last, behind what is asked for first.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005_fact_vectors"
down_revision: str | None = "0004_fact_words"


def upgrade() -> None:
    op.create_table(
        "fact_vectors",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            "length(vector) BETWEEN 4 AND 16384 AND length(vector) % 4 = 0", name=op.f("ck_fact_vectors_vector")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fact_vectors")),
    )
