"""One file fetched over HTTP from an address that somebody else has chosen.

It comes in time, is no larger than it may be, and comes from the public internet, unless the operator has named its
origin: a name is looked up once, all its addresses are looked at, and what was looked at is connected to.
"""

import ipaddress
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

import httpcore2
import httpx2

from app.clients.bounded_transport import BoundedTransport, Lookup, addresses_of
from app.errors import FetchError

REDIRECTS = frozenset({301, 302, 303, 307, 308})

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # An IPv4 address within IPv6. Source: RFC 6052.


@dataclass(frozen=True)
class Got:
    """What one request came to."""

    status: int
    headers: httpx2.Headers
    content: bytes = b""
    redirected_to: httpx2.URL | None = None
    """Where the file is instead."""


class PublicFetch:
    """GETs of files; follows no redirect by itself, since each has to be asked about first."""

    def __init__(self, own_origins: Collection[str] = (), lookup: Lookup = addresses_of) -> None:
        """`own_origins` are those that the operator wrote into the settings, which may be in their own network."""
        self._own_hosts = {httpx2.URL(origin).raw_host.decode() for origin in own_origins}
        self._lookup = lookup
        self._http = httpx2.Client(
            transport=BoundedTransport(self._vetted), trust_env=False, follow_redirects=False, auth=None
        )

    def get(
        self,
        url: httpx2.URL,
        *,
        until: float,
        max_bytes: int,
        headers: Mapping[str, str] | None = None,
        auth: httpx2.Auth | None = None,
    ) -> Got:
        """What is answered, at the latest at `until`, an instant of the machine's own clock, in seconds.

        Raises:
            FetchError: nothing came, or not as it may.
        """
        asked = {"User-Agent": "keepsake", **(headers or {}), "Accept-Encoding": "identity"}
        with _as_fetch_errors():
            seconds = until - time.monotonic()
            if seconds <= 0:
                raise httpcore2.ReadTimeout
            with self._http.stream("GET", url, headers=asked, auth=auth, timeout=seconds) as answer:
                status, told = answer.status_code, answer.headers
                if status in REDIRECTS and told.get("location"):
                    return Got(status, told, redirected_to=url.join(told["location"]))
                return Got(status, told, _bounded(answer, max_bytes))

    def close(self) -> None:
        """Close the connections that are kept for the next file."""
        self._http.close()

    def _vetted(self, host: str, port: int, seconds: float) -> list[str]:
        """The addresses that are connected to: looked up once, all of them public."""
        found = self._lookup(host, port, seconds)
        if host in self._own_hosts:
            return found
        for address in found:
            if not is_public(address):
                raise FetchError(f"{host[:60]} has the address {address}, which is not public.", is_not_public=True)
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


def origin_of(url: httpx2.URL) -> tuple[str, bytes, int | None]:
    """Scheme, host and port, the usual port written out."""
    return url.scheme, url.raw_host, url.port or {"https": 443, "http": 80}.get(url.scheme)


def named(url: httpx2.URL) -> str:
    """Host and scheme, for the operator: the rest of such an address opens a person's file."""
    return f"{url.scheme[:10]}://{url.host[:60]}"


def _bounded(answer: httpx2.Response, max_bytes: int) -> bytes:
    # What is compressed may be a thousand times larger than what is counted here.
    if answer.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise FetchError("It came compressed, which was not asked for.")
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_bytes:
        _too_large(max_bytes)
    content = bytearray()
    for chunk in answer.iter_raw():
        content += chunk
        if len(content) > max_bytes:
            _too_large(max_bytes)
    return bytes(content)


def _too_large(max_bytes: int) -> NoReturn:
    raise FetchError(f"It has more than {max_bytes:,} bytes.", is_too_large=True)


@contextmanager
def _as_fetch_errors() -> Iterator[None]:
    try:
        yield
    except (httpx2.TimeoutException, httpcore2.TimeoutException):
        raise FetchError("It did not come in time.") from None
    except (httpx2.HTTPError, httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        raise FetchError(f"It could not be fetched ({type(error).__name__}).") from None
    except (httpx2.InvalidURL, httpcore2.UnsupportedProtocol, ValueError, OSError) as error:
        raise FetchError(f"Its address cannot be used ({type(error).__name__}).") from None
