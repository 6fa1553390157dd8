"""Texting on the phone page, and what it shows, through its own door and without a browser."""

import json
import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from app.memory import NewFact, remember
from app.memory.changes import Origin
from app.models import Message, Turn
from app.people import block
from app.services import Services
from app.settings import Settings
from app.web.application import create_app
from tests.fakes import FrozenClock, InlineBackground
from tests.memory.archiving import put_away
from tests.memory.remembering import add_person, person_at
from tests.web.phone_door import SEATTLE, TWILIO, new_sid, snapshot, text, visible

POISON = "<script>alert(1)</script><img src=x onerror=alert(2)>"


# Texting.


def test_what_was_scheduled_is_noted_and_not_what_is_listed(client: FlaskClient, background: InlineBackground) -> None:
    text(client, "What is scheduled?")
    background.run()
    assert "Changed what is scheduled" not in visible(snapshot(client)["thread"])
    text(client, "Every weekday at 7 text me my day")
    background.run()
    assert visible(snapshot(client)["thread"]).count("Changed what is scheduled") == 1


def test_a_text_posted_twice_is_one_text(client: FlaskClient, services: Services, background: InlineBackground) -> None:
    sid = new_sid()
    assert [text(client, "hello", sid=sid).status_code for _ in range(2)] == [202, 202]
    background.run()
    assert text(client, "hello", sid=sid).status_code == 202
    with services.reading() as db:
        assert db.query(Message).filter_by(direction="in").count() == 1
        assert db.query(Turn).count() == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *(({"body": body}, "1 to 1,600 characters; this one has 0") for body in ("", " \n ")),
        ({"body": "a" * 1601}, "1 to 1,600 characters; this one has 1,601"),
        *(({"sid": sid}, "no id of its own") for sid in ("", "SM" + "A" * 32, "SM" + "0" * 32 + "\n", "MM" + "0" * 32)),
        *(({"from": one}, "not a whole phone number") for one in ("", "2065550100", "+1206", "Seattle")),
    ],
)
def test_a_malformed_text_is_refused_with_the_reason(client: FlaskClient, change: dict[str, str], said: str) -> None:
    form = {"from": SEATTLE, "body": "keep these words", "sid": new_sid()} | change
    response = client.post("/phone/texts", data=form, headers={"Accept": "application/json"})
    assert response.status_code == 400
    assert said in response.get_json()["message"]
    page = client.post("/phone/texts", data=form)
    assert page.status_code == 400
    assert said in visible(page.get_data(as_text=True))
    assert f"{form['body']}</textarea>" in page.get_data(as_text=True)
    assert snapshot(client)["thread"] == ""


def test_a_number_may_be_typed_as_people_write_it(client: FlaskClient) -> None:
    spaced = ("+1 (206) 555-0100", " 12065550100", "+1.206.555.0100", "\u202a+12065550100\u202c")
    for typed in (*spaced, "0012065550100"):
        page = client.get("/phone", query_string={"number": typed})
        assert f'name="from" value="{SEATTLE}"' in page.get_data(as_text=True), typed


def test_a_number_that_is_none_is_named_on_the_page(client: FlaskClient) -> None:
    response = client.get("/phone", query_string={"number": POISON})
    assert response.status_code == 400
    page = response.get_data(as_text=True)
    assert "is not a whole phone number" in page
    assert POISON not in page
    assert client.get("/phone/events", query_string={"number": "x"}).status_code == 400
    assert client.get("/phone/snapshot").status_code == 400


# What it shows.


def test_what_people_and_models_write_is_shown_as_words_and_never_run(
    client: FlaskClient, services: Services, background: InlineBackground
) -> None:
    text(client, f"Remember that my dog is called {POISON}")
    background.run()
    person_id = person_at(services, SEATTLE).id
    remember(services, person_id, [NewFact(POISON, POISON)], Origin("operator", "operator", quote=POISON))
    for html in (client.get("/phone").get_data(as_text=True), json.dumps(snapshot(client))):
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "&lt;script&gt;alert(1)" in html


