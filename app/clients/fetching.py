"""HTTP with a time limit for the whole request, downloads from addresses that others chose, and readers of them.

Common HTTP clients apply their timeout to each read, so a server that sends a byte a second never times out. Here the
seconds of a request cover everything done for it: name lookup, connecting, the TLS handshake and sending; each read of
the headers and the body gets only the time left. This happens in the caller's own thread, on the socket itself: no
thread is abandoned, and the connection of a request that ran out of time is closed at once.

A download must come in time, stay under its size limit and come from the public internet, unless the operator has named
its origin: the name is looked up once, all its addresses are checked, and only these are connected to. It is read in a
separate process, so that a crash, a memory leak or an endless loop stays there.
"""

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
from app.text.hosts import is_public

CONNECT_MAX_SECONDS = 5.0  # As in the SDK: if a host has not accepted by then, a new attempt is better.
IDLE_MAX_SECONDS = 30.0  # A turn sends two or three requests within seconds; one TLS handshake then serves them all.
SLICE_BYTES = 64 * 1024  # Bytes written between two checks of the time left.
VISIT_SECONDS = 5.0
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 3
BOUNDED_READER = Path(__file__).with_name("bounded_reader.py")

Lookup = Callable[[str, int, float], list[str]]
"""Returns the numeric addresses of a host and port, within the given seconds; only these are connected to."""


def addresses_of(host: str, port: int, seconds: float) -> list[str]:
    """The numeric addresses of `host`, in the order to try them; empty if the lookup takes longer than `seconds`."""
    # A name lookup takes no timeout, and lasts half a minute when the resolver is down. So a thread of its own does
    # it; one that is too late ends by itself when the resolver gives up.
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
def _tls_context() -> ssl.SSLContext:
    """The TLS context with the trusted certificates, shared by all clients, since loading them takes 20 ms."""
    return httpx2.create_ssl_context()


class BoundedTransport(httpx2.HTTPTransport):
    """Sends requests straight to their host; each ends, body included, within the seconds of its timeout."""

    def __init__(self, lookup: Lookup = addresses_of) -> None:
        super().__init__(_tls_context())
        self._limit = _TimeLimit()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_tls_context(),
            max_connections=None,
            max_keepalive_connections=100,
            keepalive_expiry=IDLE_MAX_SECONDS,
            network_backend=_Backend(self._limit, lookup),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self._limit.until = time.monotonic() + request.extensions["timeout"]["read"]
        return super().handle_request(request)

    def __del__(self) -> None:
        # A model that is dropped without being closed must leave no socket open.
        self.close()


class _TimeLimit(threading.local):
    """The deadline of this thread's current exchange, in seconds of `time.monotonic`.

    A connection serves one exchange at a time, and the thread that sends a request also reads the answer, so one
    deadline per thread is enough. It uses the machine's clock, since sockets wait in real time even in tests.
    """

    until = 0.0

    def left(self) -> float:
        """Seconds left, above zero.

        Raises:
            httpcore2.ReadTimeout: no time is left.
        """
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            raise httpcore2.ReadTimeout("The time for the whole exchange is over.")
        return seconds

    def left_to_connect(self) -> float:
        return min(self.left(), CONNECT_MAX_SECONDS)


class _Stream(httpcore2.NetworkStream):
    """A connection on which every wait gets the time left; the timeouts passed in are ignored, being per step."""

    def __init__(self, inner: httpcore2.NetworkStream, limit: _TimeLimit) -> None:
        self._inner = inner
        self._limit = limit

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._inner.read(max_bytes, self._limit.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        for start in range(0, len(buffer), SLICE_BYTES):
            self._inner.write(buffer[start : start + SLICE_BYTES], self._limit.left())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._limit.left_to_connect()), self._limit)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, limit: _TimeLimit, lookup: Lookup) -> None:
        self._inner = httpcore2.SyncBackend()
        self._limit = limit
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
        for address in self._lookup(host, port, self._limit.left_to_connect()):
            seconds = self._limit.left_to_connect()
            try:
                stream = self._inner.connect_tcp(address, port, seconds, local_address, socket_options)
                return _Stream(stream, self._limit)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
        raise problem


class FetchResult(NamedTuple):
    """An answer to a request."""

    status: int
    content: bytes
    url: httpx2.URL  # The last address, after any redirects.


class PublicFetch:
    """Downloads files by GET, from public addresses only."""

    def __init__(self, own_origins: Collection[str] = (), lookup: Lookup = addresses_of) -> None:
        """`own_origins` come from the operator's settings, and may be in a private network."""
        self._own_hosts = {httpx2.URL(origin).raw_host.decode() for origin in own_origins}
        self._lookup = lookup
        self._http = httpx2.Client(
            transport=BoundedTransport(self._public_addresses), trust_env=False, follow_redirects=False, auth=None
        )

    def get(
        self,
        url: httpx2.URL,
        *,
        until: float,
        max_bytes: int,
        accept: str,
        check: Callable[[httpx2.URL], httpx2.Auth | None] | None = None,
    ) -> FetchResult:
        """The answer, at the latest at `until`, an instant of `time.monotonic` in seconds.

        With `check`, up to three redirects are followed. It gets each address before the request, raises an error if
        the address is not allowed, and returns the login to use there.

        Raises:
            FetchError: no answer came, or it breaks one of the limits.
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
                        return FetchResult(answer.status_code, _bounded(answer, max_bytes), url)
                    url, left = url.join(to), left - 1
            except httpx2.TimeoutException:
                raise FetchError("It did not come in time.") from None
            except (httpx2.UnsupportedProtocol, httpx2.InvalidURL, ValueError, OSError) as error:
                raise FetchError(f"Its address cannot be used ({type(error).__name__}).") from None
            except httpx2.HTTPError as error:
                raise FetchError(f"It could not be fetched ({type(error).__name__}).") from None

    def close(self) -> None:
        """Close the connections kept for the next file."""
        self._http.close()

    def _public_addresses(self, host: str, port: int, seconds: float) -> list[str]:
        """The addresses to connect to, looked up once and all public, unless the host is the operator's own."""
        found = self._lookup(host, port, seconds)
        if host in self._own_hosts:
            return found
        for address in found:
            if not is_public(address):
                raise FetchError(f"{host[:60]} has the address {address}, which is not public.", is_not_public=True)
        return found


def origin_of(url: httpx2.URL) -> tuple[str, bytes, int | None]:
    """Scheme, host and port; a default port is written out."""
    return url.scheme, url.raw_host, url.port or {"https": 443, "http": 80}.get(url.scheme)


def shown_origin(url: httpx2.URL) -> str:
    """Scheme and host, to show the operator: with the rest of the address anybody could open a person's file."""
    return f"{url.scheme[:10]}://{url.host[:60]}"


def _bounded(answer: httpx2.Response, max_bytes: int) -> bytes:
    # Compressed content may grow to a thousand times the size counted here.
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
    """HTTP status that a visitor without a login gets; None if the address cannot be reached."""
    try:
        with httpx2.Client(timeout=VISIT_SECONDS, trust_env=False, follow_redirects=False) as client:
            return client.get(address).status_code
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return None


def read_in_subprocess(
    reader: Path, content: bytes, seconds: float, places: BoundedSemaphore, *arguments: str
) -> tuple[dict[str, str], bytes]:
    """The problem with reading `content`, empty if there is none, and the bytes that the script `reader` made of it.

    The problem is a reason why it `refused`, a place where it `broke`, or how it `ended` silently, as at its limit of
    memory or processor time. The script's environment is empty. Each call takes one of `places`.

    Raises:
        FetchError: no place was free, or the script did not end in time.
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
