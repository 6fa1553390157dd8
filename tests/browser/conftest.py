"""A real browser, and the app behind a real server."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from app.conversation.turn import start
from app.services import Services
from app.settings import Settings
from app.web.application import create_app
from app.wiring import build_services
from tests import loopback
from tests.loopback import HeldPort

ANSWER_MILLISECONDS = 15_000  # Enough for a slow machine; tests wait no longer than they need.

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class ServedApp:
    """The whole app on a port of its own, which can stop and start again."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._held_port = HeldPort()
        self.port = self._held_port.number
        self.app: Flask
        self._serving = ExitStack()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Serve the pages. Texts are stored from now on, and answered after `begin_answering`."""
        self.app = create_app(services=self.services)
        self._serving.enter_context(loopback.served(self.app, self.port, threads=24))

    def begin_answering(self) -> None:
        start(self.services)

    def end(self) -> None:
        self.app.extensions["streams"].close()
        self._serving.close()


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    expect.set_options(timeout=ANSWER_MILLISECONDS)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = shutil.which("chromium")
    if executable is None:
        pytest.fail("The browser tests need chromium on the PATH: sh tests/install_programs.sh", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def served(services: Services) -> Iterator[ServedApp]:
    """The app around the test's own `services`, with their frozen clock."""
    served = ServedApp(services)
    served.begin()
    yield served
    served.end()


@pytest.fixture
def quiet_app(newest_schema: Path | str) -> Iterator[ServedApp]:
    """The app as `keepsake serve` runs it, before it answers texts."""
    settings = Settings(burst_quiet_seconds=0.1)
    if isinstance(newest_schema, Path):
        settings.database_path.parent.mkdir(parents=True)
        shutil.copyfile(newest_schema, settings.database_path)
    services = build_services(settings)
    served = ServedApp(services)
    served.begin()
    yield served
    served.end()
    services.background.stop(grace_seconds=5)


@pytest.fixture
def live_app(quiet_app: ServedApp) -> ServedApp:
    """The app as `keepsake serve` runs it."""
    quiet_app.begin_answering()
    return quiet_app


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a page in a context of its own; any complaint of the browser fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        # The browser reports a server that is down or full, which some tests cause.
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    def open_page(**options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", complain)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
