"""The rights of each role on the admin pages: one table, which the guard and the templates ask.

An owner may do everything. Support may see every page but those listed here, and do only what is listed here: a new
action is an owner's until somebody decides otherwise.
"""

from app.operators import LoggedIn

READING = frozenset({"GET", "HEAD", "OPTIONS"})

OWNERS_PAGES = frozenset({"admin.operators", "admin.one_operator"})

OWN_LOGIN = frozenset(
    {
        "admin.logout",
        "admin.change_password",
        "admin.turn_on_app",
        "admin.turn_off_app",
        "admin.begin_passkey",
        "admin.keep_passkey",
        "admin.remove_passkey",
        "admin.recovery_codes",
        "admin.end_session",
        "admin.end_other_sessions",
    }
)
"""What operators do for their own login."""

# Who may text is told from numbers, without anybody's words.
SUPPORT_ACTIONS = OWN_LOGIN | {"admin.let_in", "admin.block"}


def may(operator: LoggedIn, endpoint: str, method: str = "GET") -> bool:
    """Whether the operator may open the page, or with `POST` take the action, of that endpoint."""
    if operator.is_owner:
        return True
    if method in READING:
        # What takes data out in one piece is an owner's, whatever it is called behind that word.
        return endpoint not in OWNERS_PAGES and not endpoint.startswith("admin.export")
    return endpoint in SUPPORT_ACTIONS
