"""The phone page and the metrics as the world sees them: nobody without a login or a token may have them."""

from collections.abc import Callable, Iterator

from app.operations.checks.finding import Finding, bad, ok, warn
from app.settings import Settings

PAGES = ("/phone", "/metrics")
FOUND = 200


def check_from_outside(settings: Settings, status_of: Callable[[str], int | None]) -> Iterator[Finding]:
    """What a visitor without a login gets at `PUBLIC_URL`.

    `status_of` is the HTTP status of an address; None where it cannot be reached from here.
    """
    if not settings.public_url:
        return
    for page in PAGES:
        address = f"{settings.address}{page}"
        status = status_of(address)
        if status is None:
            yield warn("outside", f"not looked at: {address} cannot be reached from here.")
        elif status == FOUND:
            yield bad("outside", f"{address} is open to everybody. Let the proxy hand it on to this Keepsake alone.")
        else:
            yield ok("outside", f"{address} is closed to visitors without a login or a token ({status}).")
