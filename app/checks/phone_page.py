"""Who can read people's words on the phone page, where nothing is masked and nothing is written into the log."""

from urllib.parse import urlsplit

from app.checks.finding import Finding, ok, warn
from app.checks.settings import is_loopback
from app.settings import Settings


def check_phone_page(settings: Settings, *, has_support: bool) -> Finding:
    page = f"{settings.address}/phone"
    if not settings.has_twilio and has_support:
        return ok("phone page", f"{page} asks for an owner's login: other operators may not see what people write.")
    is_here_alone = is_loopback(settings.host) and is_loopback(urlsplit(settings.address).hostname or "")
    if settings.has_twilio or is_here_alone:
        return ok("phone page", "for this machine alone.")
    return warn(
        "phone page",
        f"{page} needs no login: whoever reaches it reads what everybody wrote, without a mask and in no log, and "
        "texts as anybody. Set HOST and PUBLIC_URL to 127.0.0.1, or let no proxy hand /phone on. With an operator of "
        "the role support it asks for an owner's login.",
    )
