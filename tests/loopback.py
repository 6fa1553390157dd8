"""The common base of the stand-ins for outside services: HTTP on a free local port, in threads of its own."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

from cheroot.wsgi import Server
from flask import Flask

S = TypeVar("S")

NOWHERE = "127.0.0.1:9"  # Nobody listens here: ports below 1024 are not assigned at random.


class Handler(BaseHTTPRequestHandler):
    """The base of the stand-ins' request handlers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self.get()

    def do_POST(self) -> None:
        self.post()

    def get(self) -> None:
        self.answer(405)

    def post(self) -> None:
        self.answer(405)

    @property
    def lowered(self) -> dict[str, str]:
        """The headers, with names in lower case."""
        return {name.lower(): value for name, value in self.headers.items()}

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def answer(
        self, status: int, body: bytes = b"", headers: Mapping[str, str] = MappingProxyType({}), only: int | None = None
    ) -> None:
        """Send an answer, or only the first `only` bytes of its body under the full content length."""
        self.head(status, {"Content-Length": str(len(body)), **headers})
        self.wfile.write(body[:only])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base class's)
        """Log nothing, because the stand-in stores its requests."""


class Http(ThreadingHTTPServer, Generic[S]):
    """The HTTP server of a stand-in, which its handlers find in `stand_in`."""

    daemon_threads = False  # The end of the `with` block waits for every thread.
    request_queue_size = 128

    def __init__(self, handler: type[BaseHTTPRequestHandler], stand_in: S) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.stand_in = stand_in
        self._open: set[socket.socket] = set()

    def serve(self, closing: threading.Event) -> None:
        """Accept connections until `closing` is set and one more arrives; polling would cost each test its interval."""
        while not closing.is_set():
            self.handle_request()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        """Wake threads that wait for another request on an open connection."""
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors, because clients that hang up are part of the tests."""


class StandIn:
    """`with StandIn(handler) as there:` serves at `there.url` until the block ends."""

    def __init__(self, handler: type[Handler]) -> None:
        self.closing = threading.Event()
        """Set when the block ends, for handlers that wait."""
        self._http = Http(handler, self)
        self._thread = threading.Thread(target=self._http.serve, args=(self.closing,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port)).close()
        self._thread.join()
        self._http.close_connections()
        self._http.server_close()


class HeldPort:
    """A port that stays reserved until the block ends or this object is deleted.

    The socket that holds it never listens, so a server can bind the port and listen repeatedly: Linux lets sockets with
    SO_REUSEADDR share a port as long as none of them listens. Source: socket(7), ip(7).
    """

    def __init__(self) -> None:
        self._holder = socket.socket()
        self._holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._holder.bind(("127.0.0.1", 0))
        self.number = int(self._holder.getsockname()[1])

    def __enter__(self) -> int:
        return self.number

    def __exit__(self, *_: object) -> None:
        self._holder.close()

    def __del__(self) -> None:
        self._holder.close()


@contextmanager
def served(app: Flask, port: int = 0, threads: int = 2) -> Iterator[int]:
    """Serve an app with the real server, and yield its port."""
    server = Server(("127.0.0.1", port), app, numthreads=threads, shutdown_timeout=1)
    server.prepare()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield int(server.bind_addr[1])
    finally:
        server.stop()
        thread.join()
