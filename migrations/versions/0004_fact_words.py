"""The words of live facts, to find them by.

A row's id carries the person in its high bits (person << 32 | fact), so that a search seeks into one person's rows and
never walks another's. `secure-delete` takes a forgotten word out of the index at once, not at some later merge.
"""

from alembic import op

revision = "0004_fact_words"
down_revision: str | None = "0003_operators"


def upgrade() -> None:
    op.execute(
        "CREATE VIRTUAL TABLE fact_words USING fts5(sentence, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    op.execute("INSERT INTO fact_words(fact_words, rank) VALUES ('secure-delete', 1)")
