"""Run by Alembic; the connection is always handed over by `app.store.schema`, inside its transaction."""

from alembic import context

from app import models  # noqa: F401  (fills the metadata)
from app.store.db import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=False,
)
context.run_migrations()
