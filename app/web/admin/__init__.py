"""The operator's pages: one file a page, each adding its routes to the one blueprint."""

from app.web.admin import (
    changes,
    conversation,
    episodes,
    fact,
    facts,
    forgotten,
    login,
    password,
    people,
    routines,
    rules,
)
from app.web.admin.blueprint import bp

PAGES = (login, password, people, conversation, facts, fact, rules, episodes, routines, forgotten, changes)

__all__ = ["PAGES", "bp"]
