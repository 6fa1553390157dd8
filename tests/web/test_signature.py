"""The webhooks accept only requests that Twilio signed for our address."""

import itertools
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask, Request
from twilio.request_validator import RequestValidator
from werkzeug.test import EnvironBuilder

from app.jobs import beat
from app.operations.alerts import open_alerts
from app.services import Services
from app.web.sms import Form, is_genuine, raw_target, signed_form
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.loopback import served
from tests.tables import rows
from tests.twilio_server import AUTH_TOKEN, inbound_form, sign, twilio_settings

FORM = inbound_form("Hi there")
SIGNED = Path(__file__).parents[1] / "data" / "signed_urls.tsv"


def passes(form: Form | None = None, /, *, signature: str | None, target: str = "/sms", **given: str) -> bool:
    """True if a request for `target` passes, with this form or the usual one."""
    settings = twilio_settings(**{"public_url": "https://x.org", **given})
    return is_genuine(
        settings, raw_target=target, form=Form.of(FORM.items()) if form is None else form, signature=signature
    )


def genuine(url: str, target: str, *, public_url: str = "https://x.org", form: dict[str, str] = FORM) -> bool:
    """True if a request for `target`, signed for `url`, passes."""
    return passes(Form.of(form.items()), signature=sign(url, form), target=target, public_url=public_url)


@pytest.mark.parametrize("row", SIGNED.read_text("utf-8").splitlines()[1:])
def test_r6_a_request_that_twilio_signed_for_our_address_is_genuine(row: str) -> None:
    public_url, url, target = row.split("\t")
    assert genuine(url, target, public_url=public_url)


@pytest.mark.parametrize("row", SIGNED.with_name("signed_for_others.tsv").read_text("utf-8").splitlines())
def test_r6_a_signature_for_another_address_is_not(row: str) -> None:
    url, target = row.split("\t")
    assert not genuine(url, target)


@pytest.mark.parametrize(
    "change",
    [
        {"Body": "Hi there "},
        {"Body": "hi there"},
        {"From": "+14155550124"},
        *({"New": ""}, {"Body": "\ud800"}, {"Body\udfff": "x"}, {"Body": None}),
    ],
)
def test_r5_a_form_that_was_changed_is_not_genuine_and_no_word_of_it_is_logged(
    change: dict[str, str | None], caplog: pytest.LogCaptureFixture
) -> None:
    form = Form.of((name, value) for name, value in {**FORM, **change}.items() if value is not None)
    assert not passes(form, signature=sign("https://x.org/sms", FORM))
    assert not any(secret in caplog.text for secret in (AUTH_TOKEN, FORM["Body"], FORM["From"]))


def test_r7_repeated_fields_are_checked_with_all_their_values() -> None:
    signature = sign("https://x.org/sms", {"A": ["2", "1"], "B": "3"})
    assert passes(Form({"A": ["1", "2"], "B": ["3"]}), signature=signature)
    assert not passes(Form({"A": ["1"], "B": ["3"]}), signature=signature)


