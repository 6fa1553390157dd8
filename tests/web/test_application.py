"""Addresses that are almost those of the pages."""

from dataclasses import replace

import pytest

from app.services import Services
from app.web.application import create_app


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
