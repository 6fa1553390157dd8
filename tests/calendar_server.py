"""A stand-in for where calendars are: files in iCal form, with ETags; and for what an attacker would put there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from tests.loopback import Http, StandIn

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


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Http[CalendarServer]

    def do_GET(self) -> None:
        there = self.server.stand_in
        headers = {name.lower(): value for name, value in self.headers.items()}
        there.asked.append(headers)
        page = there.pages.get(self.path, Page(b"no such page", 404))
        if page.headers.get("ETag") and headers.get("if-none-match") == page.headers["ETag"]:
            page = Page(status=304)
        self.send_response(page.status)
        self.send_header("Content-Length", str(len(page.content)))
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page.content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base class's)
        """Nothing: what matters is in `asked`."""
