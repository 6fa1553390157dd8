"""Requests that a proxy and the server could read differently are refused, and nothing behind them is answered."""

import socket
from pathlib import Path

import pytest

from tests.serving import Serving

CHUNKED = "Transfer-Encoding: chunked\r\n"
LENGTH = "Content-Length: 5\r\n"


def answered(keepsake: Serving, request: str) -> bytes:
    """All that comes back on one connection until the server ends it."""
    with socket.create_connection(("127.0.0.1", keepsake.port), timeout=20) as connection:
        connection.sendall(request.encode())
        answer = b""
        while more := connection.recv(65536):
            answer += more
    return answer


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (LENGTH + CHUNKED, b"not both"),
        (CHUNKED + LENGTH, b"not both"),
        (LENGTH + "Content-Length: 0\r\n", b"Send Content-Length once."),
    ],
)
def test_a_length_told_in_two_ways_is_refused_and_what_is_smuggled_behind_it_gets_no_answer(
    tmp_path: Path, first: str, says: bytes
) -> None:
    smuggled = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    request = f"POST /sms HTTP/1.1\r\nHost: localhost\r\n{first}\r\n0\r\n\r\n{smuggled}"
    with Serving(tmp_path) as keepsake:
        answer = answered(keepsake, request)
        assert answer.startswith(b"HTTP/1.1 400 Bad Request")
        assert answer.count(b"HTTP/1.1") == 1
        assert says in answer

        whole = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert answered(keepsake, whole).startswith(b"HTTP/1.1 200")
