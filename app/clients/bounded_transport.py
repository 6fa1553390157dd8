"""HTTP whose timeout is the time of the whole exchange, by the clock on the wall.

The timeout of every common HTTP client is for each read, so a server that sends a byte a second is never late. Here
the seconds of a request are spent by all that is done for it: looking up the name, connecting, the handshake of TLS,
the sending; and each read of the headers and of the body gets only what is left. That is done in the caller's own
thread, on the socket itself: nothing has to be abandoned, and the connection of a request that ran out of time is
closed at once.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpcore2
import httpx2

CONNECT_MAX_SECONDS = 5.0  # As in the SDK: a host that does not take the connection by then is tried again instead.
IDLE_MAX_SECONDS = 30.0  # A turn asks two or three times within seconds; the handshake of TLS is then paid once.
SLICE_BYTES = 64 * 1024  # What is written between two looks at the clock.


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


class BoundedTransport(httpx2.BaseTransport):
    """Sends requests straight to their host; each ends within the seconds of its timeout."""

    def __init__(self, lookup: Lookup = addresses_of) -> None:
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
        with _as_timeouts():
            answer = self._pool.handle_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=_Body(answer.stream), extensions=answer.extensions
        )

    def close(self) -> None:
        self._pool.close()

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


@contextmanager
def _as_timeouts() -> Iterator[None]:
    # The SDK tells a timeout from other faults by this class; those it wraps as they are.
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise httpx2.ReadTimeout(str(error)) from error


class _Body(httpx2.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        with _as_timeouts():
            yield from self._stream

    def close(self) -> None:
        self._stream.close()


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