def test_f9_the_drawer_tells_each_fact_with_its_number_and_where_it_came_from_and_none_that_is_archived(
    client: FlaskClient, services: Services, background: InlineBackground
) -> None:
    text(client, "My name is Alex. I'm allergic to peanuts.")
    background.run()
    shown = snapshot(client)
    assert "Alex" in visible(shown["profile"])
    assert "America/Los_Angeles guessed from the number" in visible(shown["profile"])
    assert shown["count"] == 1
    fact = visible(shown["facts"])
    assert fact.startswith("Fact 1 ")
    assert "peanuts" in fact
    assert "told, 21 Nov 2026" in fact
    assert "I'm allergic to peanuts" in fact.replace("&#39;", "'")

    put_away(services, person_at(services, SEATTLE).id, 1)
    shown = snapshot(client)
    assert shown["count"] == 0
    assert "peanuts" not in shown["facts"]


def test_a_silence_has_its_time_on_it(client: FlaskClient, background: InlineBackground, clock: FrozenClock) -> None:
    text(client, "first")
    clock.advance(minutes=14)
    text(client, "second")
    clock.advance(minutes=16)
    text(client, "third")
    headings = re.findall(r'<time class="gap"[^>]*>([^<]*)<', snapshot(client)["thread"])
    assert headings == ["Today 9:00 AM", "Today 9:30 AM"]
    for days, name in ((1, "Yesterday 9:00 AM"), (2, "Saturday 9:00 AM"), (7, "21 Nov 2026 9:00 AM")):
        clock.advance(days=days - (clock.now().day - 21))
        assert name in snapshot(client)["thread"]


def test_texts_that_follow_each_other_stand_as_one_block(client: FlaskClient, clock: FrozenClock) -> None:
    for body, seconds in (("one", 10), ("two", 59), ("three", 61), ("four", 0)):
        text(client, body)
        clock.advance(seconds=seconds)
    classes = re.findall(r'<li class="text mine([^"]*)"', snapshot(client)["thread"])
    assert classes == [" starts", "", " ends", " starts ends"]


def test_a_number_shows_the_name_it_told_and_why_it_is_not_answered(
    client: FlaskClient, services: Services, background: InlineBackground
) -> None:
    text(client, "Hi! I'm Alex, and I have a dog named Max.")
    background.run()
    assert "Alex" in visible(snapshot(client)["numbers"])
    text(client, "STOP")
    assert "opted out" in visible(snapshot(client)["numbers"])
    assert "Text START to hear from Keepsake again" in visible(snapshot(client)["notice"])
    assert "not answered" in visible(snapshot(client)["thread"])
    text(client, "START")
    assert visible(snapshot(client)["notice"]) == ""
    block(services, person_at(services, SEATTLE).id)
    assert "blocked this number" in visible(snapshot(client)["notice"])


def test_numbers_that_texted_are_offered_again_but_not_those_of_a_twilio_number(
    client: FlaskClient, make_services: Callable[..., Services]
) -> None:
    text(client, "hello", "+13125550147")
    services = make_services(settings=Settings.model_validate(TWILIO))
    add_person(services, "whatsapp:+13125550148")  # The page texts as +13125550148, who is somebody else.
    listed = client.get("/phone").get_data(as_text=True)
    assert "+1 312-555-0147" in listed
    assert "+1 312-555-0148" not in listed
    with_twilio = create_app(services=services).test_client()
    assert "312-555-0147" not in with_twilio.get("/phone").get_data(as_text=True)


def test_an_unchanged_snapshot_costs_a_page_that_asks_again_nothing(client: FlaskClient) -> None:
    text(client, "hello")
    path = {"path": "/phone/snapshot", "query_string": {"number": SEATTLE}}
    first = client.get(**path)
    again = client.get(**path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    text(client, "and again")
    assert client.get(**path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_help_says_where_its_answer_comes_from_and_nothing_is_offered_before_a_reply_or_without_one(
    client: FlaskClient, background: InlineBackground
) -> None:
    text(client, "HELP")
    background.run()
    shown = snapshot(client)
    assert "Text /help to see what Keepsake can do" in visible(shown["thread"])
    assert "Keepsake: " not in visible(shown["thread"])
    assert not shown["offers"]
    text(client, "I have a dog named Max")
    background.run()
    assert snapshot(client)["offers"]
    text(client, "STOP")
    text(client, "HELP")
    assert not snapshot(client)["offers"]
    assert "/help" not in visible(snapshot(client)["thread"]), "it would not be answered either"
