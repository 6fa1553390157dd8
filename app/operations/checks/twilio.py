"""Checks that Twilio brings texts to us, accepts our keys, and has carriers deliver our texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import TypeVar
from urllib.parse import urlsplit

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from app.delivery.account import CarrierAccount, Registration, Sender, Standing
from app.errors import CarrierBusy, CarrierError, DatabaseError, Refused
from app.models import Media
from app.operations.checks import Finding, bad, ok, warn
from app.settings import Settings
from app.store import open_database
from app.text.hosts import is_private

SKEW_SECONDS = 30.0  # Twilio's clock is given to the second, and an answer takes a few.
OVERRIDES = "#rc=3&rp=all&rt=5000&tt=15000"
TOLL_FREE = ("800", "833", "844", "855", "866", "877", "888")
GEO = (
    "The API does not tell which countries may be texted. Look at Messaging > Settings > Geo permissions in Twilio's "
    "console; a text to any other country is refused with error 21408."
)

NOT_LOOKED_AT = "not looked at:"

T = TypeVar("T")


def check_twilio(settings: Settings, account: CarrierAccount) -> Iterator[Finding]:
    standing = _ask("account", account.standing, _account)
    yield from standing
    if standing[0].says.startswith(NOT_LOOKED_AT):  # One failure is enough: do not wait for Twilio again and again.
        return
    yield from _ask("webhook", account.sender, lambda found: [_webhook(settings, found)])
    yield from _ask("probe", account.probe, lambda found: [_probe(settings, found)])
    if _is_registered_in_us(settings):
        yield from _ask("A2P 10DLC", account.registration, lambda found: [_registration(settings, found)])
    yield from _media(settings, account)
    yield ok("countries", GEO)


def _ask(check: str, ask: Callable[[], T], look: Callable[[T], Iterable[Finding]]) -> list[Finding]:
    """The findings from Twilio's answer, or one that says why there was none."""
    try:
        told = ask()
    except CarrierBusy as error:
        return [warn(check, f"{NOT_LOOKED_AT} {error} What has to do with Twilio is looked at only online.")]
    except CarrierError as error:
        return [bad(check, str(error))]
    return list(look(told))


def _account(standing: Standing) -> Iterator[Finding]:
    if standing.status not in {"", "active"}:
        yield bad("account", f"{standing.status}: nothing is sent or brought. Twilio's console says why.")
    elif standing.kind == "Trial":
        yield warn(
            "account",
            "a trial: texts go only to numbers verified in Twilio's console, all others are refused with error 21608. "
            "Upgrade the account.",
        )
    else:
        yield ok("account", "Twilio knows the account and the auth token.")
    ahead = standing.clock_ahead_seconds
    if ahead is not None and abs(ahead) > SKEW_SECONDS:
        side = "ahead of" if ahead > 0 else "behind"
        yield bad("clock skew", f"this machine is {abs(ahead):,.0f} s {side} Twilio. Set its clock by NTP.")
    elif ahead is not None:
        yield ok("clock skew", f"within {SKEW_SECONDS:.0f} s of Twilio's.")


def _webhook(settings: Settings, found: Sender | None) -> Finding:
    wanted = f"{settings.address}/sms"
    mend = f"Run `keepsake twilio connect`: it sets {wanted}{OVERRIDES}, POST, and the same address as the fallback."
    if found is None:
        says = f"the API does not show it for {settings.twilio_from}. In Twilio's console set {wanted}, POST."
        return warn("webhook", says)
    if wrong := _wrong_webhook(found, wanted):
        return bad("webhook", f"{found.name} {wrong}. {mend}")
    url = found.value("sms_url", "inbound_request_url")
    if not _same(found.value("sms_fallback_url", "fallback_url"), wanted) or "#" not in url:
        lacks = "no fallback to the same address" if "#" in url else "no #rc=… to have Twilio try again"
        return warn("webhook", f"{found.name} has {lacks}: a text that meets a restart may be lost. {mend}")
    return ok("webhook", f"{found.name} brings texts to {wanted}, and tries again.")


def _wrong_webhook(found: Sender, wanted: str) -> str | None:
    if application := found.values.get("sms_application_sid"):
        return f"hands texts to the application {application}, whatever its own address is"
    url = found.value("sms_url", "inbound_request_url")
    if url and found.values.get("use_inbound_webhook_on_number") == "true":
        return "leaves it to each of its numbers where texts are brought, whatever its own address is"
    if not url:
        return "has no address to bring texts to"
    if not _same(url, wanted):
        return f"brings texts to {_bare(url)}, and PUBLIC_URL makes it {wanted}"
    if (method := found.value("sms_method", "inbound_method") or "POST").upper() != "POST":
        return f"brings texts by {method}, and Keepsake takes POST"
    return None


def _same(url: str, wanted: str) -> bool:
    return bool(url) and _bare(url) == _bare(wanted)


