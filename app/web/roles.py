"""The rights of each role on the admin pages, as each page and action declares them.

An owner may do everything. Support may see every page but those that are `@owners_only`, and do only what is
`@support_too`: a new action is an owner's until somebody decides otherwise.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from flask import current_app

from app.operators import LoggedIn

READING = frozenset({"GET", "HEAD", "OPTIONS"})

Role = Literal["owner", "support"]
View = TypeVar("View", bound=Callable[..., Any])


def owners_only(page: View) -> View:
    """Declare a page that support may not see."""
    return _declared(page, "owner")


def support_too(action: View) -> View:
    """Declare an action that support may take."""
    return _declared(action, "support")


def declared(view: object) -> Role | None:
    """The role that a view was declared for, if it was."""
    return getattr(view, "declared_for", None)


def may(operator: LoggedIn, endpoint: str, method: str = "GET") -> bool:
    """Whether the operator may open the page, or with `POST` take the action, of that endpoint."""
    if operator.is_owner:
        return True
    role = declared(current_app.view_functions.get(endpoint))
    if method in READING:
        # What takes data out in one piece is an owner's, whatever it is called behind that word.
        return role != "owner" and not endpoint.startswith("admin.export")
    return role == "support"


def _declared(view: View, role: Role) -> View:
    view.declared_for = role  # type: ignore[attr-defined]
    return view
