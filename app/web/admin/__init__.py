"""The operator's pages: one file a page, each adding its routes to the one blueprint."""

from app.web.admin import (
    all_routines,
    changes,
    conversation,
    episodes,
    fact,
    facts,
    forgotten,
    home,
    login,
    memory,
    memory_many,
    numbers,
    operators,
    password,
    people,
    review,
    routine,
    reveals,
    routines,
    rules,
    security,
    settings,
)
from app.web.admin.blueprint import bp

PAGES = (
    login,
    password,
    security,
    operators,
    home,
    people,
    conversation,
    reveals,
    memory,
    memory_many,
    review,
    facts,
    fact,
    rules,
    episodes,
    routines,
    routine,
    all_routines,
    forgotten,
    changes,
    numbers,
    settings,
)

__all__ = ["PAGES", "bp"]
