"""The addresses that our sender should call, beside those that it calls."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from app.delivery.account import Sender
from app.errors import Refused
from app.operations.checks.settings import is_private
from app.operations.checks.twilio import OVERRIDES
from app.settings import Settings

Changes = Mapping[str, tuple[str, str]]
"""By the carrier's name of each value: what it is, and what it should be."""


def changes(settings: Settings, sender: Sender) -> Changes:
    """What has to be set of the sender so that texts and calls come to us."""
    wanted = _wanted(settings.address)
    found = {name: (is_now, wanted[name]) for name, is_now in sender.values.items()}
    return {name: (is_now, to) for name, (is_now, to) in found.items() if is_now != to}


def check_public(settings: Settings) -> None:
    """Return when Twilio can reach our address, and in secret.

    Raises:
        Refused: it cannot.
    """
    parts = urlsplit(settings.address)
    if parts.scheme != "https" or is_private(parts.hostname or ""):
        raise Refused(
            f"Twilio would be told to bring texts to {settings.address}, which is no https address that the world can "
            "reach. Set PUBLIC_URL to the one that leads here, such as https://keepsake.example.org."
        )


def _wanted(address: str) -> dict[str, str]:
    texts, calls = f"{address}/sms{OVERRIDES}", f"{address}/voice"
    return {
        "sms_url": texts,
        "sms_method": "POST",
        "sms_fallback_url": texts,
        "sms_fallback_method": "POST",
        "sms_application_sid": "",
        "inbound_request_url": texts,
        "inbound_method": "POST",
        "fallback_url": texts,
        "fallback_method": "POST",
        "status_callback": f"{address}/sms/status",
        "use_inbound_webhook_on_number": "false",
        "voice_url": calls,
        "voice_method": "POST",
        "voice_application_sid": "",
    }
