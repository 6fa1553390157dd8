"""Fixtures that every test may ask for."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import hypothesis
import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import Engine
from sqlalchemy.engine import Dialect
from werkzeug.routing import Rule

from app.cli.serve import freeze_loaded_objects
from app.clients.claude import ClaudeModel
from app.conversation.turn import answer
from app.delivery.twilio.ledger import TwilioLedger
from app.delivery.twilio.send import TwilioCarrier
from app.features import FEATURES
from app.services import Services
from app.settings import Settings
from app.store import open_database
from app.store.db import Database
from app.store.locks import Process
from app.store.postgres import PostgresDatabase
from app.store.schema import migrate
from app.web.application import create_app
from app.wiring import Shown
from tests import postgres
from tests.claude_server import ClaudeServer, model_at
from tests.fakes import FrozenClock, InlineBackground, plain_model
from tests.file_servers import MediaServer
from tests.line import Line
from tests.memory.remembering import add_person
from tests.stores import newest_database
from tests.twilio_server import PATIENCE_SECONDS, TwilioServer, twilio_settings

pytest_plugins = ["tests.phoning", "tests.routines.routine_line", "tests.conversation.recalling"]

IS_WHOLE = bool(os.environ.get("KEEPSAKE_WHOLE"))
ROWS = 2  # Cases per table on PostgreSQL: the cases differ in words, and do the same in the database.
hypothesis.settings.register_profile("untimed", deadline=None)  # By default an example may take 200 ms.
hypothesis.settings.load_profile("untimed")

USUAL_DATABASE = Settings.model_fields["database_url"].default
LONGEST = tuple(f"test_{name}" for name in "admin_looks admin_by_forms e_dst_night d_chaos backup e_killed".split())
HERE = {name: Shown(name) for name in ("phone", "terminal")}
_NUMBERS = count()
_COMPILED: dict[str, tuple[Dialect, dict[object, object]]] = {}
"""By kind of database: the dialect that all tests share, and its compiled statements."""


@pytest.fixture(autouse=True)
def _own_folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test its own folder, without the developer's `.env` and settings, and its own database."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    if postgres.SERVER is None or "database" not in request.fixturenames:
        yield
        return
    template = request.getfixturevalue("newest_schema")
    name = f"{template}_{next(_NUMBERS)}"
    postgres.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    monkeypatch.setenv("DATABASE_URL", postgres.address_of(name))
    yield
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def background(clock: FrozenClock) -> InlineBackground:
    return InlineBackground(clock)


@cache
def _usual_settings() -> Settings:
    return Settings()


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Settings:
    """The default settings; a test overrides some with `@pytest.mark.parametrize("settings", [{…}], indirect=True)`."""
    if asked := getattr(request, "param", {}):
        return Settings(**asked)
    # Cached, because reading seventy settings from the environment for each test took a fifth of the suite's time.
    return _usual_settings().model_copy(update={"database_url": os.environ.get("DATABASE_URL", USUAL_DATABASE)})


@pytest.fixture(scope="session")
def newest_schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | str]:
    """A migrated database for tests to copy, because the migrations take longer than most tests.

    It is a file, or on PostgreSQL the name of a database.
    """
    if postgres.SERVER is None:
        path = tmp_path_factory.mktemp("newest") / "keepsake.db"
        path.write_bytes(newest_database())
        yield path
        return
    name = f"keepsake_{os.getpid()}"
    postgres.run(f"CREATE DATABASE {name}")
    with closing(PostgresDatabase(postgres.address_of(name))) as made:
        migrate(made)
    yield name
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


def _share_compiled(engine: Engine) -> None:
    """Reuse statements that an earlier test compiled; compiling them again took a sixth of the suite's time."""
    engine.dialect, compiled = _COMPILED.setdefault(engine.dialect.name, (engine.dialect, {}))
    engine.update_execution_options(compiled_cache=compiled)


def _share_routes() -> None:
    """Compile each route's address builder once; doing so for each app took nine tenths of the time to make one."""
    compile_one = Rule._compile_builder
    compiled: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}

    def once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = (rule.rule, *rule._trace, repr(rule.defaults), append_unknown)
        if key not in compiled:
            compiled[key] = compile_one(rule, append_unknown)
        return compiled[key]

    Rule._compile_builder = once  # type: ignore[method-assign, assignment]


@pytest.fixture
def database(settings: Settings, newest_schema: Path | str) -> Iterator[Database]:
    database = open_database(settings)
    _share_compiled(database.engine)
    if isinstance(newest_schema, Path):
        shutil.copyfile(newest_schema, settings.database_path)
    yield database
    database.close()


