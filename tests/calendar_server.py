"""A stand-in for where calendars are: files in iCal form, with ETags; and for what an attacker would put there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.loopback import Handler, Http, StandIn

HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Keepsake//tests//EN\r\n"


def event(uid: str, *lines: str) -> str:
    body = "\r\n".join(lines)
    return f"BEGIN:VEVENT\r\nUID:{uid}@example.org\r\nDTSTAMP:20260101T000000Z\r\n{body}\r\nEND:VEVENT\r\n"


def calendar(*events: str) -> bytes:
    return f"{HEAD}{''.join(events)}END:VCALENDAR\r\n".encode()


@dataclass(frozen=True)
class Page:
    """What is answered for one path."""

    content: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class CalendarServer(StandIn):
    """Listens on 127.0.0.1 while the `with` block runs."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.asked: list[dict[str, str]] = []
        """The headers of each request, names in lower case."""
        super().__init__(_Handler)

    def put(self, content: bytes, etag: str = '"1"', path: str = "/private-8f3a/basic.ics") -> str:
        """The address under which the calendar is."""
        self.pages[path] = Page(content, headers={"ETag": etag, "Content-Type": "text/calendar"})
        return self.url + path


class _Handler(Handler):
    server: Http[CalendarServer]

    def get(self) -> None:
        there = self.server.stand_in
        there.asked.append(self.lowered)
        page = there.pages.get(self.path, Page(b"no such page", 404))
        if page.headers.get("ETag") and there.asked[-1].get("if-none-match") == page.headers["ETag"]:
            page = Page(status=304)
        self.answer(page.status, page.content, page.headers)
