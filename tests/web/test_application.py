"""Behaviour common to all responses: compression, the public address, and the key that signs cookies."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from app.errors import SettingsError
from app.services import Services
from app.settings import Settings
from app.web.application import create_app, secret_key

KEY = Path("instance/secret_key")

GZIP = {"Accept-Encoding": "gzip, deflate, br"}
STYLE = "/static/admin.css"


def test_a_page_travels_compressed_and_is_the_same_page(client: FlaskClient) -> None:
    plain, packed = client.get("/phone"), client.get("/phone", headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
    assert gzip.decompress(packed.data).startswith(plain.data[:200])
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]


def test_the_length_of_a_page_tells_nothing_of_its_token(client: FlaskClient) -> None:
    lengths = {len(client.application.test_client().get("/admin/login", headers=GZIP).data) for _ in range(20)}
    assert len(lengths) > 5


def test_a_style_that_the_browser_has_is_not_sent_again(client: FlaskClient) -> None:
    first = client.get(STYLE, headers=GZIP, buffered=True)
    assert gzip.decompress(first.data) == client.get(STYLE, buffered=True).data
    again = client.get(STYLE, headers={**GZIP, "If-None-Match": first.headers["ETag"]}, buffered=True)
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    ("path", "headers", "status", "length"),
    [
        (f"/admin?words={'x' * 1_500}", GZIP, 308, 0),
        ("/health", GZIP, 200, None),
        (STYLE, {**GZIP, "Range": "bytes=0-4999"}, 206, 5000),
        (STYLE, {"Accept-Encoding": "gzip;q=0, br"}, 200, None),
    ],
)
def test_what_leads_on_a_short_answer_a_part_of_a_file_and_a_client_that_wants_it_plain_are_let_be(
    client: FlaskClient, path: str, headers: dict[str, str], status: int, length: int | None
) -> None:
    answer = client.get(path, headers=headers, buffered=True)
    assert answer.status_code == status
    assert "Content-Encoding" not in answer.headers
    assert length is None or len(answer.data) == length


@pytest.mark.parametrize("host", ["keepsake.example.org", "evil.example"])
@pytest.mark.parametrize(
    ("public_url", "asked", "led_to"),
    [
        ("https://keepsake.example.org", "/admin", "/admin/"),
        ("https://keepsake.example.org", "/admin//people?words=Al", "/admin/people?words=Al"),
        ("https://keepsake.example.org/mine", "/mine/admin", "/mine/admin/"),
    ],
)
def test_an_address_without_its_slash_leads_on_by_the_path_alone_so_that_https_stays_https(
    services: Services, host: str, public_url: str, asked: str, led_to: str
) -> None:
    settings = services.settings.model_copy(update={"public_url": public_url})
    app = create_app(services=replace(services, settings=settings))
    answer = app.test_client().get(asked, headers={"Host": host})
    assert (answer.status_code, answer.headers["Location"]) == (308, led_to)
    assert host not in answer.text


def test_the_key_that_signs_cookies_is_the_one_that_is_given_or_made_once_whoever_asks_first() -> None:
    given = "0123456789abcdef" * 2
    assert secret_key(Settings(secret_key=given)) == given
    assert not KEY.exists()
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: secret_key(Settings()), range(32)))
    assert keys == {KEY.read_text()}
    assert len(keys.pop()) == 64


def test_a_file_of_the_key_left_empty_is_filled_and_a_short_key_in_it_is_refused() -> None:
    KEY.parent.mkdir()
    KEY.touch()
    assert secret_key(Settings()) == KEY.read_text() != ""
    KEY.write_bytes(b"\xff\xfechangeme")
    with pytest.raises(SettingsError, match="instance/secret_key") as raised:
        secret_key(Settings())
    assert "changeme" not in str(raised.value)
    assert KEY.read_bytes() == b"\xff\xfechangeme"
