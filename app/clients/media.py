"""Files that came with texts, fetched from Twilio and from nowhere else. Reasons: docs/decisions/0015-pictures.md."""

import ipaddress
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import unquote

import httpcore2
import httpx2

from app.clients.bounded_transport import BoundedTransport, Lookup, addresses_of
from app.clients.picture import read_picture
from app.errors import MediaError
from app.services import Picture
from app.settings import Settings

MAX_BYTES = 5 * 1024 * 1024  # As much as Twilio takes for all files of one text. Source: its docs, Media resource.
FETCH_SECONDS = 15.0
MAX_REDIRECTS = 3
REDIRECTS = frozenset({301, 302, 303, 307, 308})
TWILIO_API = "https://api.twilio.com"  # Webhooks name files here, also where TWILIO_API_URL is another edge.

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # An IPv4 address within IPv6. Source: RFC 6052.


@dataclass(frozen=True)
class FileHost:
    """Where Twilio's API may send us for a file, never with our credentials."""

    origin: str
    path: str = "/"
    """What the path has to begin with."""


FILE_HOSTS = (
    FileHost("https://mms.twiliocdn.com"),  # Signed addresses that last four hours, where files need credentials.
    FileHost("https://media.twiliocdn.com"),  # The same, as older accounts have it.
    # Where files need none. The host is shared by all of Amazon's customers, so the bucket counts.
    FileHost("https://s3-external-1.amazonaws.com", "/media.twiliocdn.com/"),
    FileHost("https://mcs.us1.twilio.com"),  # Twilio's Media Content Service, for its chat channels.
)
"""Source: https://support.twilio.com/hc/en-us/articles/223183748"""


class TwilioMedia:
    """Pictures that people sent through Twilio."""

    def __init__(
        self, settings: Settings, lookup: Lookup = addresses_of, file_hosts: tuple[FileHost, ...] = FILE_HOSTS
    ) -> None:
        secret = settings.twilio_api_secret or settings.twilio_auth_token
        self._auth = httpx2.BasicAuth(
            settings.twilio_api_key or settings.twilio_account_sid or "", secret.get_secret_value() if secret else ""
        )
        self._account = f"/2010-04-01/Accounts/{settings.twilio_account_sid}/"
        self._ours = httpx2.URL(settings.twilio_api_url)
        self._file_hosts = file_hosts
        self._lookup = lookup
        self._http = httpx2.Client(
            transport=BoundedTransport(self._vetted), trust_env=False, follow_redirects=False, auth=None
        )

    def picture(self, url: str, seconds: float) -> Picture:
        """The picture at `url`, as the model may be shown it, at the latest after `seconds`.

        Raises:
            MediaError: it could not be fetched, or is no picture that may be shown.
        """
        until = time.monotonic() + min(seconds, FETCH_SECONDS)  # The machine's clock, as sockets go by it.
        with _as_media_errors():
            content = self._fetch(url, until)
        return read_picture(content, until - time.monotonic())

    def close(self) -> None:
        """Close the connections that are kept for the next file."""
        self._http.close()

    def _fetch(self, address: str, until: float) -> bytes:
        url = httpx2.URL(address)
        if not self._is_api(url):
            raise MediaError(f"Its address is at {_named(url)}, which is not Twilio's API for this account.")
        ours = True
        for _ in range(1 + MAX_REDIRECTS):
            # Our own are sent to the API alone, and no more once it has sent us elsewhere: nobody can send us back.
            ours = ours and self._is_api(url)
            if not ours and not self._is_file_host(url):
                raise MediaError(f"It was redirected to {_named(url)}, which is no host of Twilio's files.")
            answer = self._get(url, until, with_credentials=ours)
            if isinstance(answer, bytes):
                return answer
            url = url.join(answer)
        raise MediaError(f"It was redirected more than {MAX_REDIRECTS} times.")

    def _get(self, url: httpx2.URL, until: float, *, with_credentials: bool) -> bytes | str:
        """The file, or the address that it is redirected to."""
        seconds = until - time.monotonic()
        if seconds <= 0:
            raise httpcore2.ReadTimeout
        # What is compressed may be a thousand times larger than what is counted here.
        headers = {"Accept-Encoding": "identity", "Accept": "image/*", "User-Agent": "keepsake"}
        auth = self._auth if with_credentials else None
        with self._http.stream("GET", url, headers=headers, auth=auth, timeout=seconds) as answer:
            if answer.status_code in REDIRECTS and answer.headers.get("location"):
                return str(answer.headers["location"])
            if answer.status_code != httpx2.codes.OK:
                raise MediaError(f"{_named(url)} answered with HTTP {answer.status_code}.")
            if answer.headers.get("content-encoding", "identity").strip().lower() != "identity":
                raise MediaError("It came compressed, which was not asked for.")
            return _bounded(answer)

    def _is_api(self, url: httpx2.URL) -> bool:
        for api in (self._ours, httpx2.URL(TWILIO_API)):
            if _origin(url) == _origin(api):
                return _is_below(url, api.path.rstrip("/") + self._account)
        return False

    def _is_file_host(self, url: httpx2.URL) -> bool:
        allowed = [one.path for one in self._file_hosts if _origin(url) == _origin(httpx2.URL(one.origin))]
        return any(_is_below(url, path) for path in allowed)

    def _vetted(self, host: str, port: int, seconds: float) -> list[str]:
        """The addresses that are connected to: looked up once, all of them public."""
        found = self._lookup(host, port, seconds)
        # What the operator wrote into TWILIO_API_URL may be in their own network: texts and credentials go there too.
        if host == self._ours.raw_host.decode() and _origin(self._ours) != _origin(httpx2.URL(TWILIO_API)):
            return found
        for address in found:
            if not is_public(address):
                raise MediaError(f"{host[:60]} has the address {address}, which is not public.")
        return found


def is_public(address: str) -> bool:
    """Whether a numeric address is one of the public internet: no machine, network or service of our own."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip in _NAT64:
            ip = ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)
        elif ip.sixtofour or ip.teredo:
            return False
        else:
            ip = ip.ipv4_mapped or ip
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def _origin(url: httpx2.URL) -> tuple[str, bytes, int | None]:
    return url.scheme, url.raw_host, url.port or {"https": 443, "http": 80}.get(url.scheme)


def _is_below(url: httpx2.URL, path: str) -> bool:
    # Dots could lead out of the path again at a server that resolves them, also where they are written as %2e.
    asked = url.raw_path.decode("ascii").partition("?")[0]
    climbs = {".", ".."} & set(re.split(r"[/\\]", unquote(unquote(asked))))
    return not url.userinfo and asked.startswith(path) and not climbs


def _bounded(answer: httpx2.Response) -> bytes:
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_BYTES:
        _too_large()
    content = bytearray()
    for chunk in answer.iter_raw():
        content += chunk
        if len(content) > MAX_BYTES:
            _too_large()
    return bytes(content)


def _too_large() -> NoReturn:
    raise MediaError(f"It has more than {MAX_BYTES:,} bytes.", as_told="a picture that was too large to open")


def _named(url: httpx2.URL) -> str:
    """Host and scheme, for the operator: the rest of such an address opens a person's file."""
    return f"{url.scheme[:10]}://{url.host[:60]}"


@contextmanager
def _as_media_errors() -> Iterator[None]:
    try:
        yield
    except (httpx2.TimeoutException, httpcore2.TimeoutException):
        raise MediaError("It did not come in time.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        raise MediaError(f"It could not be fetched ({type(error).__name__}).") from None
    except (ValueError, OSError, UnicodeError) as error:
        raise MediaError(f"Its address cannot be used ({type(error).__name__}).") from None