@pytest.fixture
def process(settings: Settings) -> Iterator[Process]:
    beside = settings.beside_database
    beside.parent.mkdir(mode=0o700, exist_ok=True)
    process = Process(beside)
    yield process
    process.close()


@pytest.fixture
def services(
    settings: Settings, database: Database, clock: FrozenClock, background: InlineBackground, process: Process
) -> Services:
    """Services that are real except for time and threads: offline model, phone page, SQLite in a file."""
    services = Services(
        settings=settings,
        store=database,
        clock=clock,
        model=plain_model(clock),
        carriers=HERE,
        background=background,
        process=process,
        # The tools of the other features have tests of their own.
        features=tuple(one for one in FEATURES if one.name in {"habits", "passkeys", "pictures", "web_search"}),
    )
    background.start(partial(answer, services))
    return services


@pytest.fixture
def person_id(services: Services) -> int:
    """Id of a person who may text."""
    return add_person(services)


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """A cache of compiled templates; compiling them for each app took a quarter of the time of the page tests."""
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
    """A function that replaces some of the services; the latest ones answer texts."""

    def make(**changes: object) -> Services:
        changed = replace(services, **{"made": {}, **changes})  # type: ignore[arg-type]
        background.start(partial(answer, changed))
        return changed

    return make


@pytest.fixture
def claude() -> Iterator[ClaudeServer]:
    """Claude's stand-in; a test reaches it by `claude_model` or by its address."""
    with ClaudeServer() as server:
        yield server


@pytest.fixture
def claude_model(claude: ClaudeServer, clock: FrozenClock) -> Iterator[ClaudeModel]:
    """Claude's real client, connected to the stand-in."""
    with closing(model_at(claude, clock)) as model:
        yield model


@pytest.fixture
def twilio(clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[TwilioServer]:
    """Twilio's stand-in, on the same clock as everything else; tests with `line` use `line.twilio`."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")  # Twilio's SDK uses the proxies of the environment.
    with TwilioServer(now=clock.now) as server:
        yield server


@pytest.fixture
def files() -> Iterator[MediaServer]:
    """The server of the pictures that people send through Twilio."""
    with MediaServer() as server:
        yield server


MakeLine = Callable[..., Line]


@pytest.fixture
def make_line(
    make_services: MakeServices, background: InlineBackground, clock: FrozenClock, twilio: TwilioServer
) -> MakeLine:
    """A function that makes an installation on Twilio's stand-in from replaced services and settings."""

    def make(replaced: Mapping[str, object] = MappingProxyType({}), **given: Any) -> Line:
        settings = twilio_settings(**{"twilio_api_url": twilio.url, "access": "open", **given})
        carriers = {**HERE, "twilio": TwilioCarrier(settings, timeout_seconds=PATIENCE_SECONDS)}
        ledger = TwilioLedger(settings, timeout_seconds=PATIENCE_SECONDS)
        services = make_services(**{"settings": settings, "carriers": carriers, "ledger": ledger, **replaced})
        return Line(services, background, clock, twilio)

    return make


@pytest.fixture
def line(make_line: MakeLine) -> Line:
    """An installation on Twilio's stand-in, open to everyone, with the offline model."""
    return make_line()


def pytest_collection_finish() -> None:
    _share_routes()
    freeze_loaded_objects()  # As `keepsake serve` does: collecting garbage took a tenth of the suite's time.


def _is_for_this_store(item: pytest.Item) -> bool:
    if postgres.SERVER is None:
        return item.get_closest_marker("postgres") is None
    names: Sequence[str] = getattr(item, "fixturenames", ())
    return "database" in names and item.get_closest_marker("sqlite") is None


def _is_sampled(item: pytest.Item, rows: Counter[str]) -> bool:
    """True if the test belongs to a sampled run; `rows` counts the cases of each table so far."""
    if item.get_closest_marker("whole") is not None:
        return False
    table = item.nodeid.partition("[")[0]
    rows[table] += 1
    return postgres.SERVER is None or item.get_closest_marker("every_row") is not None or rows[table] <= ROWS


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select the tests of this run, and start the longest first so that no worker ends with one of them.

    On PostgreSQL only tests that use the database run, without those of SQLite's own features. `make test-all` runs all
    kills, nights and rows; other runs take a sample of kills and nights, and on PostgreSQL `ROWS` cases of each table.
    """
    rows = Counter[str]()
    chosen = [one for one in items if _is_for_this_store(one) and (IS_WHOLE or _is_sampled(one, rows))]
    if len(chosen) < len(items):
        config.hook.pytest_deselected(items=[one for one in items if one not in set(chosen)])
        items[:] = chosen
    items.sort(key=lambda item: not item.path.name.startswith(LONGEST))
