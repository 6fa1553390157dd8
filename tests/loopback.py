"""What the stand-ins for the world outside have in common: HTTP on a free port of this machine, in its own thread."""

import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from typing import Any, Generic, Self, TypeVar

S = TypeVar("S")

POLL_SECONDS = 0.01  # How soon a server notices that it is to end: each test that has one waits for it.


class Http(ThreadingHTTPServer, Generic[S]):
    """The server itself; its handlers find whom they answer for in `stand_in`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: type[BaseHTTPRequestHandler], stand_in: S) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.stand_in = stand_in
        self._open: set[socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        """Wake the threads that wait for another request on a connection that is kept open."""
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: clients that hang up are part of the tests."""


class StandIn:
    """`with StandIn(handler) as there:` serves at `there.url` until the block ends."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self.closing = threading.Event()
        """Set when the block ends, for handlers that take their time."""
        self._http = Http(handler, self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": POLL_SECONDS}, daemon=True
        )

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
        self._http.shutdown()
        self._http.close_connections()
        self._http.server_close()
        self._thread.join()
