"""Twilio's rules for texts, each with its error code, its message and the page that publishes it.

`refusal(account, form)` is the first of `RULES` that a `POST …/Messages.json` breaks. For a text that Twilio accepts,
`fate` is the final status and error code, which it reports by status callback and in its list.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

BODY_UNITS = 1600
CALLBACK_CHARS = 4000
WINDOW = timedelta(hours=24)
WINDOWED = ("whatsapp:", "messenger:")
NO_FATE = ("delivered", None)

# Source: https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out, the default keywords of long codes.
STOP = frozenset({"STOP", "UNSUBSCRIBE", "END", "QUIT", "STOPALL", "REVOKE", "OPTOUT", "CANCEL"})
START = frozenset({"START", "UNSTOP", "YES"})

_ADDRESS = re.compile(r"(?:(?:whatsapp|rcs):)?\+(?:1[2-9]\d{9}|[2-9]\d{6,14})|messenger:\d+", re.ASCII)
_SPEC = "twilio-oai, api.v2010, CreateMessage: "

Form = Mapping[str, str]


@dataclass
class Account:
    """Twilio's knowledge of one account."""

    now: Callable[[], datetime]
    senders: set[str]  # Its numbers, its addresses on channels and its Messaging Services.
    no_texts: set[str] = field(default_factory=set)  # Its numbers that cannot send texts.
    regions: tuple[str, ...] = ("+1",)  # Regions that it may text; by default only its own country.
    opted_out: set[tuple[str, str]] = field(default_factory=set)  # Pairs of a person who sent STOP and our number.
    heard: dict[tuple[str, str], datetime] = field(default_factory=dict)
    """The time of the last text, by pair of person and our number."""
    refused_numbers: dict[str, int] = field(default_factory=dict)
    """Error code by destination number, for errors that no rule here covers."""
    refuses_closed_windows: bool = False
    """True if a text outside the window is refused at once, instead of failing after it was accepted."""

    def hear(self, form: Form) -> None:
        """Note an incoming text."""
        pair = (form["From"], form["To"])
        self.heard[pair] = self.now()
        word = form["Body"].strip().upper()
        if form["From"].startswith("+") and word in STOP:
            self.opted_out.add(pair)
        elif word in START:
            self.opted_out.discard(pair)

    def has_open_window(self, form: Form) -> bool:
        """True if the text's recipient wrote within the last 24 hours, or the channel has no window."""
        to = form["To"]
        if not to.startswith(WINDOWED):
            return True
        heard = [at for (person, ours), at in self.heard.items() if person == to and form.get("From", ours) == ours]
        return any(self.now() - at < WINDOW for at in heard)


@dataclass(frozen=True)
class Rule:
    code: int
    sentence: str
    is_broken: Callable[[Account, Form], bool]
    source: str = ""  # The page that publishes it; by default that of its code.

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", self.source or f"https://www.twilio.com/docs/api/errors/{self.code}")


def refusal(account: Account, form: Form) -> tuple[int, str] | None:
    """Code and message of the first rule that the form breaks; None if Twilio accepts the text."""
    for rule in RULES:
        if rule.is_broken(account, form):
            return rule.code or account.refused_numbers[form["To"]], rule.sentence.format_map(_Given(form))
    return None


def fate(account: Account, form: Form) -> tuple[str, int | None]:
    """The final status and error code of an accepted text."""
    return NO_FATE if account.has_open_window(form) else ("failed", 63016)


def units(text: str) -> int:
    """The length in UTF-16 units, as Twilio counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_public_address(url: str) -> bool:
    """True if Twilio can call the URL, judging by the address alone."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme not in {"http", "https"} or not host or "_" in host or len(url) > CALLBACK_CHARS:
        return False
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith((".local", ".localhost", ".internal"))


class _Given(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return ""


def _channel(address: str) -> str:
    return address.partition(":")[0] if ":" in address else ""


def _has_no_sender(_: Account, form: Form) -> bool:
    return not form.get("From") and not form.get("MessagingServiceSid")


def _is_no_service_of_ours(account: Account, form: Form) -> bool:
    return "MessagingServiceSid" in form and form["MessagingServiceSid"] not in account.senders


def _cannot_be_called(_: Account, form: Form) -> bool:
    return "StatusCallback" in form and not is_public_address(form["StatusCallback"])


def _differs_in_channel(_: Account, form: Form) -> bool:
    return "From" in form and _channel(form["From"]) != _channel(form["To"])


def _is_not_ours(account: Account, form: Form) -> bool:
    return bool(form.get("From")) and form["From"] not in account.senders


def _is_in_no_region(account: Account, form: Form) -> bool:
    number = form["To"].rpartition(":")[2]
    return number.startswith("+") and not number.startswith(account.regions)


def _has_opted_out(account: Account, form: Form) -> bool:
    return any(person == form["To"] and form.get("From", ours) == ours for person, ours in account.opted_out)


RULES = (
    Rule(21604, "A 'To' phone number is required.", lambda _, form: not form.get("To"), _SPEC + "To"),
    Rule(21603, "A 'From' phone number is required.", _has_no_sender),
    Rule(
        21602, "Message body is required.", lambda _, form: not (form.get("Body", "").strip() or form.get("MediaUrl"))
    ),
    Rule(
        21617,
        "The concatenated message body exceeds the 1600 character limit",
        lambda _, form: units(form.get("Body", "")) > BODY_UNITS,
        _SPEC + "Body",
    ),
    Rule(21211, "Invalid 'To' Phone Number: {To}", lambda _, form: not _ADDRESS.fullmatch(form["To"])),
    Rule(21910, "Invalid From and To pair. From and To should be of the same channel", _differs_in_channel),
    Rule(
        63007,
        "Twilio could not find a Channel with the specified From address",
        lambda account, form: _is_not_ours(account, form) and bool(_channel(form["From"])),
    ),
    Rule(21659, "'From' {From} is not a Twilio phone number or Short Code country mismatch", _is_not_ours),
    Rule(
        21606,
        "The 'From' phone number {From} is not a valid message-capable Twilio phone number for this "
        "destination/account",
        lambda account, form: form.get("From") in account.no_texts,
    ),
    Rule(21705, "The Messaging Service with the given SID was not found", _is_no_service_of_ours),
    Rule(
        21408,
        "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: {To}",
        _is_in_no_region,
    ),
    Rule(21609, "The 'StatusCallback' URL {StatusCallback} is not a valid URL.", _cannot_be_called),
    Rule(21610, "Attempt to send to unsubscribed recipient", _has_opted_out),
    Rule(
        63016,
        "Failed to send freeform message because you are outside the allowed window. If you are using WhatsApp, please "
        "use a Message Template.",
        lambda account, form: account.refuses_closed_windows and not account.has_open_window(form),
    ),
    Rule(0, "Refused", lambda account, form: form["To"] in account.refused_numbers),
)
