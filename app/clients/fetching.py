"""HTTP bounded in time, files from addresses that somebody else has chosen, and readers of such files.

The timeout of every common HTTP client is for each read, so a server that sends a byte a second is never late. Here
the seconds of a request are spent by all that is done for it: looking up the name, connecting, the handshake of TLS,
the sending; and each read of the headers and of the body gets only what is left. That is done in the caller's own
thread, on the socket itself: nothing has to be abandoned, and the connection of a request that ran out of time is
closed at once.

A file from elsewhere comes in time, is no larger than it may be, and comes from the public internet, unless the
operator has named its origin: a name is looked up once, all its addresses are looked at, and what was looked at is
connected to. It is read in a process of its own, which may crash, grow or never end by itself alone.
"""

import ipaddress
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, NamedTuple

import httpcore2
import httpx2

from app.errors import FetchError

CONNECT_MAX_SECONDS = 5.0  # As in the SDK: a host that does not take the connection by then is tried again instead.
IDLE_MAX_SECONDS = 30.0  # A turn asks two or three times within seconds; the handshake of TLS is then paid once.
SLICE_BYTES = 64 * 1024  # What is written between two looks at the clock.
VISIT_SECONDS = 5.0
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 3
BOUNDED_READER = Path(__file__).with_name("bounded_reader.py")

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # An IPv4 address within IPv6. Source: RFC 6052.

Lookup = Callable[[str, int, float], list[str]]
"""The numeric addresses of a host and port, found within so many seconds: what is connected to, and nothing else."""


def addresses_of(host: str, port: int, seconds: float) -> list[str]:
    """The numeric addresses of `host`, in the order in which they are to be tried; none that come after `seconds`."""
    # Looking up a name is the one wait that takes no timeout, and it lasts half a minute when the resolver is away.
    # So it is done aside; a thread that comes too late ends by itself when the resolver gives up.
    found: list[str] = []

    def look_up() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError:
            return
        found.extend(dict.fromkeys(str(answer[4][0]) for answer in answers))

    lookup = threading.Thread(target=look_up, name="name-lookup", daemon=True)
    lookup.start()
    lookup.join(seconds)
    return list(found)


@cache
def _trusted() -> ssl.SSLContext:
    """Whose certificates are believed: the same for all, and reading them takes 20 ms."""
    return httpx2.create_ssl_context()


class BoundedTransport(httpx2.HTTPTransport):
    """Sends requests straight to their host; each ends within the seconds of its timeout."""

    def __init__(self, lookup: Lookup = addresses_of) -> None:
        super().__init__(_trusted())
        self._spend = _Spend()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_trusted(),
            max_connections=None,
            max_keepalive_connections=100,
            keepalive_expiry=IDLE_MAX_SECONDS,
            network_backend=_Backend(self._spend, lookup),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self._spend.until = time.monotonic() + request.extensions["timeout"]["read"]
        return super().handle_request(request)

    def __del__(self) -> None:
        # A model that is dropped without being closed leaves no socket open behind it.
        self.close()


class _Spend(threading.local):
    """When the exchange under way in this thread has to be over, in seconds of `time.monotonic`.

    A connection serves one exchange at a time, and the thread that asked is the one that reads it, so an instant for
    each thread is enough. It is the machine's clock: a socket waits in real time also where a test's clock stands.
    """

    until = 0.0

    def left(self) -> float:
        """Seconds, above zero.

        Raises:
            httpcore2.ReadTimeout: none are left.

        """
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            raise httpcore2.ReadTimeout("The time for the whole exchange is over.")
        return seconds

    def left_to_connect(self) -> float:
        return min(self.left(), CONNECT_MAX_SECONDS)


