"""Outsiders get nobody's words behind any proxy, while Twilio gets through.

`KEEPSAKE_CAPTURE=1 pytest tests/test_proxies.py` writes the table of `docs/deploying.md` anew. Read the difference.
"""

import html
import http.client
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from tests.forking import ROOT
from tests.proxies import DEPLOYED, PROXIES, SITE
from tests.serving import START_SECONDS, Serving
from tests.twilio_server import PERSON, TwilioServer, inbound_form, sign

PUBLIC_URL = f"https://{SITE}"
HOSTS = (SITE, "localhost")
"""The site's name, and the name by which a visitor may pretend to be local."""
PASSWORD = "violet harbour lamp"
WORDS = ("Bramble", "saxophone", PERSON, PERSON[1:])  # Words and number of the one person who has texted.
PAGE = f"/phone?number=%2B{PERSON[1:]}"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

DOCUMENT = ROOT / "docs" / "deploying.md"
HEAD = (
    "| proxy | `Host` | `/phone?number=…` | a text by the phone page | `/metrics` | `/admin/` | `/sms` unsigned "
    "| `/sms` signed | `/ready` |\n|---|---|---|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True)
class Answer:
    """A whole HTTP response."""

    status: int
    headers: list[tuple[str, str]]
    body: str

    def __str__(self) -> str:
        return str(self.status) if self.body or self.status != 200 else "200, empty"


class Visitor:
    """An outsider, who may send any `Host` header."""

    def __init__(self, port: int, host: str) -> None:
        self.port = port
        self.host = host
        self.cookies: dict[str, str] = {}

    def ask(
        self, method: str, path: str, form: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        said = {"Host": self.host, "Connection": "close", **(headers or {}), **(FORM if form else {})}
        if self.cookies:
            said["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)) as connection:
            connection.request(method, path, urlencode(form) if form else None, said)
            response = connection.getresponse()
            answer = Answer(response.status, response.getheaders(), response.read().decode())
        for name, value in answer.headers:
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
        return answer

    def text_as_twilio(self, body: str) -> Answer:
        form = inbound_form(body)
        return self.ask("POST", "/sms", form, {"X-Twilio-Signature": sign(f"{PUBLIC_URL}/sms", form)})

    def log_in(self) -> None:
        page = self.ask("GET", "/admin/login").body
        token = re.search(r'name="csrf_token" value="([^"]+)"', page)
        assert token is not None
        form = {"csrf_token": html.unescape(token[1]), "name": "operator", "password": PASSWORD}
        assert self.ask("POST", "/admin/login", form, {"Origin": PUBLIC_URL}).status == 303


@pytest.fixture(scope="module")
def keepsake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Keepsake on Twilio's stand-in, with an owner and one person who has texted."""
    folder = tmp_path_factory.mktemp("keepsake")
    with TwilioServer() as twilio, Serving.live(folder, twilio, ADMIN_PASSWORD=PASSWORD) as serving:
        here = Visitor(serving.port, SITE)
        assert here.text_as_twilio("I have a dog named Bramble. I play the saxophone.").status == 200
        twilio.wait_for(1, START_SECONDS)
        yield serving


def outsiders(visitor: Visitor, intrusion: str) -> list[Answer]:
    """Responses to an outsider without a login who tries to text as the person, in the order of the table."""
    form = {"from": PERSON, "sid": f"SM{uuid4().hex}", "body": intrusion}
    return [
        visitor.ask("GET", PAGE),
        visitor.ask("POST", "/phone/texts", form),
        visitor.ask("GET", "/metrics"),
        visitor.ask("GET", "/admin/"),
        visitor.ask("POST", "/sms", inbound_form(intrusion)),
        visitor.text_as_twilio("Hello"),
        visitor.ask("GET", "/ready"),
    ]


def rows_of(table: str) -> dict[str, str]:
    """Lines of the table by proxy, in order."""
    rows: dict[str, str] = {}
    for line in table.removeprefix(HEAD).splitlines():
        proxy = line.removeprefix("| ").partition(" | ")[0]
        rows[proxy] = f"{rows.get(proxy, '')}{line}\n"
    return rows


def documented() -> str:
    """The table in the document."""
    found = re.findall(re.escape(HEAD) + r"(?:\|.*\n)*", DOCUMENT.read_text())
    assert len(found) == 1
    return str(found[0])


def capture(proxy: str, row: str) -> None:
    """Write the measured row into the document."""
    before = documented()
    rows = rows_of(before) | {proxy: row}
    table = HEAD + "".join(rows[name] for name in PROXIES if name in rows)
    DOCUMENT.write_text(DOCUMENT.read_text().replace(before, table))


def texts_of(keepsake: Serving, body: str) -> int:
    with closing(sqlite3.connect(keepsake.database)) as database:
        return int(database.execute("SELECT count(*) FROM messages WHERE body = ?", (body,)).fetchone()[0])


INSIDE = ("/phone", "/phone/", "/phone/events", "/PHONE", "//phone", "/./phone", "/%70hone", "/metrics/")
OUTSIDE = ("/health", "/ready", "/admin/login")


@pytest.mark.parametrize("proxy", PROXIES)
def test_an_outsider_gets_what_the_document_says_and_nobodys_words_and_an_owner_the_phone_page_if_it_is_handed_on(
    keepsake: Serving, proxy: str
) -> None:
    intrusion = f"Tell me all that you know, by {proxy}"
    with PROXIES[proxy](keepsake.port) as port:
        answers = {host: outsiders(Visitor(port, host), intrusion) for host in HOSTS}
        owner = Visitor(port, SITE)
        owner.log_in()
        page_of_the_owner = owner.ask("GET", PAGE)
        found = {path: Visitor(port, SITE).ask("GET", path).status for path in (*INSIDE, *OUTSIDE)}
    for answer in [*answers[SITE], *answers["localhost"]]:
        assert not any(word in answer.body or word in str(answer.headers) for word in WORDS), answer
        assert "keepsake_ready" not in answer.body
    page, text, metrics, admin, unsigned, signed, ready = answers[SITE]
    assert {answer.status for answer in (page, text, metrics, unsigned)} <= {403, 404}
    assert "/admin/login" in dict(admin.headers)["Location"]
    assert (signed.status, ready.status) == (200, 200)
    assert texts_of(keepsake, intrusion) == 0
    assert {found[path] for path in OUTSIDE} == {200}
    if proxy in DEPLOYED:
        assert {found[path] for path in INSIDE} == {404}, "kept inside, however they are written"
    else:
        assert (page_of_the_owner.status, "Bramble" in page_of_the_owner.body) == (200, True)

    row = "".join(f"| {proxy} | `{host}` | {' | '.join(str(answer) for answer in answers[host])} |\n" for host in HOSTS)
    if os.environ.get("KEEPSAKE_CAPTURE"):
        capture(proxy, row)
    assert rows_of(documented())[proxy] == row


def test_the_document_has_every_proxy_that_was_tried_and_no_other() -> None:
    assert list(rows_of(documented())) == list(PROXIES)


def test_the_readme_leads_to_the_files_that_were_tried() -> None:
    readme = (ROOT / "README.md").read_text()
    assert all(f"](deploy/{name})" in readme for name in ("nginx.conf", "Caddyfile"))
