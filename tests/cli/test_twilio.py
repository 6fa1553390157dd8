"""`keepsake twilio connect`: shown first, then set, at Twilio's API itself."""

from collections.abc import Callable, Iterator

import pytest
from click.testing import Result

from tests.cli.conftest import Run
from tests.twilio_account_server import API_SECRET, Service, TwilioAccountServer, sid_of
from tests.twilio_server import AUTH_TOKEN, NUMBER, PUBLIC_URL

TEXTS = f"{PUBLIC_URL}/sms#rc=3&rp=all&rt=5000&tt=15000"
CALLS = f"{PUBLIC_URL}/voice"
OTHER = "+14155559999"
OLD = "https://old.example.org/hook"
DEMO = "https://demo.twilio.com/welcome/voice/"
Connect = Callable[..., Result]


@pytest.fixture
def account() -> Iterator[TwilioAccountServer]:
    with TwilioAccountServer() as server:
        server.number = {"sms_url": OLD, "sms_method": "GET", "sms_fallback_url": "", "voice_url": DEMO}
        yield server


@pytest.fixture
def connect(run: Run, account: TwilioAccountServer, monkeypatch: pytest.MonkeyPatch) -> Connect:
    def connect(*options: str, answer: str | None = None, **environment: str) -> Result:
        for name, value in (account.environment() | environment).items():
            monkeypatch.setenv(name, value)
        result = run("twilio", "connect", *options, input=answer)
        assert AUTH_TOKEN not in result.output
        assert API_SECRET not in result.output
        return result

    return connect


def test_what_would_be_changed_is_shown_and_neither_a_dry_run_nor_anything_but_a_yes_changes_it(
    connect: Connect, account: TwilioAccountServer
) -> None:
    shown = connect("--dry-run")
    assert shown.exit_code == 0, shown.output
    for line in (
        f"the number {NUMBER}:",
        f"  sms_url: {OLD} -> {TEXTS}",
        "  sms_method: GET -> POST",
        f"  sms_fallback_url: (none) -> {TEXTS}",
        f"  voice_url: {DEMO} -> {CALLS}",
        "Nothing was changed.",
    ):
        assert line in shown.stdout.splitlines()
    for answer in ("n\n", ""):
        assert connect(answer=answer).exit_code == 1
    assert account.set == []


@pytest.mark.parametrize(("options", "answer", "shows"), [((), "y\n", True), (("--yes",), None, False)])
def test_a_number_is_set_to_bring_texts_and_calls_to_try_again_and_to_no_application(
    connect: Connect, account: TwilioAccountServer, options: tuple[str, ...], answer: str | None, *, shows: bool
) -> None:
    assert account.number is not None
    account.shows_services = shows  # A proxy of api.twilio.com alone shows none.
    account.number |= {"sms_application_sid": "AP" + "0" * 32, "voice_application_sid": "AP" + "1" * 32}
    done = connect(*options, answer=answer)
    assert done.exit_code == 0, done.output
    assert f"sms_application_sid: AP{'0' * 32} -> (none)" in done.stdout
    assert ("TWILIO_API_URL shows no Messaging Services" in done.stdout) is not shows
    expected = {
        "sms_url": TEXTS,
        "sms_method": "POST",
        "sms_fallback_url": TEXTS,
        "sms_fallback_method": "POST",
        "sms_application_sid": "",
        "voice_url": CALLS,
        "voice_method": "POST",
        "voice_application_sid": "",
    }
    assert expected.items() <= account.number.items()
    assert "Nothing to change" in connect(*options).stdout
    assert len(account.set) == 1


@pytest.mark.parametrize("sender", ["MG", NUMBER])
def test_a_service_is_set_with_its_numbers_calls(connect: Connect, account: TwilioAccountServer, sender: str) -> None:
    account.others = {OTHER: {"sms_url": OLD, "voice_url": ""}}
    service = Service(numbers=[NUMBER, OTHER], inbound_request_url=OLD, use_inbound_webhook_on_number=sender == "MG")
    account.services = [service]
    done = connect("--yes", TWILIO_FROM=service.sid if sender == "MG" else sender)
    assert done.exit_code == 0, done.output
    assert f"  inbound_request_url: {OLD} -> {TEXTS}" in done.stdout
    assert (service.inbound_request_url, service.fallback_url) == (TEXTS, TEXTS)
    assert service.status_callback == f"{PUBLIC_URL}/sms/status"
    assert service.use_inbound_webhook_on_number is False
    assert account.others[OTHER] == {"sms_url": OLD, "voice_url": CALLS, "voice_method": "POST"}
    assert account.number is not None
    assert account.number["sms_url"] == OLD, "its service brings its texts"
    changed = {path.rpartition("/")[2] for path, _ in account.set}
    assert changed == {service.sid, *(f"{sid_of(number)}.json" for number in (NUMBER, OTHER))}


def test_what_cannot_be_connected_is_refused_at_once(run: Run, connect: Connect, account: TwilioAccountServer) -> None:
    assert "Set TWILIO_ACCOUNT_SID" in run.refusal("twilio", "connect")
    private = ("localhost", "127.0.0.1:8080", "192.168.1.5", "[fd00::1]", "keepsake.local", "keepsake")
    for address in ("", "http://keepsake.example.org", *(f"https://{host}" for host in private)):
        refused = connect("--yes", PUBLIC_URL=address)
        assert refused.exit_code == 1
        assert "no https address that the world can reach. Set PUBLIC_URL" in refused.stderr
    assert (account.paths, account.set) == ([], [])


def test_a_password_in_an_address_is_set_and_not_shown(connect: Connect, account: TwilioAccountServer) -> None:
    done = connect("--yes", PUBLIC_URL="https://twilio:open-sesame@keepsake.example.org")
    assert "open-sesame" not in done.output
    assert "https://…@keepsake.example.org/sms#rc=3" in done.stdout
    assert account.number is not None
    assert str(account.number["sms_url"]).startswith("https://twilio:open-sesame@keepsake.example.org/sms#")


def test_a_sender_that_is_not_there_is_refused_with_the_way(connect: Connect, account: TwilioAccountServer) -> None:
    account.number = None
    for sender in (NUMBER, "whatsapp:+12065550100"):
        refused = connect("--yes", TWILIO_FROM=sender)
        assert refused.exit_code == 1
        assert f"does not show {sender}" in refused.stderr
        assert f"In Twilio's console, set its webhook and its fallback to {PUBLIC_URL}/sms, POST" in refused.stderr


def test_a_refusal_of_twilios_is_said_with_what_to_look_at(connect: Connect, account: TwilioAccountServer) -> None:
    account.refuses_to_set = True
    compare = "Compare the TWILIO_ settings with Twilio's console."
    assert f"Twilio refused (HTTP 400, error 20001). {compare}" in connect("--yes").stderr
    assert f"Twilio refused (HTTP 404, error 20404). {compare}" in connect("--yes", TWILIO_FROM="MG" + "9" * 32).stderr
    wrong_key = "Twilio refused (HTTP 401, error 20003). TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN or the API key is wrong"
    assert wrong_key in connect("--yes", TWILIO_API_SECRET="another").stderr
