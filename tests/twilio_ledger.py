"""The stand-in's ledger: every text that went out or came in, listed and shown as by Twilio.

Filters and paging follow twilio-oai, `GET /2010-04-01/Accounts/{AccountSid}/Messages.json`: `To`, `From` and `DateSent`
(whole days), newest first, `next_page_uri` without a host.
"""

import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode

MAX_PAGE = 1000
LISTED_AFTER = timedelta(seconds=2)  # A new text is not in the list before that.


class Ledger:
    """All texts of one account, in order."""

    def __init__(
        self, account_sid: str, now: Callable[[], datetime], hear: Callable[[Mapping[str, str]], None]
    ) -> None:
        self.account_sid = account_sid
        self.now = now
        self._hear = hear
        self.texts: list[dict[str, Any]] = []
        self.not_listed_yet: set[str] = set()
        """Ids of texts that the list does not show yet, for longer than usual."""

    def __getitem__(self, sid: str) -> dict[str, Any]:
        return next(text for text in self.texts if text["sid"] == sid)

    def sent(self, sid: str, form: Mapping[str, str]) -> dict[str, Any]:
        """Enter a text that went out by the API."""
        service = form.get("MessagingServiceSid")
        return self._enter(
            sid=sid,
            direction="outbound-api",
            body=form["Body"],
            to=form["To"],
            sender=form.get("From"),
            service=service,
            status="accepted" if service else "queued",
            at=self.now(),
            num_segments="0" if service else "1",
        )

    def receive(
        self, body: str, *, sender: str, to: str, at: datetime | None = None, sid: str | None = None, **more: Any
    ) -> str:
        """Enter a text that came in, even if no webhook delivers it, and return its id."""
        at = at or self.now()
        sid = sid or "SM" + secrets.token_hex(16)
        given = {"status": "received", "service": None, "date_sent": format_datetime(at), **more}
        self._enter(sid=sid, direction="inbound", body=body, to=to, sender=sender, at=at, **given)
        self._hear({"From": sender, "To": to, "Body": body})
        return sid

    def settle(self, sid: str, status: str, error_code: int | None) -> None:
        """Enter the final status of an accepted text that could not be delivered."""
        if error_code is not None:
            self[sid].update(status=status, error_code=error_code)

    def bill(self, sid: str, price: str) -> None:
        """Enter a text's price, such as `-0.00750`, which Twilio adds some time after sending."""
        self[sid]["price"] = price

    def find(self, sid: str) -> dict[str, Any] | None:
        return next((text for text in self.texts if text["sid"] == sid), None)

    def page(self, path: str, query: Mapping[str, str]) -> dict[str, Any]:
        """One page of the list, as JSON."""
        size, number = min(int(query.get("PageSize", "50")), MAX_PAGE), int(query.get("Page", "0"))
        found = [text for text in reversed(self.texts) if self._is_listed(text) and _fits(text, query)]
        found.sort(key=lambda text: parsedate_to_datetime(text["date_created"]), reverse=True)
        shown = found[number * size : (number + 1) * size]
        filters = {name: query[name] for name in ("To", "From", "DateSent", "DateSent<", "DateSent>") if name in query}
        following = {"PageSize": size, "Page": number + 1, "PageToken": f"PA{shown[-1]['sid']}"} if shown else {}
        has_more = len(found) > (number + 1) * size
        return {
            "next_page_uri": f"{path}?{urlencode({**filters, **following})}" if has_more else None,
            "page": number,
            "page_size": size,
            "messages": shown,
        }

    def _is_listed(self, text: Mapping[str, Any]) -> bool:
        age = self.now() - parsedate_to_datetime(text["date_created"])
        return age >= LISTED_AFTER and text["sid"] not in self.not_listed_yet

    def _enter(self, *, sid: str, sender: str | None, service: str | None, at: datetime, **more: Any) -> dict[str, Any]:
        uri = f"/2010-04-01/Accounts/{self.account_sid}/Messages/{sid}"
        text = {
            "account_sid": self.account_sid,
            "api_version": "2010-04-01",
            "date_created": format_datetime(at.astimezone(UTC)),
            "date_sent": None,
            "date_updated": format_datetime(at.astimezone(UTC)),
            "error_code": None,
            "error_message": None,
            "from": sender,
            "messaging_service_sid": service,
            "num_media": "0",
            "num_segments": "1",
            "price": None,
            "price_unit": "USD",
            "sid": sid,
            "subresource_uris": {"media": f"{uri}/Media.json"},
            "uri": f"{uri}.json",
            **more,
        }
        self.texts.append(text)
        return text


def _fits(text: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    sent = text["date_sent"] and parsedate_to_datetime(text["date_sent"]).date().isoformat()
    day = {name: query[name][:10] for name in ("DateSent", "DateSent<", "DateSent>") if name in query}
    return (
        query.get("To", text["to"]) == text["to"]
        and query.get("From", text["from"]) == text["from"]
        and (not day or sent is not None)
        and day.get("DateSent", sent) == sent
        and ("DateSent<" not in day or sent <= day["DateSent<"])
        and ("DateSent>" not in day or sent >= day["DateSent>"])
    )
