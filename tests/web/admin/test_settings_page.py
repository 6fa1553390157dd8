"""Settings in force with their sources, the doctor's findings, the money left, and a preview of the model's context."""

import html
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app import memory, operators
from app.clients.claude import ClaudeModel
from app.conversation import budget
from app.conversation.context import preview
from app.memory import NewFact, Origin, RuleWords
from app.models import Spending
from app.services import Services
from app.settings import Settings
from app.text.secrets import is_secret
from app.web.application import create_app
from tests.claude_server import ClaudeServer, say
from tests.conftest import MakeServices
from tests.fakes import InlineBackground
from tests.phoning import Phone
from tests.twilio_account_server import API_KEY, API_SECRET, TwilioAccountServer
from tests.twilio_server import twilio_settings
from tests.web.admin.conftest import PASSWORD, Browser, in_words
from tests.web.admin.scenes import Someone, add_person

BY_PERSON = Origin("person", "explicit")
SECRETS = {
    "ANTHROPIC_API_KEY": "the-claude-key",
    "ANTHROPIC_BASE_URL": "https://me:the-gateway-password@gateway.example.org",
    "METRICS_TOKEN": "0123456789abcdefghijklmnopqrstuvwxyz",
    "MCP_SERVERS": '[{"name": "home", "url": "http://127.0.0.1:8123/mcp", "token": "the-home-token"}]',
}


def rows(page: str) -> dict[str, str]:
    """The words beside each setting."""
    found = re.findall(r'<th scope="row"><code>(\w+)</code></th>(.*?)</tr>', page, re.DOTALL)
    return {name: in_words(rest) for name, rest in found}


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("PORT=9000\nCLAUDE_MODEL=claude-x\n")
    for name, value in {**SECRETS, "CLAUDE_MODEL": "claude-y"}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Settings:
    """Read as at a start, where a test asks for what is `given`."""
    if "given" in request.fixturenames:
        request.getfixturevalue("given")
    return Settings(workers=4)


@pytest.mark.usefixtures("given")
def test_each_setting_has_its_value_and_origin_and_a_secret_only_whether_it_is_set(operator: Browser) -> None:
    page = operator.get("/settings")
    found = rows(page)
    assert set(found) == {name.upper() for name in Settings.model_fields}
    expected = {
        "PORT": "9000 .env",
        "CLAUDE_MODEL": "claude-y environment",
        "WORKERS": "4 command line",
        "SECRET_KEY": "set made at the first start",
        "HISTORY_MAX_TOKENS": "6000 default",
        "PUBLIC_URL": "http://127.0.0.1:9000 default",
        "ACCESS": "open default",
        "ANTHROPIC_BASE_URL": "https://…@gateway.example.org environment",
        **dict.fromkeys(("ANTHROPIC_API_KEY", "MCP_SERVERS", "METRICS_TOKEN"), "set environment"),
        **dict.fromkeys(("OPENAI_API_KEY", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"), "not set default"),
    }
    assert {name: found[name] for name in expected} == expected
    for secret in ("the-claude-key", "the-gateway-password", "the-home-token", SECRETS["METRICS_TOKEN"]):
        assert secret not in page
    assert 'aria-current="page">Settings</a>' in page
    for name in ("Prompts", "Security", "Operators"):
        assert f">{name}</a>" in page


@pytest.mark.sqlite
def test_what_is_amiss_here_is_found_at_once_and_nobody_is_asked(operator: Browser, claude: ClaudeServer) -> None:
    page = operator.read("/settings")
    assert "ok settings every setting is well formed." in page
    assert "ok pragmas journal_mode=wal" in page
    assert "pages whole" not in page
    assert claude.requests == []
    Path("instance/keepsake.db").chmod(0o644)
    page = operator.read("/settings")
    assert "Fix permissions others on this machine can read what people wrote." in page


def test_others_are_asked_by_hand(make_services: MakeServices, claude: ClaudeServer, claude_model: ClaudeModel) -> None:
    with TwilioAccountServer() as account:
        settings = twilio_settings(
            twilio_api_url=account.url,
            twilio_api_key=API_KEY,
            twilio_api_secret=API_SECRET,
            anthropic_api_key="the-claude-key",
            embeddings="none",
        )
        changed = make_services(settings=settings, model=claude_model)
        browser = logged_in(changed)
        answer = browser.post("/settings/ask")
    page = in_words(answer.text)
    assert answer.status_code == 200
    assert "account" in page
    assert "ok account Twilio knows the account and the auth token." in page
    assert "model" in page
    assert "ok EMBEDDINGS none: memory is searched by words alone." in page
    assert ("ok pages whole." in page) is settings.is_sqlite  # A server looks after its own.
    assert "Ask again" in page


def logged_in(services: Services) -> Browser:
    app = create_app(services=services)
    app.testing = True
    operators.ensure_first(services, PASSWORD)
    browser = Browser(app)
    browser.log_in()
    browser.looks_at_all = services
    return browser


def test_the_day_has_what_was_spent_and_by_whom_most(operator: Browser, services: Services, alex: Someone) -> None:
    assert "Nothing is spent today." in operator.get("/settings")
    mia = add_person(services, "+13125550200", name="Mia")
    now = services.clock.now()
    today = budget.budget_day(services, now)
    with services.transaction() as db:
        for person, cents in ((alex, 10.0), (mia, 30.5), (alex, 2.0)):
            db.add(Spending(day=today, person_id=person.id, cents=cents, at=now, is_settled=True))
    page = operator.read("/settings")
    assert "42.5 ¢ of $5.00" in page
    assert "Mia 30.5 ¢ 30% Alex 12 ¢ 12%" in page


def test_what_is_never_kept_is_shown_as_the_program_has_it(operator: Browser) -> None:
    page = html.unescape(operator.get("/settings"))
    for pattern in re.findall(r'<pre tabindex="0">(.*?)</pre>', page, re.DOTALL):
        re.compile(pattern)
    assert page.count('<pre tabindex="0">') == 6
    assert "passphrase" in page
    assert is_secret("My alarm code is 4711")


def everything(services: Services) -> dict[str, Any]:
    """All rows of the tables that a turn writes to."""
    with services.reading() as db:
        tables = ("facts", "rules", "turns", "messages", "conversations", "spendings", "episodes", "changes", "people")
        return {table: db.execute(text(f"SELECT * FROM {table}")).all() for table in tables}


def test_a_prompt_is_shown_as_the_next_turn_would_send_it(
    make_services: MakeServices, background: InlineBackground, claude: ClaudeServer, claude_model: ClaudeModel
) -> None:
    services = make_services(model=claude_model)
    phone = Phone(services, background)
    claude.queue(say("Hello Alex!"), say("Sure."))
    phone.text("Hi there")
    person = phone.person()
    memory.remember(services, person.id, [NewFact("Is allergic to walnuts", "health")], BY_PERSON)
    memory.set_rule(services, person.id, RuleWords("always", None, "Keep answers short"), BY_PERSON)
    before = everything(services)
    _, made = preview(services, person.id)
    head = made.said[0]["content"][0]["text"]
    page = logged_in(services).get(f"/settings/prompt/{person.id}")
    assert everything(services) == before
    assert len(claude.requests) == 1

    phone.text("Hi again")
    sent = claude.requests[-1]
    assert sent["system"] == made.system
    assert sent["messages"][-1]["content"][0]["text"] == head
    assert len(sent["messages"]) - 1 == len(made.history)
    assert sent["tools"] == made.tools
    assert "Is allergic to walnuts." in page
    assert html.escape(head).replace("&#x27;", "&#39;") in page
