"""Twilio's ledger of our texts, read with its SDK: `GET …/Messages.json` and `…/Messages/{Sid}.json`."""

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.delivery.twilio import NAME
from app.delivery.twilio.send import rest_client, sender_to, translated_errors
from app.errors import CarrierBusy, CarrierError
from app.services import LedgerEntry
from app.settings import Settings

LOOK_SECONDS = 10.0  # As for sending: only a job waits for these requests.
PAGE_TEXTS = 50  # Twilio's default; a request each minute seldom needs a second page.
MAX_PAGES = 200  # Ten thousand texts: more than a month of outage brings; it also ends a list that never does.

NOT_FOUND = 20404  # Source: https://www.twilio.com/docs/api/errors/20404

logger = logging.getLogger(__name__)


class TwilioLedger:
    """Lists texts by `To` and `From` only, newest first, and stops at texts older than asked for.

    Twilio's third filter, `DateSent`, works with whole days only, and texts that Twilio has queued have no date yet.
    """

    carrier = NAME

    def __init__(self, settings: Settings, timeout_seconds: float = LOOK_SECONDS) -> None:
        self._ours = settings.twilio_from or ""
        self._is_service = self._ours.startswith("MG")
        self._messages: Any = rest_client(settings, timeout_seconds).messages

    def sent_to(self, address: str, since: datetime) -> list[LedgerEntry]:
        sender = {} if self._is_service else {"from_": sender_to(self._ours, address)}
        return self._list(since, "outbound-api", to=address, **sender)

    def received(self, since: datetime) -> list[LedgerEntry]:
        if self._is_service:
            return self._list(since, "inbound")
        number = self._ours.removeprefix("whatsapp:")
        ours = (number, f"whatsapp:{number}") if number.startswith("+") else (number,)  # A short code has no WhatsApp.
        found = [entry for to in ours for entry in self._list(since, "inbound", to=to)]
        return sorted(found, key=lambda entry: entry.created_at)

    def look_up(self, sid: str) -> LedgerEntry | None:
        try:
            with translated_errors(" to show its list of texts", odd=CarrierBusy):
                return _entry(self._messages(sid).fetch())
        except CarrierError as error:
            if error.carrier_code == NOT_FOUND:
                return None
            raise

    def _list(self, since: datetime, direction: str, **filters: str) -> list[LedgerEntry]:
        with translated_errors(" to show its list of texts", odd=CarrierBusy):
            found = [one for one in self._newest(since, filters) if one.direction == direction]
            if self._is_service:  # It picks a number from its pool, so only the service's id marks a text as ours.
                found = [one for one in found if one.messaging_service_sid == self._ours]
            texts = [_entry(one) for one in reversed(found)]  # The sort is stable for texts of one second.
        return sorted((text for text in texts if text.created_at >= since), key=lambda text: text.created_at)

    def _newest(self, since: datetime, filters: dict[str, str]) -> Iterator[Any]:
        """Texts up to the first page that holds only older ones, since the order within a page is not reliable."""
        page = self._messages.page(page_size=PAGE_TEXTS, **filters)
        for _ in range(MAX_PAGES):
            messages = list(page)
            yield from messages
            if messages and all(_instant(message.date_created) < since for message in messages):
                return
            page = page.next_page()
            if page is None:
                return
        logger.warning("Twilio lists more than %d texts since %s; older ones are left.", MAX_PAGES * PAGE_TEXTS, since)


def _entry(message: Any) -> LedgerEntry:
    # Twilio writes a charge as negative dollars: "-0.00750".
    is_charged = message.price is not None and (message.price_unit or "").upper() == "USD"
    return LedgerEntry(
        sid=str(message.sid),
        sender=message.from_ or "",
        recipient=message.to or "",
        body=message.body or "",
        status=str(message.status),
        created_at=_instant(message.date_created),
        error_code=int(message.error_code) if message.error_code else None,
        cost_cents=abs(float(message.price)) * 100 if is_charged else None,
        media_count=int(message.num_media or 0),
    )


def _instant(value: object) -> datetime:
    if not isinstance(value, datetime):
        raise ValueError("a text without its date")  # noqa: TRY004  (the answer is wrong, not our code)
    return value
