"""The guard of the phone page: by the login where others reach this installation, else by the connection."""

import ipaddress
from urllib.parse import urlsplit

from flask import Request

from app import operators
from app.errors import Refused
from app.operators import sessions
from app.services import Services
from app.settings import Settings

# A proxy on the same machine makes everyone look like loopback; these give it away.
PROXY_HEADERS = ("Forwarded", "Via", "X-Real-Ip")
PROXY_PREFIX = "X-Forwarded-"


def check_visit(settings: Settings, request: Request) -> None:
    """Return when this connection may have the page, whoever it is that asks.

    An installation that the world reaches asks for a login, see `may_read`: a proxy on the same machine makes every
    visitor local, so neither an address nor a header says who asks. Else nobody but the machine itself may have it,
    under a name of its own: another site's name that was made to point here (DNS rebinding) is refused.

    Raises:
        Refused: it may not.
    """
    if not is_reached_by_others(settings) and not is_this_machine(request):
        raise Refused(
            f"The phone page is for this machine alone. Open it here as {settings.address}/phone, or set PUBLIC_URL to "
            "the address that you use: then it asks for an owner's login."
        )
    if request.method not in {"GET", "HEAD"}:
        site, origin = request.headers.get("Sec-Fetch-Site", "none"), request.headers.get("Origin")
        if site not in {"same-origin", "none"} or (origin is not None and urlsplit(origin).netloc != request.host):
            raise Refused("Texts are taken from the phone page itself, not from another site.")


def is_reached_by_others(settings: Settings) -> bool:
    """Whether the operator has set it up for more than this machine: with Twilio, or under an address beyond it."""
    return settings.has_twilio or not is_for_this_machine(settings)


def is_for_this_machine(settings: Settings) -> bool:
    """Whether its address is one of this machine alone: then no proxy brings others."""
    return _is_loopback(urlsplit(settings.address).hostname)


def may_read(services: Services, session: str | None) -> bool:
    """Whether whoever has that session, or none, may read everybody's words without a mask, as the page shows them.

    It takes the login of somebody who may reveal what people write as soon as others can reach the page, or there is
    an operator who may not.
    """
    if not is_reached_by_others(services.settings):
        with services.reading() as db:
            if not operators.has_support(db):
                return True
    reader = sessions.operator_for(services, session, is_attended=False) if session else None
    return reader is not None and reader.is_owner and not reader.must_change_password


def check_reader(services: Services, session: str | None) -> None:
    """Return when whoever has that session, or none, may read the page.

    Raises:
        Refused: they may not.
    """
    if not may_read(services, session):
        raise Refused(
            "The phone page shows what everybody wrote, and texts as anybody. "
            f"Log in as an owner at {services.settings.address}/admin/, then open this page again."
        )


def is_this_machine(request: Request) -> bool:
    """Whether the machine itself asks, under a name of its own, as far as the connection tells."""
    try:
        host = urlsplit(f"//{request.host}").hostname
    except ValueError:
        return False
    return _is_loopback(host) and _is_loopback(request.remote_addr) and not _came_by_proxy(request)


def _came_by_proxy(request: Request) -> bool:
    # Browsers speak HTTP/1.1; nginx, as it comes, speaks 1.0 to what is behind it and adds no header at all.
    return (
        request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
        or any(name in request.headers for name in PROXY_HEADERS)
        or any(name.startswith(PROXY_PREFIX) for name in request.headers.keys())  # noqa: SIM118  (Headers iterates pairs)
    )


def _is_loopback(host: str | None) -> bool:
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return host == "localhost"
    # A socket that listens for both families shows IPv4 peers as ::ffff:127.0.0.1.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
