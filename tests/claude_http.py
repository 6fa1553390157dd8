"""The socket of Claude's stand-in: how a reply goes over the wire, whole, a byte at a time, or broken off."""

from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from typing import Any, cast

DRIP_SECONDS = 0.02  # Between two bytes of a reply that drips.


class ClaudeHttp(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = False  # So that leaving the `with` block waits for every thread.

    def __init__(self, claude: Any) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.claude = claude
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


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self._claude.model_info(self.path.removeprefix("/v1/models/"), headers))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.path == "/v1/messages":
            reply = self._claude.reply_to(body, headers)
        else:
            reply = self._claude.no_such_path(self.path)
        if self._claude.latency_seconds:
            self._claude.pause(self._claude.latency_seconds)
        if reply.until is not None:
            self._claude.pause(None, reply.until)
        try:
            self._send(reply)
        except OSError:
            self._claude.hung_up.set()
            self.close_connection = True

    @property
    def _claude(self) -> Any:
        return cast("ClaudeHttp", self.server).claude

    def _send(self, reply: Any) -> None:
        body = reply.raw or b""
        fields = {"content-type": "application/json", "request-id": "req_011CLoopback", **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} Reply", *(f"{name}: {value}" for name, value in fields.items())]
        head = "\r\n".join([*lines, f"content-length: {len(body)}", "", ""]).encode()
        self.close_connection = reply.pace != "at once"
        match reply.pace:
            case "at once":
                self.wfile.write(head + body)
            case "cut body":
                self.wfile.write(head + body[: len(body) // 2])
            case "drip headers":
                self._drip(head + body)
            case "drip body":
                self.wfile.write(head)
                self._drip(body)
            case "hang":
                self._wait_for_the_other_side()

    def _drip(self, data: bytes) -> None:
        for byte in data:
            if self._claude.is_closing:
                return
            self.wfile.write(bytes([byte]))
            self._claude.pause(DRIP_SECONDS)

    def _wait_for_the_other_side(self) -> None:
        # It has sent all that it had to send, so the next thing to be read is the end of its connection.
        if not self.connection.recv(1) and not self._claude.is_closing:
            self._claude.hung_up.set()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - The name is http.server's.
        pass
