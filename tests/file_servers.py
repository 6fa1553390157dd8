"""Stand-ins for Twilio's media server and for calendar servers, including an attacker's.

with MediaServer() as server:
    server.files["/2010-04-01/…/ME1"] = File(picture())
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from PIL import Image

from tests.loopback import Handler, Http, StandIn
from tests.twilio_server import ACCOUNT_SID

DRIP_SECONDS = 0.02
HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Keepsake//tests//EN\r\n"


@dataclass(frozen=True)
class File:
    """The answer for one path."""

    content: bytes = b""
    content_type: str = "image/jpeg"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drips: bool = False  # True to send it byte by byte.
    endless: bool = False  # True to send the content over and over, without a length.
    cut: bool = False  # True to close the connection after half of it.


def page(content: bytes = b"", status: int = 200, headers: Mapping[str, str] | None = None) -> File:
    return File(content, "text/calendar", status, headers or {})


def redirect(to: str) -> File:
    return File(status=307, headers={"Location": to})


@dataclass(frozen=True)
class Asked:
    """One request as received."""

    path: str
    headers: Mapping[str, str]  # With names in lower case.


class MediaServer(StandIn):
    """Listens on 127.0.0.1 while the `with` block runs."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        self.asked: list[Asked] = []
        self.sent_bytes = 0
        super().__init__(_Handler)

    def put(self, file: File, number: int = 1) -> str:
        """Serve the file, and return its address as a webhook would name it."""
        path = f"/2010-04-01/Accounts/{ACCOUNT_SID}/Messages/MM{'1' * 32}/Media/ME{number:032x}"
        self.files[path] = file
        return self.url + path


class CalendarServer(MediaServer):
    """The same for iCal files."""

    def hold(self, content: bytes, path: str = "/private-8f3a/basic.ics") -> str:
        """Serve the calendar, and return its address."""
        self.files[path] = page(content)
        return self.url + path


class _Handler(Handler):
    server: Http[MediaServer]

    def get(self) -> None:
        there = self.server.stand_in
        there.asked.append(Asked(self.path, self.lowered))
        file = there.files.get(urlsplit(self.path).path, File(b"no such file", "text/plain", 404))
        if "authorization" in self.lowered and "Signature=" in self.path:  # As S3 does for presigned addresses.
            file = File(b"Only one auth mechanism allowed", "text/plain", 400)
        length = {} if file.endless else {"Content-Length": str(len(file.content))}
        self.head(file.status, {"Content-Type": file.content_type, **length, **file.headers})
        for part in self._parts(file):
            self.wfile.write(part)
            there.sent_bytes += len(part)
        self.close_connection = file.endless or file.cut

    def _parts(self, file: File) -> Iterator[bytes]:
        if file.cut:
            yield file.content[: len(file.content) // 2]
        elif file.drips:
            for byte in file.content:
                yield bytes([byte])
                if self.server.stand_in.closing.wait(DRIP_SECONDS):
                    return
        elif file.endless:
            while not self.server.stand_in.closing.is_set():
                yield file.content
        else:
            yield file.content


def picture(
    form: str = "JPEG",
    size: tuple[int, int] = (64, 48),
    colour: str | int | tuple[int, ...] = "red",
    mode: str = "RGB",
    **more: object,
) -> bytes:
    """A plain picture in the given format."""
    out = io.BytesIO()
    Image.new(mode, size, colour).save(out, form, **more)
    return out.getvalue()


def event(uid: str, *lines: str) -> str:
    body = "\r\n".join(lines)
    return f"BEGIN:VEVENT\r\nUID:{uid}@example.org\r\nDTSTAMP:20260101T000000Z\r\n{body}\r\nEND:VEVENT\r\n"


def calendar(*events: str) -> bytes:
    return f"{HEAD}{''.join(events)}END:VCALENDAR\r\n".encode()