@pytest.mark.parametrize(("environ", "target"), rows("request_targets.jsonl"))
def test_r6_path_and_query_are_taken_as_they_came(environ: dict[str, str], target: str) -> None:
    base = EnvironBuilder("/").get_environ()
    for name in ("REQUEST_URI", "RAW_URI", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING"):
        base.pop(name, None)
    assert raw_target(Request(base | environ)) == target


@pytest.fixture
def door(make_services: MakeServices) -> Flask:
    """An app of one route behind the signature check."""
    app = Flask("door")
    app.extensions["services"] = make_services(settings=twilio_settings(public_url="https://x.org", **SHARED))

    @app.post("/sms")
    def sms() -> str:
        signed_form()
        return "let in"

    return app


@pytest.fixture
def exchange(door: Flask) -> Iterator[Callable[[bytes], bytes]]:
    """Sends raw bytes to the door behind the real server on loopback, and returns the answer."""
    with served(door) as port:

        def send(sent: bytes) -> bytes:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                connection.sendall(sent)
                return b"".join(iter(lambda: connection.recv(65536), b""))

        yield send


def test_r6_on_the_wire_only_the_request_line_counts_and_no_header_nor_a_question_mark_that_nothing_follows(
    exchange: Callable[[bytes], bytes],
) -> None:
    body = b"AccountSid=" + FORM["AccountSid"].encode() + b"&Body=hi%20there+%C3%A9"
    form = {"AccountSid": FORM["AccountSid"], "Body": "hi there é"}
    forged = "X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n"
    requests = [
        *((target, f"https://x.org{target}") for target in ("/sms?a=%7E", "/sms?a=b%20c+d&e=%C3%A9")),
        *((target, f"https://x.org{sms}") for target in ("/sms", "/sms?") for sms in ("/sms", "/sms?")),
        *((target, "https://x.org:443/sms?") for target in ("/sms", "/sms?")),
    ]
    for (target, url), more in itertools.product(requests, ("", forged)):
        for signed, status in ((url, b"HTTP/1.1 200"), (url.replace("x.org", "evil.example"), b"HTTP/1.1 403")):
            head = (
                f"POST {target} HTTP/1.1\r\nHost: internal:8000\r\nConnection: close\r\n"
                f"Content-Length: {len(body)}\r\n{more}"
                f"Content-Type: application/x-www-form-urlencoded; charset=utf-8\r\n"
                f"X-Twilio-Signature: {sign(signed, form)}\r\n\r\n"
            )
            assert exchange(head.encode() + body).startswith(status), (target, signed, more)


@pytest.mark.parametrize("body", [b"", b"%", b"Body=%ED%A0%80", b"Body=\xff\xfe", b"=&=&&&", b"a" * 100_000])
@pytest.mark.parametrize("signature", [None, b"", b"\xff\xfe", b"A" * 27 + b"=", b"A" * 10_000])
def test_r5_whatever_is_posted_unsigned_is_403(door: Flask, body: bytes, signature: bytes | None) -> None:
    headers = [] if signature is None else [("X-Twilio-Signature", signature.decode("latin-1"))]
    answer = door.test_client().post(
        "/sms", data=body, headers=headers, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 403


SHARED = {"twilio_shared_keys": "key_new=a-shared-secret,key_next=another-secret"}
ROTATED = {"twilio_auth_token": "the-new-token", "twilio_old_auth_tokens": f"{AUTH_TOKEN}, an-older-one"}


@pytest.mark.parametrize("token", ["the-new-token", AUTH_TOKEN, "an-older-one", "one-taken-out"])
def test_r10_while_the_auth_token_is_changed_the_new_one_and_the_old_ones_pass(token: str) -> None:
    signature = sign("https://x.org/sms", FORM, token)
    assert passes(signature=signature, **ROTATED) == (token != "one-taken-out")


def sign_shared(secret: str, algorithm: str = "HMAC_SHA256", form: dict[str, str] = FORM) -> str:
    return str(RequestValidator(secret).compute_signature("https://x.org/sms", Form.of(form.items()), algorithm))


@pytest.mark.parametrize(
    ("named", "secret", "algorithm", "is_let_in"),
    [
        ("key=key_new,algorithm=HMAC_SHA256", "a-shared-secret", "HMAC_SHA256", True),
        ("algorithm=hmac_sha256, key=key_next", "another-secret", "HMAC_SHA256", True),
        ("algorithm=HMAC_SHA1", AUTH_TOKEN, "HMAC_SHA1", True),
        ("", AUTH_TOKEN, "HMAC_SHA1", True),
        ("key=key_new,algorithm=HMAC_SHA256", "another-secret", "HMAC_SHA256", False),
        ("key=key_new,algorithm=HMAC_SHA256", AUTH_TOKEN, "HMAC_SHA256", False),
        ("key=key_new,algorithm=HMAC_SHA1", "a-shared-secret", "HMAC_SHA1", False),
        ("key=key_new", "a-shared-secret", "HMAC_SHA1", False),
        ("key=key_old,algorithm=HMAC_SHA256", "a-shared-secret", "HMAC_SHA256", False),
        ("key=key_new,algorithm=HMAC_SHA512", "a-shared-secret", "HMAC_SHA256", False),
        ("algorithm=HMAC_SHA256", AUTH_TOKEN, "HMAC_SHA256", False),
        ("key=,algorithm=HMAC_SHA256", "", "HMAC_SHA256", False),
    ],
)
def test_r10_a_shared_key_passes_with_its_hmac_alone(named: str, secret: str, algorithm: str, is_let_in: bool) -> None:
    settings = twilio_settings(public_url="https://x.org", **SHARED)
    signature = sign_shared(secret, algorithm)
    found = is_genuine(settings, raw_target="/sms", form=Form.of(FORM.items()), signature=signature, named=named)
    assert found is is_let_in


def alerts(services: Services) -> list[tuple[str, int]]:
    with services.reading() as db:
        return [(alert.kind, alert.times) for alert in open_alerts(db)]


@pytest.mark.parametrize("named", ["key=unknown,algorithm=HMAC_SHA256", "key=key_new,algorithm=HMAC_SHA512"])
def test_r10_an_unknown_key_or_algorithm_is_403_and_the_operator_is_told_not_each_time(
    door: Flask, services: Services, clock: FrozenClock, named: str, caplog: pytest.LogCaptureFixture
) -> None:
    def post(named: str = named) -> int:
        headers = {"X-Twilio-Signature": sign_shared("a-shared-secret"), "X-Twilio-Webhooks-Signature-Settings": named}
        return door.test_client().post("/sms", data=FORM, headers=headers).status_code

    assert post("key=key_new,algorithm=HMAC_SHA256") == 200
    assert alerts(services) == []
    assert [post() for _ in range(20)] == [403] * 20
    assert alerts(services) == [("webhook_key", 1)]
    clock.advance(minutes=2)
    assert post() == 403
    assert alerts(services) == [("webhook_key", 2)]
    assert not any(word in caplog.text for word in (FORM["Body"], FORM["From"], AUTH_TOKEN, "unknown,"))
    clock.advance(minutes=61)
    beat.run(services)
    assert alerts(services) == []
