"""The doctor says what the world sees of our own pages, through a real nginx."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.proxies import HTTP_1_1, SITE, handed_on
from tests.serving import Serving
from tests.twilio_server import ACCOUNT_SID, AUTH_TOKEN, NUMBER

TWILIO = {"TWILIO_ACCOUNT_SID": ACCOUNT_SID, "TWILIO_AUTH_TOKEN": AUTH_TOKEN, "TWILIO_FROM": NUMBER}
IS_CLOSED = "{} is closed to visitors without a login or a token (403)."
IS_OPEN = "{} is open to everybody. Let the proxy hand it on to this Keepsake alone."


@pytest.mark.parametrize(
    ("of_the_server", "phone", "metrics"),
    [
        (TWILIO | {"PUBLIC_URL": f"https://{SITE}"}, ("ok", IS_CLOSED), ("ok", IS_CLOSED)),
        # Started before PUBLIC_URL was set: this nginx makes every visitor look like the machine itself.
        (TWILIO, ("ok", IS_CLOSED), ("bad", IS_OPEN)),
        ({}, ("bad", IS_OPEN), ("bad", IS_OPEN)),
    ],
    ids=["all closed", "metrics open", "all open"],
)
def test_what_a_visitor_gets_through_nginx_is_told(
    run: Run, tmp_path: Path, of_the_server: dict[str, str], phone: tuple[str, str], metrics: tuple[str, str]
) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    with (
        Serving(folder, **of_the_server) as keepsake,
        handed_on(HTTP_1_1)(keepsake.port) as port,
    ):
        address = f"http://127.0.0.1:{port}"
        result = run("doctor", "--json", PUBLIC_URL=address)
    found = [one for one in json.loads(result.stdout) if one["check"] == "outside"]
    assert [(one["level"], one["says"]) for one in found] == [
        (level, says.format(f"{address}{page}")) for page, (level, says) in (("/phone", phone), ("/metrics", metrics))
    ]
