"""*Today*: how things stand, each leading to where it is seen in full."""

import re
from pathlib import Path

import pytest
from sqlalchemy import update

from app import memory
from app.models import Message, Spending
from app.operations.alerts import raise_alert
from app.routines import setting
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import BY_PERSON, TOLD, Someone, add_person


def figure(page: str, key: str) -> str:
    return in_words(page[page.index(f'data-key="{key}"') :].partition(">")[2].partition("</li>")[0])


def test_texts_answers_delivery_and_spend_of_the_day_are_counted(
    operator: Browser, services: Services, alex: Someone, clock: FrozenClock
) -> None:
    clock.advance(hours=-25)
    alex.turn("Yesterday", "Long ago")
    clock.advance(hours=25)
    alex.text("Hi")
    alex.text("Hello", direction="out", state="sent", delivery="delivered")
    alex.text("there", direction="out", state="sent", delivery="undelivered", part=2)
    alex.text("No", direction="out", state="unknown", purpose="notice")
    with services.transaction() as db:
        now = clock.now()
        db.add(Spending(day=now.date(), person_id=alex.id, cents=410.0, is_settled=True, at=now))

    page = operator.get("/")
    assert figure(page, "texts") == "Texts in 1 2 went out"
    assert figure(page, "answers").startswith("Answers 1")
    assert figure(page, "delivery") == "Delivered 1 1 not delivered, 1 in doubt"
    assert figure(page, "spend") == "Spent today $4.10 of a budget of $5.00"
    assert "tile warn" in page[page.index('data-key="spend"') :]


def test_of_texts_without_a_delivery_report_it_says_why(operator: Browser, services: Services, alex: Someone) -> None:
    alex.text("Hello", direction="out", state="sent")
    second = alex.text("there", direction="out", state="sent", part=2)

    def change(**columns: str) -> str:
        with services.transaction() as db:
            db.execute(update(Message).where(Message.id == second.id).values(**columns))
        return figure(operator.get("/"), "delivery")

    assert figure(operator.get("/"), "delivery") == "Delivered – 2 with no delivery reports asked for"
    said = "1 with no delivery report yet, 1 with no delivery reports asked for"
    assert change(carrier="twilio") == f"Delivered 0 {said}"
    thread = operator.get(alex.path)
    assert thread.count("no delivery report yet") == 1
    assert "asked for" not in thread, "a word under each text of the phone page would tell nobody anything"
    assert change(delivery="canceled") == "Delivered 0 1 not delivered, 1 with no delivery reports asked for"
    assert change(delivery="delivered") == "Delivered 1 1 with no delivery reports asked for"


def test_answers_are_timed_hourly(operator: Browser, services: Services, alex: Someone, clock: FrozenClock) -> None:
    turn = alex.turn("Hi", "Hello")
    clock.advance(seconds=4)
    with services.transaction() as db:
        db.query(Message).filter_by(turn_id=turn.id, direction="out").one().sent_at = clock.now()
    assert figure(operator.get("/"), "answers") == "Answers 1 in the last hour half within 4.0 s, most within 4.0 s"
    clock.advance(hours=2)
    assert figure(operator.get("/"), "answers") == "Answers 1 none in the last hour"


def test_the_oldest_text_unanswered_comes_first_with_link(operator: Browser, alex: Someone, clock: FrozenClock) -> None:
    first = alex.text("Are you there?", state="waiting")
    clock.advance(minutes=5)
    for number in range(8):
        alex.text(f"Hello {number}?", state="waiting")
    page = operator.get("/")
    assert figure(page, "waiting") == "Waiting now 9 the oldest came 5 min ago"
    assert page.index("Are you there?") < page.index("Hello 0?")
    assert f'href="/admin{alex.path}?around={first.id}#message-{first.id}"' in page
    assert "and 3 texts more" in page


@pytest.mark.parametrize("access", ["blocked", "waiting"])
def test_a_text_given_up_by_somebody_who_may_not_text_stays_given_up(
    operator: Browser, services: Services, access: str
) -> None:
    person = add_person(services, "+13125550200", access=access)
    text = person.text("Hi", state="dead")
    assert "Not tried again" in operator.act(f"{person.path}/try-again")
    with services.reading() as db:
        assert db.get_one(Message, text.id).state == "dead"


def test_what_comes_in_the_next_hours_stands_in_order_by_its_persons_clock(operator: Browser, alex: Someone) -> None:
    alex.remind("Take the vitamins", "20:30")
    alex.remind("Stretch", "10:00", "20:00")
    alex.remind("Drink", "11:00", "13:00", "15:00")
    alex.remind("Sleep", "06:00")
    for number in range(5):
        alex.remind(f"Water bed {number}", "20:45")

    page = operator.read("/").partition("Changes in memory")[0]
    assert page.index("10:00 PST Stretch") < page.index("20:30 PST Take the vitamins")
    assert "Water bed 2" in page
    assert "All 8" in page
    for later in ("Water bed 3", "Sleep"):
        assert later not in page


def test_a_change_leads_to_its_fact(operator: Browser, services: Services, alex: Someone, clock: FrozenClock) -> None:
    alex.learn("Likes mint tea")
    clock.advance(hours=30)
    operator.log_in()
    alex.learn("Has a dog named Max")
    memory.forget(services, alex.id, [1], TOLD)
    page = operator.get("/")
    assert 'href="/admin/people/1/facts/2">Has a dog named Max</a>' in page
    assert page.index("Likes mint tea") < page.index("Has a dog named Max")
    assert "In 24 hours: forget or end 1, remember or set 1" in in_words(page)


def test_of_a_routine_it_is_said_what_was_done_to_it(operator: Browser, services: Services, alex: Someone) -> None:
    number = alex.remind("Stretch").number
    for done in (setting.pause, setting.resume):
        done(services, alex.id, number, BY_PERSON)
    setting.revise_routine(services, alex.id, number, BY_PERSON, does="run")
    setting.cancel(services, alex.id, [number], BY_PERSON)

    page = operator.get("/")
    told = in_words(page.partition('data-key="changed"')[2])
    done_to_it = re.findall(r"(\w+) Stretch Alex", told)
    assert done_to_it == ["end", "revise", "resume", "pause", "set"]
    assert f'href="/admin{alex.path}/routines/{number}">Stretch</a>' in page
    assert "In 24 hours: forget or end 1, remember or set 1, revise 3" in told
    changes = operator.read(f"{alex.path}/changes").partition("Changes in memory")[2]
    assert re.findall(r"person (\w+)", changes) == done_to_it


def test_open_alerts_stand_on_top_or_that_none_is(operator: Browser, services: Services, clock: FrozenClock) -> None:
    page = operator.get("/")
    assert page.index("No alert is open.") < page.index("Texts in")
    with services.transaction() as db:
        raise_alert(db, "sender", "No number to send from is left.", clock.now())
    page = operator.get("/")
    assert page.index("No number to send from is left.") < page.index("Texts in")
    assert "No alert is open." not in page


@pytest.mark.parametrize("settings", [{"host": "0.0.0.0"}], indirect=True)
@pytest.mark.sqlite
def test_what_the_doctor_finds_amiss_stands_in_one_line_that_leads_to_the_settings(operator: Browser) -> None:
    page = operator.get("/")
    assert "Warning: HOST. Settings says what to do." in in_words(page)
    assert 'href="/admin/settings#findings-title">Settings</a> says' in page
    Path("instance/keepsake.db").chmod(0o644)
    assert "Fix these settings: permissions. Warning: HOST." in operator.read("/")
