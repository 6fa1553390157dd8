"""Who may see the phone page: by the connection and the headers, and where operators have roles, by the login."""

import ipaddress
from urllib.parse import urlsplit

from flask import Request, abort

from app import operators
from app.errors import Refused
from app.services import Services
from app.settings import Settings

# A proxy on the same machine makes everyone look like loopback; these give it away.
PROXY_HEADERS = ("Forwarded", "Via", "X-Real-Ip")
PROXY_PREFIX = "X-Forwarded-"


def check_visit(settings: Settings, request: Request) -> None:
    """Return when the page may be served to this request.

    With Twilio the page speaks for any number without a password, so it is there for the machine itself alone, and for
    all others there is no such page. Without Twilio it is open, but only under a name of its own: another site's name
    that was made to point here (DNS rebinding) is refused.

    Raises:
        Refused: the name in the address is not ours.

    """
    host = _host_name(request.host)
    if settings.has_twilio:
        if not is_this_machine(request):
            abort(404)
    elif not _is_ours(host, settings):
        raise Refused(
            f"The phone page is not served as “{host or request.host[:80]}”. Open it as {settings.address}/phone, "
            "or set PUBLIC_URL to the address that you use."
        )
    if request.method not in {"GET", "HEAD"}:
        _check_same_origin(request)


def may_read(services: Services, session: str | None) -> bool:
    """Whether whoever has that session, or none, may read everybody's words without a mask, as the page shows them.

    Without a login it is as good as open to each operator. So as soon as there is one who may not reveal what people
    write, it is for those alone who are logged in and may. With Twilio it is for the machine itself alone, and whoever
    is at that has the database anyway.
    """
    with services.reading() as db:
        if services.settings.has_twilio or not operators.has_support(db):
            return True
    reader = operators.operator_for(services, session, is_attended=False) if session else None
    return reader is not None and reader.may_reveal and not reader.must_change_password


def check_reader(services: Services, session: str | None) -> None:
    """Return when whoever has that session, or none, may read the page.

    Raises:
        Refused: they may not.
    """
    if not may_read(services, session):
        raise Refused(
            "The phone page shows what everybody wrote, and there are operators who may not see that. "
            f"Log in as an owner at {services.settings.address}/admin/, then open this page again."
        )


def is_this_machine(request: Request) -> bool:
    """Whether the machine itself asks, under a name of its own, and nobody through a proxy on it."""
    by_loopback = _is_loopback(_host_name(request.host)) and _is_loopback(request.remote_addr)
    return by_loopback and not _came_by_proxy(request)


def _check_same_origin(request: Request) -> None:
    site = request.headers.get("Sec-Fetch-Site", "none")
    origin = request.headers.get("Origin")
    if site not in {"same-origin", "none"} or (origin is not None and urlsplit(origin).netloc != request.host):
        raise Refused("Texts are taken from the phone page itself, not from another site.")


def _is_ours(host: str | None, settings: Settings) -> bool:
    if host is None:
        return False
    if _is_loopback(host) or host in {urlsplit(settings.address).hostname, settings.host.lower()}:
        return True
    # Bound to all addresses, the machine answers to each of them. Rebinding needs a name, never a bare address.
    return _is_wildcard(settings.host) and _address(host) is not None


def _came_by_proxy(request: Request) -> bool:
    # Browsers speak HTTP/1.1; nginx, as it comes, speaks 1.0 to what is behind it and adds no header at all.
    return (
        request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
        or any(name in request.headers for name in PROXY_HEADERS)
        or any(name.startswith(PROXY_PREFIX) for name in request.headers.keys())  # noqa: SIM118  (Headers iterates pairs)
    )


def _host_name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_loopback(host: str | None) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _is_wildcard(host: str) -> bool:
    address = _address(host)
    return address is not None and address.is_unspecified


def _address(host: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return None
    # A socket that listens for both families shows IPv4 peers as ::ffff:127.0.0.1.
    return getattr(address, "ipv4_mapped", None) or address
