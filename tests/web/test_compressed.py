"""What a browser that takes gzip gets, and one that does not."""

import gzip

from flask import Flask
from flask.testing import FlaskClient

GZIP = {"Accept-Encoding": "gzip, deflate, br"}
STYLE = "/static/admin.css"


def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_a_page_travels_compressed_and_is_the_same_page(app: Flask) -> None:
    plain = client(app).get("/phone")
    packed = client(app).get("/phone", headers=GZIP)

    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
    assert gzip.decompress(packed.data).startswith(plain.data[:200])
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]


def test_the_length_of_a_page_tells_nothing_of_its_token(app: Flask) -> None:
    lengths = {len(client(app).get("/admin/login", headers=GZIP).data) for _ in range(20)}

    assert len(lengths) > 5


def test_a_style_that_the_browser_has_is_not_sent_again(app: Flask) -> None:
    first = client(app).get(STYLE, headers=GZIP, buffered=True)
    assert gzip.decompress(first.data) == client(app).get(STYLE, buffered=True).data

    again = client(app).get(STYLE, headers={**GZIP, "If-None-Match": first.headers["ETag"]}, buffered=True)

    assert (again.status_code, again.data) == (304, b"")


def test_what_leads_on_has_nothing_to_unpack_however_long_its_address_is(app: Flask) -> None:
    answer = client(app).get(f"/admin?words={'x' * 1_500}", headers=GZIP)

    assert (answer.status_code, answer.data) == (308, b"")
    assert "Content-Encoding" not in answer.headers


def test_a_short_answer_a_part_of_a_file_and_a_client_that_wants_it_plain_are_let_be(app: Flask) -> None:
    assert "Content-Encoding" not in client(app).get("/health", headers=GZIP).headers
    part = client(app).get(STYLE, headers={**GZIP, "Range": "bytes=0-4999"}, buffered=True)
    assert (part.status_code, len(part.data)) == (206, 5000)
    assert "Content-Encoding" not in part.headers
    assert (
        "Content-Encoding"
        not in client(app).get(STYLE, headers={"Accept-Encoding": "gzip;q=0, br"}, buffered=True).headers
    )
