"""The phone page live: its stream of server-sent events, event by event."""

import json

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.services import Services
from app.web.streams import MAX_STREAMS
from tests.fakes import FrozenClock, InlineBackground
from tests.web.phone_door import SEATTLE, text


def _events(client: FlaskClient, number: str = SEATTLE, last_id: str | None = None) -> TestResponse:
    headers = {"Last-Event-ID": last_id} if last_id else {}
    return client.get("/phone/events", query_string={"number": number}, headers=headers)


def _next(stream: TestResponse) -> tuple[str, dict[str, object]]:
    """The next event: its id and its data; nothing for a comment."""
    chunk = next(stream.iter_encoded()).decode()
    fields = dict(line.split(": ", 1) for line in chunk.strip().splitlines() if not line.startswith(":"))
    return fields.get("id", ""), json.loads(fields.get("data", "{}"))


def _told_all(client: FlaskClient) -> TestResponse:
    """A stream that has sent the whole page."""
    stream = _events(client)
    next(stream.iter_encoded())
    _next(stream)
    return stream


def _pass_time(services: Services, clock: FrozenClock, seconds: float) -> None:
    """Let the stream look again after `seconds`: any commit wakes it."""
    clock.advance(seconds=seconds)
    with services.transaction():
        pass


def test_the_stream_begins_with_a_page_and_tells_changes(client: FlaskClient, background: InlineBackground) -> None:
    stream = _events(client)
    assert stream.content_type == "text/event-stream"
    assert next(stream.iter_encoded()) == b"retry: 1000\n\n"
    _, first = _next(stream)
    about = {"profile", "facts", "routines", "rules", "turns"}
    assert set(first) == {"label", "typing", "count", "numbers", "thread", "notice", "offers"} | about
    text(client, "I have a dog named Max")
    _, change = _next(stream)
    assert "facts" not in change
    assert change["typing"] is True
    assert "Max" in json.dumps(change["thread"])
    background.run()
    _, change = _next(stream)
    assert change["typing"] is False
    assert "Max" in json.dumps(change["facts"])
    stream.close()


def test_a_stream_with_nothing_to_tell_sends_a_heartbeat_and_ends_after_its_life(
    client: FlaskClient, services: Services, clock: FrozenClock
) -> None:
    stream = _told_all(client)
    _pass_time(services, clock, seconds=15)
    assert next(stream.iter_encoded()) == b": still here\n\n"
    _pass_time(services, clock, seconds=586)
    assert list(stream.iter_encoded()) == []
    stream.close()


def test_a_page_that_is_back_is_sent_nothing_again_and_told_what_is_new(
    client: FlaskClient, services: Services, clock: FrozenClock
) -> None:
    stream = _events(client)
    next(stream.iter_encoded())
    event_id, _ = _next(stream)
    stream.close()
    again = _events(client, last_id=event_id)
    next(again.iter_encoded())
    _pass_time(services, clock, seconds=15)
    assert next(again.iter_encoded()) == b": still here\n\n"
    text(client, "hello")
    changed_id, change = _next(again)
    assert changed_id != event_id
    assert "hello" in json.dumps(change["thread"])
    again.close()


def test_beyond_twelve_streams_a_page_is_sent_away_until_one_ends(client: FlaskClient) -> None:
    streams = [_events(client) for _ in range(MAX_STREAMS)]
    refused = _events(client)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "30")
    streams[0].close()
    freed = _events(client)
    assert freed.status_code == 200
    for stream in (*streams[1:], freed):
        stream.close()


def test_closing_the_streams_ends_those_that_are_open_and_begins_none(app: Flask, client: FlaskClient) -> None:
    stream = _told_all(client)
    app.extensions["streams"].close()
    text(client, "hello")
    assert list(stream.iter_encoded()) == []
    stream.close()
    assert _events(client).status_code == 503
