"""The doctor looks at our own pages as the world sees them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from app.operations.checks.settings import check_from_outside
from app.settings import Settings
from app.wiring import visit


@contextmanager
def site(statuses: dict[str, int]) -> Iterator[str]:
    """A public address that answers each path with its status."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(statuses[self.path])
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - The name is http.server's.
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("phone", "metrics", "levels"),
    [(200, 200, ["bad", "bad"]), (403, 200, ["ok", "bad"]), (403, 401, ["ok", "ok"])],
)
def test_what_a_visitor_without_a_login_gets_is_told(phone: int, metrics: int, levels: list[str]) -> None:
    with site({"/phone": phone, "/metrics": metrics}) as address:
        found = list(check_from_outside(Settings.model_validate({"public_url": address}), visit))
    assert [one.level for one in found] == levels
    assert all(address in one.says for one in found)


def test_an_address_that_cannot_be_reached_is_no_fault() -> None:
    settings = Settings.model_validate({"public_url": "http://127.0.0.1:9"})
    found = list(check_from_outside(settings, visit))
    assert [one.level for one in found] == ["warn", "warn"]
    assert "cannot be reached from here" in found[0].says


def test_without_a_public_address_nobody_is_asked() -> None:
    assert list(check_from_outside(Settings(), visit)) == []