class _Stream(httpcore2.NetworkStream):
    """A connection on which every wait gets what is left; the timeouts that it is given are for each step alone."""

    def __init__(self, inner: httpcore2.NetworkStream, spend: _Spend) -> None:
        self._inner = inner
        self._spend = spend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._inner.read(max_bytes, self._spend.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        for start in range(0, len(buffer), SLICE_BYTES):
            self._inner.write(buffer[start : start + SLICE_BYTES], self._spend.left())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._spend.left_to_connect()), self._spend)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, spend: _Spend, lookup: Lookup) -> None:
        self._inner = httpcore2.SyncBackend()
        self._spend = spend
        self._lookup = lookup

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        problem: Exception = httpcore2.ConnectError("The host has no address.")
        for address in self._lookup(host, port, self._spend.left_to_connect()):
            seconds = self._spend.left_to_connect()
            try:
                stream = self._inner.connect_tcp(address, port, seconds, local_address, socket_options)
                return _Stream(stream, self._spend)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
        raise problem


class Got(NamedTuple):
    """What a request came to."""

    status: int
    content: bytes
    url: httpx2.URL  # Of the last host, where there were redirects.


class PublicFetch:
    """GETs of files."""

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
        accept: str,
        check: Callable[[httpx2.URL], httpx2.Auth | None] | None = None,
    ) -> Got:
        """What is answered, at the latest at `until`, an instant of the machine's own clock, in seconds.

        With `check`, three redirects are followed: it is given each address before that is asked, raises what it likes
        where it may not be, and returns what to log in with there.

        Raises:
            FetchError: nothing came, or not as it may.
        """
        headers = {"User-Agent": "keepsake", "Accept": accept, "Accept-Encoding": "identity"}
        left = MAX_REDIRECTS if check else 0
        while True:
            auth = check(url) if check else None
            try:
                if (seconds := until - time.monotonic()) <= 0:
                    raise httpx2.ReadTimeout("No time is left for it.")
                with self._http.stream("GET", url, headers=headers, auth=auth, timeout=seconds) as answer:
                    to = answer.headers.get("location") if answer.status_code in REDIRECTS else None
                    if not (to and left):
                        return Got(answer.status_code, _bounded(answer, max_bytes), url)
                    url, left = url.join(to), left - 1
            except httpx2.TimeoutException:
                raise FetchError("It did not come in time.") from None
            except (httpx2.UnsupportedProtocol, httpx2.InvalidURL, ValueError, OSError) as error:
                raise FetchError(f"Its address cannot be used ({type(error).__name__}).") from None
            except httpx2.HTTPError as error:
                raise FetchError(f"It could not be fetched ({type(error).__name__}).") from None

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
    too_large = FetchError(f"It has more than {max_bytes:,} bytes.", is_too_large=True)
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_bytes:
        raise too_large
    content = bytearray()
    for chunk in answer.iter_raw():
        content += chunk
        if len(content) > max_bytes:
            raise too_large
    return bytes(content)


def status_of(address: str) -> int | None:
    """The status of an answer to a visitor without a login; None where the address cannot be reached."""
    try:
        with httpx2.Client(timeout=VISIT_SECONDS, trust_env=False, follow_redirects=False) as client:
            return client.get(address).status_code
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return None


def read_apart(
    reader: Path, content: bytes, seconds: float, places: BoundedSemaphore, *arguments: str
) -> tuple[dict[str, str], bytes]:
    """What was against reading `content`, and what the script made of it.

    That is why it `refused`; where it `broke`; or how it `ended` without a word, such as by a limit of its memory or of
    its processor. It sees nothing of our environment. Each takes one of `places`.

    Raises:
        FetchError: there was no place for it, or it did not end in time.
    """
    until = time.monotonic() + seconds
    if not places.acquire(timeout=max(seconds, 0.0)):
        raise FetchError("Too many came at once; this one was not opened.")
    try:
        read = subprocess.run(  # noqa: S603  (our own script, by its full path; the bytes go in by a pipe)
            [sys.executable, "-I", str(BOUNDED_READER), str(reader), *arguments],
            input=content,
            capture_output=True,
            timeout=max(until - time.monotonic(), 0.0),
            check=False,
            env={},
        )
    except subprocess.TimeoutExpired:
        raise FetchError("It took too long to decode.") from None
    except OSError as error:
        raise FetchError(f"Its decoder could not be started ({type(error).__name__}).") from None
    finally:
        places.release()
    head, _, made = read.stdout.partition(b"\n")
    try:
        return json.loads(head), made
    except ValueError:
        return {"ended": f"its reader ended with code {read.returncode}"}, b""
