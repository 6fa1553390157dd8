"""Fixtures that every test may ask for."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from app.cli.serve import spare_what_is_loaded
from app.clients.claude import ClaudeModel
from app.conversation.turn import answer
from app.delivery.phone import PhoneCarrier
from app.delivery.terminal import TerminalCarrier
from app.delivery.twilio.ledger import TwilioLedger
from app.delivery.twilio.send import TwilioCarrier
from app.services import Services
from app.settings import Settings
from app.store.db import Database, open_database
from app.store.process import Process
from app.store.schema import migrate
from app.web.application import create_app
from tests.claude_server import ClaudeServer, model_at
from tests.fakes import FrozenClock, InlineBackground, plain_model
from tests.line import Line
from tests.twilio_server import PATIENCE_SECONDS, TwilioServer, twilio_settings

pytest_plugins = ["tests.phoning"]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test works in a folder of its own, without the developer's `.env` and settings."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def background(clock: FrozenClock) -> InlineBackground:
    return InlineBackground(clock)


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Settings:
    """The defaults, or with what a test asks for: `@pytest.mark.parametrize("settings", [{…}], indirect=True)`."""
    return Settings(**getattr(request, "param", {}))


@pytest.fixture(scope="session")
def newest_schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as the migrations leave it, to be copied: they take longer than most tests."""
    path = tmp_path_factory.mktemp("newest") / "keepsake.db"
    database = Database(path)
    migrate(database)
    database.close()
    return path


@pytest.fixture
def database(settings: Settings, newest_schema: Path) -> Iterator[Database]:
    database = open_database(settings)
    shutil.copyfile(newest_schema, database.path)
    yield database
    database.close()


@pytest.fixture
def process(database: Database) -> Iterator[Process]:
    process = Process(database.path)
    yield process
    process.close()


@pytest.fixture
def services(
    settings: Settings, database: Database, clock: FrozenClock, background: InlineBackground, process: Process
) -> Services:
    """Everything real but time and threads: the offline model, the phone page as carrier, SQLite in a file."""
    services = Services(
        settings=settings,
        store=database,
        clock=clock,
        model=plain_model(clock),
        carriers={"phone": PhoneCarrier(), "terminal": TerminalCarrier()},
        background=background,
        process=process,
    )
    background.start(partial(answer, services))
    return services


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """What Jinja makes of each page: to make it anew for each app took a quarter of the time of the pages' tests."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(services: Services, compiled_templates: FileSystemBytecodeCache) -> Flask:
    app = create_app(services=services)
    app.jinja_env.bytecode_cache = compiled_templates
    app.testing = True
    return app


MakeServices = Callable[..., Services]


@pytest.fixture
def make_services(services: Services, background: InlineBackground) -> MakeServices:
    """The same services with some replaced; texts are answered with the newest."""

    def make(**changes: object) -> Services:
        changed = replace(services, **{"made": {}, **changes})  # type: ignore[arg-type]
        background.start(partial(answer, changed))
        return changed

    return make


@pytest.fixture
def claude() -> Iterator[ClaudeServer]:
    """Claude's stand-in; nobody asks it who does not take `claude_model` too, or its address."""
    with ClaudeServer() as server:
        yield server


@pytest.fixture
def claude_model(claude: ClaudeServer, clock: FrozenClock) -> Iterator[ClaudeModel]:
    """Claude's real client, which asks the stand-in."""
    with closing(model_at(claude, clock)) as model:
        yield model


@pytest.fixture
def twilio(clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwilioServer]:
    """Twilio's stand-in, in the same time as everything else; `line.twilio` to those who ask for `line`."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")  # Twilio's SDK heeds the proxies of the environment.
    with TwilioServer(now=clock.now) as server:
        yield server


@pytest.fixture
def line(make_services: MakeServices, background: InlineBackground, clock: FrozenClock, twilio: TwilioServer) -> Line:
    """Open to everyone, on the stand-in for Twilio, answered by the offline model."""
    settings = twilio_settings(twilio_api_url=twilio.url, access="open")
    services = make_services(
        settings=settings,
        carriers={"twilio": TwilioCarrier(settings, timeout_seconds=PATIENCE_SECONDS)},
        ledger=TwilioLedger(settings, timeout_seconds=PATIENCE_SECONDS),
    )
    return Line(services, background, clock, twilio)


def pytest_collection_finish() -> None:
    spare_what_is_loaded()  # As `keepsake serve` does: looking through it took a tenth of the suite's time.


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those that take longest begin, so that no worker is left with one of them when all others have ended."""
    items.sort(key=lambda item: not item.path.name.startswith(("test_d_chaos", "test_e_killed")))
