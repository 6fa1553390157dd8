"""Live pages: the content of their streams, the operators who may read them, and their duration."""

import html
import json
import re
from collections.abc import Iterator

import pytest
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.models import OperatorSession
from app.operations import audit
from app.services import Services
from app.web.admin.log import ON_A_PAGE
from app.web.streams import ENDED
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import Someone

PAGES = ["/", "/people/1"]
SECTIONS = {"figures", "stuck", "alerts", "findings", "strangers", "coming", "changed", "thread", "about"}


def chunks_of(response: TestResponse) -> Iterator[str]:
    assert response.content_type == "text/event-stream"
    chunks = (chunk.decode() for chunk in response.iter_encoded())
    assert next(chunks) == "retry: 1000\n\n"
    return chunks


def open_stream(operator: Browser, path: str, *, known: bool = True) -> Iterator[str]:
    """The events of the page as it was just loaded, from the first thing that it does not know."""
    address = html.unescape(re.findall(r'data-events="([^"]+)"', operator.get(path))[0])
    return chunks_of(operator.client.get(address if known else address.partition("?")[0]))


def told(events: Iterator[str]) -> dict[str, list[list[str]]]:
    return dict(json.loads(re.findall(r"^data: (.+)$", next(events), re.MULTILINE)[0]))


def assert_ended(events: Iterator[str]) -> None:
    assert next(events) == ENDED
    assert next(events, None) is None


def note(services: Services, did: str, person_id: int | None = None) -> None:
    with services.transaction() as db:
        audit.note(db, audit.TERMINAL, did, services.clock.now(), person_id=person_id)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_told_what_is_new_and_nothing_that_it_shows(operator: Browser, alex: Someone, path: str) -> None:
    alex.turn("Hi", "Hello!")
    events = open_stream(operator, path)
    alex.text("Are you there?", state="waiting")
    first = told(events)
    assert "Are you there?" in json.dumps(first)
    assert first.keys() <= SECTIONS


def test_what_is_done_stands_on_top_and_a_page_begins_where_one_ends(operator: Browser, services: Services) -> None:
    for number in range(ON_A_PAGE):
        note(services, f"done {number}")
    page = operator.get("/log")
    events = open_stream(operator, "/log")
    note(services, "rules list")

    sections = told(events)
    assert len(sections["lines"]) == ON_A_PAGE
    assert "rules list" in sections["lines"][0][1]
    keys = re.findall(r'<tr data-key="([^"]+)"', page)
    assert [key for key, _ in sections["lines"]][1:] == keys[:-1], "what stands there keeps its key, and moves down"
    [address] = re.findall(r'href="/admin([^"]+)"', dict(sections["pager"])["earlier"])
    later = operator.get(html.unescape(address))
    assert re.findall(r'<tr data-key="([^"]+)"', later)[0] == keys[-1]
    assert "data-events" not in later, "a later page is not followed"


@pytest.mark.parametrize("path", [*PAGES, "/log"])
def test_whoever_logged_out_meanwhile_is_told_nothing_more(operator: Browser, alex: Someone, path: str) -> None:
    events = open_stream(operator, path)
    operator.post("/logout")
    alex.text("A secret", state="waiting")
    assert_ended(events)


def test_a_stream_ends_when_its_session_has_been_idle_for_too_long_and_keeps_none_open(
    operator: Browser, services: Services, alex: Someone, clock: FrozenClock
) -> None:
    with services.reading() as db:
        began = db.scalars(select(OperatorSession.last_seen_at)).one()
    for _ in range(7):  # A page that nobody sits at comes back every ten minutes.
        clock.advance(hours=1)
        operator.client.get(f"/admin{alex.path}/snapshot")
        operator.client.get("/admin/events").close()
    clock.advance(minutes=58)
    events = chunks_of(operator.client.get("/admin/events"))
    next(events)
    clock.advance(minutes=3)
    alex.text("A secret", state="waiting")
    assert_ended(events)
    with services.reading() as db:
        assert db.scalars(select(OperatorSession.last_seen_at)).one() == began


def test_a_busy_server_is_looked_at_once_a_second(operator: Browser, alex: Someone, clock: FrozenClock) -> None:
    events = open_stream(operator, alex.path, known=False)
    next(events)
    clock.waits.clear()
    for number in range(3):
        alex.text(f"Text {number}")
        next(events)
    assert clock.waits == [1.0, 1.0, 1.0]