def _bare(url: str) -> str:
    """The address without name, password, query and overrides, for comparing and showing."""
    parts = urlsplit(url)
    return f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2].lower()}{parts.path.rstrip('/')}"


def _probe(settings: Settings, found: tuple[int, str]) -> Finding:
    status, leads_to = found
    if leads_to or 300 <= status < 400:  # noqa: PLR2004  (HTTP's redirects)
        return bad(
            "probe",
            f"{settings.address}/sms/status redirects to {_bare(leads_to)}. Twilio follows with GET and loses "
            "the text: have the proxy hand the request on, and set PUBLIC_URL to the address that answers itself.",
        )
    if status == 204:  # noqa: PLR2004  (the route's answer to any signed request)
        return ok("probe", "a webhook that was signed here is taken at PUBLIC_URL.")
    if status == 403:  # noqa: PLR2004
        return bad(
            "probe",
            "a webhook that was signed here is refused: what runs at PUBLIC_URL has another TWILIO_AUTH_TOKEN or "
            "another PUBLIC_URL than this shell. Compare the two .env files, and restart it.",
        )
    return bad(
        "probe",
        f"{settings.address}/sms/status answered {status}, not 204. Is it Keepsake that runs there, and does the "
        "proxy hand on every path?",
    )


def _is_registered_in_us(settings: Settings) -> bool:
    """True if carriers in the United States require a campaign: for ten-digit numbers, and for services with them."""
    sender = settings.twilio_from or ""
    return sender.startswith("MG") or (sender.startswith("+1") and sender[2:5] not in TOLL_FREE)


def _registration(settings: Settings, found: Registration) -> Finding:
    after = "Until then carriers in the United States refuse the texts with error 30034."
    if not found.service_sid:
        return warn(
            "A2P 10DLC",
            f"{settings.twilio_from} is in no Messaging Service that the API shows, so in no campaign. For texts "
            f"to the United States, register a brand and a campaign and add the number to its service. {after}",
        )
    if not found.senders:
        return bad("A2P 10DLC", f"{found.service_sid} has no sender. Add a number to it in Twilio's console.")
    if "VERIFIED" in found.campaigns:
        return ok("A2P 10DLC", f"{found.service_sid} has a campaign that is approved.")
    stands = ", ".join(found.campaigns) or "none"
    return warn("A2P 10DLC", f"{found.service_sid} has no approved campaign ({stands}). Register one. {after}")


def _media(settings: Settings, account: CarrierAccount) -> Iterator[Finding]:
    url = _newest_media(settings)
    where = "Messaging > Settings > General in Twilio's console has the switch: HTTP basic authentication for media."
    if url is None:
        yield ok("media", f"no picture has come yet to look at. {where} Turn it on.")
        return
    shown = warn("media", f"whoever has its address can fetch a person's picture from Twilio. {where} Turn it on.")
    closed = ok("media", "people's pictures are not given out without our credentials.")
    yield from _ask(
        "media", lambda: account.shows_media_to_anybody(url), lambda is_shown: [shown if is_shown else closed]
    )


def _newest_media(settings: Settings) -> str | None:
    if settings.is_sqlite and not settings.database_path.exists():
        return None
    try:
        with closing(open_database(settings)) as database, database.reading() as db:
            return db.scalar(select(Media.url).where(Media.url.startswith("http")).order_by(Media.id.desc()).limit(1))
    except (DatabaseError, DBAPIError):
        return None  # The database's own check reports the problem.


Changes = Mapping[str, tuple[str, str]]  # By the carrier's name of each value: its current value, and the right one.


def changes(settings: Settings, sender: Sender) -> Changes:
    """The sender's values that have to be set so that texts and calls come to us."""
    texts, calls = f"{settings.address}/sms{OVERRIDES}", f"{settings.address}/voice"
    wanted = {
        "sms_url": texts,
        "sms_method": "POST",
        "sms_fallback_url": texts,
        "sms_fallback_method": "POST",
        "sms_application_sid": "",
        "inbound_request_url": texts,
        "inbound_method": "POST",
        "fallback_url": texts,
        "fallback_method": "POST",
        "status_callback": f"{settings.address}/sms/status",
        "use_inbound_webhook_on_number": "false",
        "voice_url": calls,
        "voice_method": "POST",
        "voice_application_sid": "",
    }
    return {name: (value, wanted[name]) for name, value in sender.values.items() if value != wanted[name]}


def check_public(settings: Settings) -> None:
    """Raise `Refused` unless Twilio can reach our address, over https."""
    parts = urlsplit(settings.address)
    if parts.scheme != "https" or is_private(parts.hostname or ""):
        raise Refused(
            f"Twilio would be told to bring texts to {settings.address}, which is no https address that the world can "
            "reach. Set PUBLIC_URL to the one that leads here, such as https://keepsake.example.org."
        )
