"""*Today*: how things stand, each leading to where it is seen in full."""

import re
from pathlib import Path

import pytest

from app import memory
from app.memory import NewFact, Origin
from app.models import Message, Person, Spending
from app.operations.alerts import raise_alert
from app.routines import setting
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, set_routine
from app.routines.values import local_time
from app.services import Services
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import add_person, add_text, add_turn


def figure(page: str, key: str) -> str:
    return in_words(page[page.index(f'data-key="{key}"') :].partition(">")[2].partition("</li>")[0])


def test_with_nobody_there_everything_says_so(operator: Browser) -> None:
    page = in_words(operator.get("/"))

    for words in ("Texts in 0", "nobody waits", "Every text is answered.", "Nobody.", "Nothing."):
        assert words in page


def test_texts_answers_delivery_and_spend_of_the_day_are_counted(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    clock.advance(hours=-25)
    add_turn(services, alex.id, "Yesterday", "Long ago")
    clock.advance(hours=25)
    add_text(services, alex.id, "Hi")
    add_text(services, alex.id, "Hello", direction="out", state="sent", delivery="delivered")
    add_text(services, alex.id, "there", direction="out", state="sent", delivery="undelivered", part=2)
    add_text(services, alex.id, "No", direction="out", state="unknown", purpose="notice")
    with services.transaction() as db:
        now = clock.now()
        db.add(Spending(day=now.date(), person_id=alex.id, cents=410.0, is_settled=True, at=now))

    page = operator.get("/")

    assert figure(page, "texts") == "Texts in 1 2 went out"
    assert figure(page, "answers").startswith("Answers 1")
    assert figure(page, "delivery") == "Delivered 1 1 not delivered, 1 in doubt"
    assert figure(page, "spend") == "Spent today $4.10 of a budget of $5.00"
    assert "tile warn" in page[page.index('data-key="spend"') :]


def test_of_texts_without_a_delivery_report_it_is_said_why(operator: Browser, services: Services, alex: Person) -> None:
    assert figure(operator.get("/"), "delivery") == "Delivered 0 nothing went out"
    add_text(services, alex.id, "Hello", direction="out", state="sent")
    add_text(services, alex.id, "there", direction="out", state="sent", part=2)
    assert figure(operator.get("/"), "delivery") == "Delivered – 2 with no delivery reports asked for"
    with services.transaction() as db:
        db.query(Message).filter_by(part=2).one().carrier = "twilio"
    said = "1 with no delivery report yet, 1 with no delivery reports asked for"
    assert figure(operator.get("/"), "delivery") == f"Delivered 0 {said}"
    thread = operator.get(f"/people/{alex.id}")
    assert thread.count("no delivery report yet") == 1
    assert "asked for" not in thread, "a word under each text of the phone page would tell nobody anything"
    with services.transaction() as db:
        db.query(Message).filter_by(part=2).one().delivery = "delivered"
    assert figure(operator.get("/"), "delivery") == "Delivered 1 1 with no delivery reports asked for"


def test_how_fast_answers_were_is_that_of_the_last_hour(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    turn = add_turn(services, alex.id, "Hi", "Hello")
    clock.advance(seconds=4)
    with services.transaction() as db:
        reply = db.query(Message).filter_by(turn_id=turn.id, direction="out").one()
        reply.sent_at = clock.now()

    assert figure(operator.get("/"), "answers") == "Answers 1 in the last hour half within 4.0 s, most within 4.0 s"
    clock.advance(hours=2)
    assert figure(operator.get("/"), "answers") == "Answers 1 none in the last hour"


def test_the_oldest_text_without_an_answer_comes_first_and_leads_to_its_thread(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    first = add_text(services, alex.id, "Are you there?", state="waiting")
    clock.advance(minutes=5)
    for number in range(8):
        add_text(services, alex.id, f"Hello {number}?", state="waiting")

    page = operator.get("/")

    assert figure(page, "waiting") == "Waiting now 9 the oldest came 5 min ago"
    assert page.index("Are you there?") < page.index("Hello 0?")
    assert f'href="/admin/people/{alex.id}?around={first.id}#message-{first.id}"' in page
    assert "and 3 texts more" in page


def test_a_text_that_was_given_up_is_tried_again_from_here(
    operator: Browser, services: Services, background: InlineBackground, alex: Person
) -> None:
    text = add_text(services, alex.id, "Hi", state="dead")
    assert "1 text ended the process five times" in operator.get("/")

    page = operator.act(f"/people/{alex.id}/try-again")

    assert "1 text tried again." in page
    assert background.woken == [alex.id]
    with services.reading() as db:
        assert db.get_one(Message, text.id).state == "waiting"


def test_of_those_whose_texts_were_given_up_the_newest_comes_first(
    operator: Browser, services: Services, alex: Person
) -> None:
    sam = add_person(services, "+13125550200", name="Sam")
    add_text(services, alex.id, "Hi", state="dead")
    add_text(services, sam.id, "Hello", state="dead")
    add_text(services, sam.id, "Again", state="waiting")
    newest = add_text(services, alex.id, "Hi again", state="dead")

    stuck = in_words(operator.get("/").partition('data-key="stuck"')[2])

    assert stuck.index("2 texts ended") < stuck.index("Sam") < stuck.index("1 text ended") < stuck.index("Again")
    assert f'around={newest.id}#message-{newest.id}"' in operator.get("/")


@pytest.mark.parametrize("access", ["blocked", "waiting"])
def test_a_text_of_somebody_who_may_not_text_is_not_tried_again(
    operator: Browser, services: Services, access: str
) -> None:
    person = add_person(services, "+13125550200", access=access)
    text = add_text(services, person.id, "Hi", state="dead")

    page = operator.act(f"/people/{person.id}/try-again")

    assert "Not tried again" in page
    with services.reading() as db:
        assert db.get_one(Message, text.id).state == "dead"


def test_what_comes_in_the_next_hours_stands_in_its_order_by_its_persons_clock(
    operator: Browser, services: Services, alex: Person
) -> None:
    later = [(f"Water bed {number}", "20:45") for number in range(6)]
    for words, at in (("Take the vitamins", "20:30"), ("Stretch", "10:00"), ("Sleep", "06:00"), *later):
        schedule = Schedule("daily", times=(local_time("times", at),))
        set_routine(
            services, alex.id, NewRoutine("remind", words, schedule, zone=None), Origin("person", "explicit"), "phone"
        )

    page = in_words(operator.get("/")).partition("What changed")[0]

    assert page.index("10:00 PST Stretch") < page.index("20:30 PST Take the vitamins")
    assert "Water bed 3" in page
    assert "Water bed 4" not in page
    assert "All 8" in page
    assert "Sleep" not in page


def test_of_what_comes_more_than_once_in_the_next_hours_the_further_times_are_said(
    operator: Browser, services: Services, alex: Person
) -> None:
    for words, clocks in (("Pill", ["10:00", "20:00"]), ("Water", ["11:00", "13:00", "15:00"]), ("Walk", ["12:00"])):
        schedule = Schedule("daily", times=tuple(local_time("times", clock) for clock in clocks))
        set_routine(services, alex.id, NewRoutine("remind", words, schedule), Origin("person", "explicit"), "phone")
    coming = in_words(operator.get("/")).partition("What changed")[0]
    assert "America/Los_Angeles · again at 20:00" in coming
    assert "America/Los_Angeles · again 2 times by 15:00" in coming
    assert coming.count("· again") == 2


def test_what_changed_in_memory_leads_to_the_fact(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    origin = Origin(actor="assistant", source="explicit")
    memory.remember(services, alex.id, [NewFact("Likes mint tea")], origin)
    clock.advance(hours=30)
    operator.log_in()
    memory.remember(services, alex.id, [NewFact("Has a dog named Max")], origin)
    memory.forget(services, alex.id, [1], origin)

    page = operator.get("/")

    assert 'href="/admin/people/1/facts/2">Has a dog named Max</a>' in page
    assert page.index("Likes mint tea") < page.index("Has a dog named Max")
    assert "In 24 hours: forget or end 1, remember or set 1" in in_words(page)


def test_of_a_routine_it_is_said_what_was_done_to_it(operator: Browser, services: Services, alex: Person) -> None:
    by_person = Origin("person", "explicit")
    new = NewRoutine("remind", "Stretch", Schedule("daily", times=(local_time("times", "10:00"),)))
    number = set_routine(services, alex.id, new, by_person, "phone").number
    for done in (setting.pause, setting.resume):
        done(services, alex.id, number, by_person)
    setting.revise_routine(services, alex.id, number, by_person, useful_minutes=30)
    setting.cancel(services, alex.id, [number], by_person)

    page = operator.get("/")

    told = in_words(page.partition('data-key="changed"')[2])
    done_to_it = re.findall(r"(\w+) Stretch Alex", told)
    assert done_to_it == ["end", "revise", "resume", "pause", "set"]
    assert f'href="/admin/people/{alex.id}/routines/{number}">Stretch</a>' in page
    assert "In 24 hours: forget or end 1, remember or set 1, revise 3" in told
    changes = in_words(operator.get(f"/people/{alex.id}/changes"))
    assert re.findall(r"person (\w+)", changes.partition("What changed in memory")[2]) == done_to_it


def test_open_alerts_stand_on_top_and_where_none_is_open_that_does(
    operator: Browser, services: Services, clock: FrozenClock
) -> None:
    page = operator.get("/")
    assert page.index("No alert is open.") < page.index("Texts in")

    with services.transaction() as db:
        raise_alert(db, "sender", "No number to send from is left.", clock.now())

    page = operator.get("/")

    assert page.index("No number to send from is left.") < page.index("Texts in")
    assert "No alert is open." not in page


@pytest.mark.parametrize("settings", [{"host": "0.0.0.0"}], indirect=True)
@pytest.mark.sqlite
def test_what_the_doctor_finds_amiss_stands_in_one_line_that_leads_to_the_settings(
    operator: Browser, services: Services
) -> None:
    better = "Warning: HOST. Settings says what to do."
    page = operator.get("/")
    assert better in in_words(page)
    assert 'href="/admin/settings#findings-title">Settings</a> says' in page

    Path("instance/keepsake.db").chmod(0o644)
    mend = "Fix these settings: permissions. Warning: HOST."
    assert mend in in_words(operator.get("/"))


def test_of_a_set_up_that_is_sound_nothing_of_the_doctor_is_said(operator: Browser) -> None:
    assert 'data-key="doctor"' not in operator.get("/")
