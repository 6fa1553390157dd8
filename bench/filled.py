"""An installation that many people have texted for a while, filled with rows directly.

Rows are written in the order in which texts would come, person after person, so that no person's rows are adjacent.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from app import operators
from app.models import Conversation, Message, Person, Turn
from app.services import Services
from app.settings import load_settings
from app.store.db import Base
from app.web.application import create_app
from app.wiring import build_services
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import PASSWORD, Browser

TEXTS_OF_A_PERSON = 100
TURNS_OF_A_CONVERSATION = 10
BETWEEN_TURNS = timedelta(days=1)
ROWS_AT_ONCE = 10_000
NOW = datetime(2026, 11, 21, 17, 0, tzinfo=UTC)
BODY = "Text number {}: I had a quiet day and a good walk by the lake."

Rows = Iterator[tuple[type[Base], Iterator[dict[str, Any]]]]
"""Tables with their rows; the rows have ids already, so that they can refer to each other before they exist."""


class Installation:
    """An installation with these rows in its own file; its clock stands still, and it answers nothing by itself."""

    def __init__(self, path: Path, clock: FrozenClock, name: str, rows: Rows, **settings: object) -> None:
        self.settings = load_settings(_env_file=None, database_url=f"sqlite:///{path}", **settings)
        self.services = replace(build_services(self.settings), clock=clock, background=InlineBackground(clock))
        print(f"{name}: {fill(self.services, path, rows)}")

    def open_pages(self) -> Browser:
        """A browser logged in to the operator's pages."""
        operators.ensure_first(self.services, PASSWORD)
        browser = Browser(create_app(services=self.services))
        browser.log_in()
        return browser


def fill(services: Services, path: Path, rows: Rows) -> str:
    """Insert the rows and return a sentence with the size in megabytes and the seconds taken."""
    began = time.perf_counter()
    for table, every in rows:
        while some := list(islice(every, ROWS_AT_ONCE)):
            with services.transaction() as db:
                db.execute(insert(table), some)
    size = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    return f"{size / 2**20:,.0f} MB, filled in {time.perf_counter() - began:,.1f} s"


def address(number: int) -> str:
    return f"+1206{number:07d}"


def texts(people: int, now: datetime) -> Rows:
    """Rows of a hundred texts for each person, in fifty answered turns."""
    turns = TEXTS_OF_A_PERSON // 2
    began = now - turns * BETWEEN_TURNS
    conversations = -(-turns // TURNS_OF_A_CONVERSATION)
    numbers = range(1, people + 1)
    yield Person, (_person(number, began) for number in numbers)
    yield (
        Conversation,
        (
            {"id": place * people + number, "person_id": number, "started_at": began, "last_at": began}
            for place in range(conversations)
            for number in numbers
        ),
    )
    yield Turn, (_turn(people, number, place, began) for place in range(turns) for number in numbers)
    yield (
        Message,
        (
            message
            for place in range(turns)
            for number in numbers
            for message in _messages(people, number, place, began)
        ),
    )


def _person(number: int, at: datetime) -> dict[str, Any]:
    return {
        "id": number,
        "address": address(number),
        "key": f"{number:032x}",
        "timezone": "America/Los_Angeles",
        "timezone_source": "guessed",
        "access": "allowed",
        "created_at": at,
    }


def _turn(people: int, number: int, place: int, began: datetime) -> dict[str, Any]:
    at = began + place * BETWEEN_TURNS
    return {
        "id": place * people + number,
        "person_id": number,
        "conversation_id": place // TURNS_OF_A_CONVERSATION * people + number,
        "carrier": "phone",
        "state": "done",
        "owner": "bench:1",
        "leased_until": at,
        "outcome": "replied",
        "model": "claude-sonnet-5-5",
        "model_calls": 1,
        "model_seconds": 2.0,
        "started_at": at,
        "ended_at": at,
    }


def _messages(people: int, number: int, place: int, began: datetime) -> Iterator[dict[str, Any]]:
    turn_id, at = place * people + number, began + place * BETWEEN_TURNS
    both = {"person_id": number, "turn_id": turn_id, "carrier": "phone", "created_at": at}
    asked = {"direction": "in", "state": "answered", "body": BODY.format(place), "key": None, "sent_at": None}
    told = {"direction": "out", "state": "sent", "body": "That sounds like a day well spent.", "sent_at": at}
    yield {**both, **asked, "sid": f"SMa{turn_id:031x}"}
    yield {**both, **told, "sid": f"SMb{turn_id:031x}", "key": f"{turn_id:032x}"}
