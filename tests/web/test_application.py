"""What the whole application does for each answer: its address, and the key that signs cookies."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import SettingsError
from app.services import Services
from app.settings import Settings
from app.web.application import create_app, secret_key

KEY = Path("instance/secret_key")


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
    KEY.write_text("changeme")
    with pytest.raises(SettingsError, match="instance/secret_key") as raised:
        secret_key(Settings())
    assert "changeme" not in str(raised.value)
    assert KEY.read_text() == "changeme"
