"""The guard of the phone page: it checks the login if others can reach this installation, else the connection."""

from urllib.parse import urlsplit

from flask import Request

from app import operators
from app.errors import Refused
from app.operators import sessions
from app.services import Services
from app.settings import Settings
from app.text.hosts import is_loopback

# A proxy on the same machine makes every visitor look local; these headers reveal it.
PROXY_HEADERS = ("Forwarded", "Via", "X-Real-Ip")
PROXY_PREFIX = "X-Forwarded-"


def check_visit(settings: Settings, request: Request) -> None:
    """Raise `Refused` unless this connection may have the page, whoever the visitor is.

    An installation that others can reach asks for a login, see `may_read`: a proxy on the same machine makes every
    visitor local, so neither address nor header identifies them. Any other serves only the machine itself, under one of
    its own names: another site's name that resolves to it (DNS rebinding) is refused.
    """
    if not is_reached_by_others(settings) and not is_this_machine(request):
        raise Refused(
            f"The phone page is for this machine alone. Open it here as {settings.address}/phone, or set PUBLIC_URL to "
            "the address that you use: then it asks for an owner's login."
        )
    if request.method not in {"GET", "HEAD"}:
        site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin")
        ours = {request.host, urlsplit(settings.address.lower()).netloc}  # A proxy may pass another host on.
        if site not in {"same-origin", "none"} or (origin is not None and origin.partition("://")[2] not in ours):
            raise Refused("Texts are taken from the phone page itself, not from another site.")


def is_reached_by_others(settings: Settings) -> bool:
    """True if the installation is set up for more than this machine: with Twilio, or with a URL beyond it."""
    return settings.has_twilio or not is_for_this_machine(settings)


def is_for_this_machine(settings: Settings) -> bool:
    """True if the installation's URL is local to this machine, so that no proxy brings other visitors."""
    return is_loopback(urlsplit(settings.address).hostname)


def may_read(services: Services, session: str | None) -> bool:
    """True if the visitor with this session, or none, may read everybody's words unmasked, as the page shows them.

    If others can reach the page, or some operator may not reveal people's words, it takes the login of an owner, who
    may.
    """
    if not is_reached_by_others(services.settings):
        with services.reading() as db:
            if not operators.has_support(db):
                return True
    reader = sessions.operator_for(services, session, is_attended=False) if session else None
    return reader is not None and reader.is_owner and not reader.must_change_password


def is_this_machine(request: Request) -> bool:
    """True if the request comes from this machine, under one of its own names, as far as the connection tells."""
    try:
        host = urlsplit(f"//{request.host}").hostname
    except ValueError:
        return False
    return is_loopback(host) and is_loopback(request.remote_addr) and not _came_by_proxy(request)


def _came_by_proxy(request: Request) -> bool:
    # Browsers speak HTTP/1.1; nginx by default speaks 1.0 to the server behind it, and adds no header at all.
    return (
        request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
        or any(name in request.headers for name in PROXY_HEADERS)
        or any(name.startswith(PROXY_PREFIX) for name in request.headers.keys())  # noqa: SIM118  (Headers iterates pairs)
    )
