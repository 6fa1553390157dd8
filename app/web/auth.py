"""The rights on the admin pages: the session's cookie, the proof that a form was sent from one of ours, and the roles.

An owner may do everything. Support may see every page but those that are `@owners_only`, and do only what is
`@support_too`: a new action is an owner's until somebody decides otherwise.
"""

import hmac
import secrets
from collections.abc import Callable
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from flask import current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response

from app import operators
from app.errors import Refused
from app.operators import login, sessions
from app.operators.sessions import LoggedIn
from app.services import Services
from app.services.feature import Opened

READING = frozenset({"GET", "HEAD", "OPTIONS"})

SESSION = "keepsake_session"
LOGIN = "keepsake_login"
"""The cookie that a login form must match, since there is no session yet that could hold its token."""
BROWSER = "keepsake_browser"
"""The cookie of a browser in which somebody has logged in; it opens nothing, and outlives the session."""
BROWSER_SECONDS = 180 * 86400

OPEN_ENDPOINTS = frozenset({"admin.login", "admin.check_login", "admin.check_step", "admin.begin_passkey_login"})
PASSWORD_ENDPOINTS = frozenset({"admin.password", "admin.change_password", "admin.logout"})

UNATTENDED = ("_events", "_snapshot")
"""How endpoints end that an open page asks by itself: else one left open overnight would never be logged out."""


View = TypeVar("View", bound=Callable[..., Any])


def owners_only(page: View) -> View:
    """Declare a page that support may not see."""
    page.declared_for = "owner"  # type: ignore[attr-defined]
    return page


def support_too(action: View) -> View:
    """Declare an action that support may take."""
    action.declared_for = "support"  # type: ignore[attr-defined]
    return action


def may(operator: LoggedIn, endpoint: str, method: str = "GET") -> bool:
    """Whether the operator may open the page, or with `POST` take the action, of that endpoint."""
    if operator.is_owner:
        return True
    role = getattr(current_app.view_functions.get(endpoint), "declared_for", None)
    if method in READING:
        # What takes data out in one piece is an owner's, whatever it is called behind that word.
        return role != "owner" and not endpoint.startswith("admin.export")
    return role == "support"


def services() -> Services:
    return cast("Services", current_app.extensions["services"])


def operator() -> LoggedIn:
    """Whoever is logged in; every page but the login has someone."""
    return cast("LoggedIn", g.operator)


def guard() -> Response | None:
    """Runs before each admin page: nothing gets by without a session, and no form without its token."""
    token = session_token()
    is_attended = not (request.endpoint or "").endswith(UNATTENDED)
    g.operator = sessions.operator_for(services(), token, is_attended=is_attended) if token else None
    if request.method not in READING:
        _check_form()
    if request.endpoint in OPEN_ENDPOINTS:
        return None
    if g.operator is None:
        # After the login they are where they wanted to be; what a form said is not kept, so it has to be sent anew.
        wanted = request.full_path.rstrip("?") if request.method == "GET" else None
        return redirect(url_for("admin.login", next=wanted), 303)
    if g.operator.must_change_password and request.endpoint not in PASSWORD_ENDPOINTS:
        return redirect(url_for("admin.password"), 303)
    return None


def check_role() -> None:
    """Runs once `guard` has let a request through and it is written down; raises `Refused` by the role."""
    if is_for_their_role():
        return
    asked = f"“{action()}”" if request.method not in READING else "that page"
    owners = [one.name for one in operators.everyone(services()) if one.role == "owner"]
    raise Refused(
        f"Only an owner may do that. You are logged in as {operator().role}, so {asked} was refused and nothing was "
        f"changed. Who may: {', '.join(owners)}."
    )


def is_for_their_role() -> bool:
    """Whether whoever is logged in may have what is asked for; a login is anybody's."""
    endpoint = request.endpoint or ""
    return endpoint in OPEN_ENDPOINTS or may(operator(), endpoint, request.method)


def action() -> str:
    """What is asked for, as pages and the log call it."""
    return (request.endpoint or "").removeprefix("admin.").replace("_", " ")


def own_page(address: str) -> str | None:
    """The page of ours that a form asks to be led to; None for an address from outside, and for one that is none."""
    # A line's end can stand in no header: the answer would be an error, after all was done.
    is_ours = address.startswith("/admin/") and address.isprintable()
    return request.script_root + address if is_ours else None


def check_password() -> None:
    """Raise `Refused` unless the form in hand has the operator's password: for some things a session is not enough."""
    if not login.is_password(services(), operator().operator_id, request.form.get("password", ""), browser_token()):
        raise Refused("The password is not right.")


def may_still_look() -> bool:
    """Whether whoever opened the page may see it still: what the guard asks once, a stream asks at each look."""
    g.operator = sessions.operator_for(services(), session_token() or "", is_attended=False)
    return g.operator is not None and not g.operator.must_change_password


def _check_form() -> None:
    if not _came_from_our_pages():
        raise Refused("This form was not sent from these pages. Open the page here and try again.")
    expected = request.cookies.get(_name(LOGIN)) if request.endpoint in OPEN_ENDPOINTS else form_token()
    given = request.form.get("csrf_token", "")
    if not expected or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Refused("The page was open for too long, or cookies are off. Go back, load it again and try again.")


def _came_from_our_pages() -> bool:
    # Browsers say so twice: in Sec-Fetch-Site (only to https and loopback) and in Origin (with every form).
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site not in {None, "same-origin", "none"}:
        return False
    if origin in {None, "null"}:
        return site == "same-origin"
    # Behind a proxy the host that we see may be another than the operator's browser does; PUBLIC_URL is that one.
    public = urlsplit(services().settings.address)
    return origin in {request.host_url.rstrip("/"), f"{public.scheme}://{public.netloc}".lower()}


def form_token() -> str:
    """What each form must carry; empty when nobody is logged in."""
    found: LoggedIn | None = g.get("operator")
    return found.csrf_token if found else ""


def login_token() -> str:
    """What the login form must carry. One for each browser, so that two open login pages both work."""
    return request.cookies.get(_name(LOGIN)) or secrets.token_urlsafe(32)


def session_token() -> str | None:
    return request.cookies.get(_name(SESSION))


def browser_token() -> str | None:
    return request.cookies.get(_name(BROWSER))


def keep_login(response: Response, login: Opened) -> None:
    set_cookie(response, SESSION, login.session)
    set_cookie(response, BROWSER, login.browser, BROWSER_SECONDS)


def drop_session(response: Response) -> None:
    response.delete_cookie(_name(SESSION), path="/", secure=_is_https(), httponly=True, samesite="Lax")


def set_cookie(response: Response, name: str, value: str, seconds: int | None = None) -> None:
    response.set_cookie(
        _name(name), value, max_age=seconds, path="/", secure=_is_https(), httponly=True, samesite="Lax"
    )


def _name(cookie: str) -> str:
    # With this prefix browsers refuse the cookie when a neighbouring host or plain http tries to set it.
    return f"__Host-{cookie}" if _is_https() else cookie


def _is_https() -> bool:
    return services().settings.address.lower().startswith("https://")
